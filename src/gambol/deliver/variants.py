"""Variants, a report and pictures in a folder: all files or none."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from gambol.deliver.registry import Delivery, WriteOptions, check_targets, deliver
from gambol.errors import InvalidInput, MissingExtra, UnknownName, UnreadableFile
from gambol.extras import check_suffix, is_installed
from gambol.files.disk import check_writable
from gambol.files.formats import write_motion
from gambol.variation.file import SUFFIX, write_model

if TYPE_CHECKING:
    from gambol.stages.performance import Progress
    from gambol.stages.variants import VariantsPerformance

KIND = "variants"  # the kind of performance, as the table of writers names it
FORMS = ("bvh", "glb", "usda", "usdc")


@dataclass(frozen=True)
class VariantFiles:
    """What is written of variants; what cannot be written is an error at once, before anything is learned.

    form: of the variants: bvh, glb, usda or usdc.
    model_file: also write the learned model to this file, which may be elsewhere.
    plots: draw plots, poses and a graph; None: if the extra `pictures` is installed.
    video: film inputs and variants side by side.
    """

    folder: Path
    form: str = "bvh"
    model_file: Path | None = None
    plots: bool | None = None
    video: bool = False

    def __post_init__(self) -> None:
        if self.form not in FORMS:
            raise UnknownName("format of variants", self.form, FORMS)
        if self.folder.exists() and not self.folder.is_dir():
            raise UnreadableFile("this is a file; a folder is needed to write to", path=self.folder)
        targets = tuple(self._targets(self.folder))
        for path in targets:
            check_suffix(path.suffix)
        check_targets(KIND, targets)
        check_writable(self.folder)
        if self.model_file is None:
            return
        if self.model_file.suffix.lower() != SUFFIX:
            raise InvalidInput(f"{self.model_file}: a model is a {SUFFIX} file")
        if self.model_file.is_dir():
            raise UnreadableFile("this is a folder; a file is needed to write the model to", path=self.model_file)
        check_writable(self.model_file.parent)

    def write(self, performance: VariantsPerformance, say: Progress) -> Delivery:
        """Write everything beside the folder, and move it into the folder when all is done."""
        model = performance.model
        if model is None:
            raise InvalidInput("there are no variants to write: too few clips fit to learn from")
        out = self.folder
        nearest = next(folder for folder in (out, *out.resolve().parents) if folder.is_dir())
        try:
            with tempfile.TemporaryDirectory(prefix=".gambol-", dir=nearest) as temporary:
                written = deliver(performance, [*self._targets(Path(temporary))], WriteOptions(), say)
                if self.model_file is not None:
                    say("writing the model", 0.0)
                    write_model(self.model_file, model)
                out.mkdir(parents=True, exist_ok=True)
                files = tuple(path.replace(out / path.name) for path in written.files)
        except OSError as error:
            raise UnreadableFile(f"cannot write: {error.strerror or error}", path=out) from error
        skips_plots = self.plots is None and not is_installed("pictures")
        skipped = (str(MissingExtra("plots, poses and a graph", "pictures")),) if skips_plots else ()
        return Delivery(files if self.model_file is None else (*files, self.model_file), skipped)

    def _targets(self, folder: Path) -> Iterator[Path]:
        yield folder / f"variant.{self.form}"
        yield folder / "report.json"
        yield folder / "report.txt"
        if self.plots or (self.plots is None and is_installed("pictures")):
            yield folder / "plots.png"
        if self.video:
            yield folder / "side_by_side.mp4"


def write_each(performance: VariantsPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write each variant to a file of its own beside the path, by its name."""
    files = {path.with_name(f"{name}{path.suffix}"): motion for name, motion in performance.motions.items()}
    for number, (file, motion) in enumerate(files.items()):
        say("writing variants", number / len(files))
        write_motion(file, motion)
    return Delivery(tuple(files))


def write_json(performance: VariantsPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write the report for machines."""
    path.write_text(json.dumps(performance.to_json(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    return Delivery((path,))


def write_text(performance: VariantsPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write the report for people."""
    lines = [performance.describe(), *(f"note: {note}" for note in performance.notes)]
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Delivery((path,))
