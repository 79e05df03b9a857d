"""Write the results of `gambol vary`: variants, a report and pictures, all of them or none."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any, NamedTuple

from gambol.cli.progress import Say
from gambol.cli.targets import check_writable
from gambol.errors import InvalidInput, UnreadableFile
from gambol.extras import check_suffix
from gambol.files.formats import write_motion
from gambol.motion.motion import Motion
from gambol.variation.examples import Example
from gambol.variation.file import SUFFIX, write_model
from gambol.variation.model import Variant, VariationModel
from gambol.variation.report import VariationReport
from gambol.variation.screening import Screening

FORMS = ("bvh", "glb", "usda", "usdc")
REPORT = "report"
MOST_FILMED = 4  # motions, >= 1: the most inputs, and the most variants, in a video


class Made(NamedTuple):
    """The learned model and everything made with it."""

    model: VariationModel
    variants: tuple[Variant, ...]
    report: VariationReport
    screening: Screening | None
    source: Example | None  # the clip whose variants these are
    notes: tuple[str, ...]

    def as_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        screening = None if self.screening is None else self.screening.as_dict()
        source = None if self.source is None else self.source.name
        return {**self.report.as_dict(), "of": source, "screening": screening, "notes": list(self.notes)}

    def describe(self) -> str:
        """Return lines of text."""
        lines = [] if self.screening is None else [self.screening.describe()]
        if self.source is not None:
            lines.append(f"variants of {self.source.name}, by what the inputs taught")
        return "\n".join([*lines, self.report.describe()])

    def shown(self) -> dict[str, list[Motion]]:
        """Return the motions to show, by their captions."""
        items = self.model.examples.items if self.source is None else (self.source,)
        old = _count(len(items), "input") if self.source is None else self.source.name
        motions = [variant.motion for variant in self.variants]
        return {old: [item.motion for item in items], _count(len(motions), "variant"): motions}


def check_targets(out: Path, form: str, model_file: Path | None) -> None:
    """Raise an error if the targets cannot be written, before anything is learned."""
    if form.lstrip(".") not in FORMS:
        raise InvalidInput(f"--format must be one of {', '.join(FORMS)}, not {form!r}")
    check_suffix(f".{form.lstrip('.')}")
    if out.exists() and not out.is_dir():
        raise UnreadableFile("this is a file; a folder is needed to write to", path=out)
    check_writable(out)
    if model_file is None:
        return
    if model_file.suffix.lower() != SUFFIX:
        raise InvalidInput(f"{model_file}: a model is a {SUFFIX} file")
    if model_file.is_dir():
        raise UnreadableFile("this is a folder; a file is needed to save the model to", path=model_file)
    check_writable(model_file.parent)


def deliver(
    made: Made, out: Path, *, form: str, model_file: Path | None, plots: bool, video: bool, say: Say
) -> list[Path]:
    """Write everything beside the folder, and move it into the folder when all is done."""
    nearest = next(folder for folder in (out, *out.resolve().parents) if folder.is_dir())
    try:
        with tempfile.TemporaryDirectory(prefix=".gambol-", dir=nearest) as folder:
            written = _write(made, Path(folder), form.lstrip("."), plots=plots, video=video, say=say)
            if model_file is not None:
                say("saving the model", 0.0)
                write_model(model_file, made.model)
            out.mkdir(parents=True, exist_ok=True)
            files = [path.replace(out / path.name) for path in written]
    except OSError as error:
        raise UnreadableFile(f"cannot write: {error.strerror or error}", path=out) from error
    return files if model_file is None else [*files, model_file]


def _write(made: Made, folder: Path, form: str, *, plots: bool, video: bool, say: Say) -> list[Path]:
    files = []
    for number, variant in enumerate(made.variants):
        say("writing variants", number / len(made.variants))
        files.append(folder / f"variant_{variant.seed:03d}.{form}")
        write_motion(files[-1], variant.motion)
    files += _reports(made, folder)
    if plots:
        files += _pictures(made, folder, say)
    if video:
        from gambol.pictures.variation_video import side_by_side

        files.append(folder / "side_by_side.mp4")
        rows = {words: motions[:MOST_FILMED] for words, motions in made.shown().items()}
        side_by_side(files[-1], rows, progress=lambda share: say("filming", share))
    return files


def _reports(made: Made, folder: Path) -> list[Path]:
    as_json, as_text = folder / f"{REPORT}.json", folder / f"{REPORT}.txt"
    as_json.write_text(json.dumps(made.as_dict(), ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    lines = [made.describe(), *(f"note: {note}" for note in made.notes)]
    as_text.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return [as_json, as_text]


def _pictures(made: Made, folder: Path, say: Say) -> list[Path]:
    from gambol.pictures.variation_graph import correlation_graph
    from gambol.pictures.variation_plots import screening_plot, variation_plots
    from gambol.pictures.variation_poses import overlaid_poses

    examples = made.model.examples
    plots, poses, graph = (folder / f"{name}.png" for name in ("plots", "poses", "graph"))
    say("drawing plots", 0.0)
    new = [examples.encoding.encode(variant.motion) for variant in made.variants]
    variation_plots(plots, examples.encoding, examples.values, new)
    say("drawing poses", 0.0)
    overlaid_poses(poses, list(made.shown().items()))
    say("drawing what goes together", 0.0)
    correlation_graph(graph, made.model)
    if made.screening is None:
        return [plots, poses, graph]
    tested = folder / "screening.png"
    screening_plot(tested, made.screening)
    return [plots, poses, graph, tested]


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"
