"""Tasks of the kind "variation": a model that learns from similar motions, and new motions that it makes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, partial
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal

from pydantic import Field

from gambol.bake.kinds.kind import Each, Summary, Tasks, number_or_none, seed_label
from gambol.bake.kinds.sources import Sources, relative_to
from gambol.bake.kinds.variants import MODEL, VARIANTS, bounds_of, write_variants
from gambol.bake.task import Scalar, Task
from gambol.errors import InvalidInput
from gambol.files.formats import ReadOptions
from gambol.files.units import AUTO, METRES
from gambol.variation.cuts import Cut, are_cyclic, parse_cut, read_examples
from gambol.variation.examples import FEWEST, RATE_HZ, gather
from gambol.variation.model import MOST_AMOUNT, Variant, VariationModel, learn
from gambol.variation.report import report_on

LINES = "\n"  # separates the texts of one setting
KEPT = 4  # >= 1: models that each worker keeps; larger: more memory
Preset = Literal["registered", "stable", "paper"]
SEED_STEP = 1_000_003  # from the seeds of one task's variants to those of the next seed's


class VariationTasks(Tasks):
    """Similar motions times presets and amounts, as by `gambol vary`; each seed makes other variants."""

    SWEPT: ClassVar = (
        "preset", "amount", "count", "cyclic", "stream_s", "constraints", "rate_hz", "unit", "true_rate_hz", "t_pose",
    )  # fmt: skip
    SUFFIXES: ClassVar = (MODEL, *VARIANTS)

    clips: list[str] = Field(min_length=1)
    """Similar motions: files, patterns, or cuts of files as FILE@first-last,first-last with frames of the file."""
    preset: Each[Preset] = "registered"
    """How the model learns."""
    amount: Each[Annotated[float, Field(ge=0.0, le=MOST_AMOUNT)]] = 1.0
    """Amount of variation: 0 is the mean motion, 1 varies as the clips do."""
    count: Annotated[int, Field(ge=1, le=10_000)] = 15
    """Number of variants that a task makes."""
    cyclic: bool | None = None
    """Whether each clip ends where another may begin; by default, whether they look so."""
    stream_s: Annotated[float, Field(gt=0.0)] | None = None
    """Duration of each variant in seconds, as a stream of new cycles; by default a variant is one motion."""
    constraints: bool = True
    """Whether planted feet and hands stay where they are."""
    hold: list[str] = Field(default_factory=list)
    """Joints that move as in one of the clips, while the others vary with them."""
    rate_hz: Annotated[float, Field(gt=0.0, le=1000.0)] = RATE_HZ
    """Frames a second of the model and its motions."""
    unit: str | None = None
    """Unit of the files: auto, m, cm, mm, inch or cmu."""
    true_rate_hz: Annotated[float, Field(gt=0.0)] | None = None
    """The true rate, if the files state a wrong one."""
    t_pose: Literal["auto", "drop", "keep"] | None = None
    """What happens to a first frame that may be a T-pose."""
    write: list[str] = Field(default_factory=lambda: ["variation"])
    """The model ("variation") and the variants: "bvh" and "glb" a file each, USD all side by side."""

    def tasks(self, sources: Sources) -> Iterator[Task]:
        write, seeds = self.suffixes(sources), self.seeded(sources)
        cuts = self._cuts(sources)
        if self.unit is not None and self.unit not in (AUTO, *METRES):
            sources.wrong(f"no unit {self.unit!r}; there are: {', '.join((AUTO, *METRES))}", "unit")
        if sources.found_mistakes:
            return
        with sources.about("clips"):
            paths = list(dict.fromkeys(cut.path for cut in cuts))
            reading = partial(read_examples, cuts, options=self._options(), rate_hz=self.rate_hz)
            examples, inputs, root = sources.gathered.read(reading, *paths)
            if len(examples.items) < FEWEST:
                raise InvalidInput(f"one clip alone does not show how clips vary; name at least {FEWEST}")
            gathered = gather(examples.items, cyclic=bool(self.cyclic))
            with sources.about("hold"):
                gathered.encoding.of_joints(self.hold)
            if self.stream_s is not None and not self._is_cyclic(examples.items):
                raise InvalidInput(
                    "a stream needs clips that end where the next may begin; if they do, say: cyclic = true"
                )
            listed = LINES.join(_cut_text(relative_to(root, cut.path) or "", cut) for cut in cuts)
            fixed: dict[str, Scalar] = {"clips": listed, "hold": LINES.join(self.hold)}
            source = cuts[0].path.stem
            for settings, told in self.combinations():
                for seed in seeds:
                    label = seed_label(f"{self.called(source, ())}{told}", seed)
                    yield Task(self.kind, label, source, {**settings, "seed": seed, **fixed}, write, inputs)

    def _cuts(self, sources: Sources) -> list[Cut]:
        found: list[Cut] = []
        for number, text in enumerate(self.clips):
            with sources.about("clips", number):
                cut = Cut(Path(text)) if (sources.beside / text).exists() else parse_cut(text)
                found += [cut._replace(path=path) for path in sources.named(str(cut.path))]
        return found

    def _options(self) -> ReadOptions:
        return _options(self.unit, self.true_rate_hz, self.t_pose)

    def _is_cyclic(self, items: Sequence[Any]) -> bool:
        return are_cyclic(items) if self.cyclic is None else self.cyclic


def bake_variation(task: Task, inputs: Path, folder: Path) -> Summary:
    settings = task.settings
    model = _learned(
        inputs, str(settings["clips"]), str(settings["preset"]), settings["cyclic"], str(settings["hold"]),
        settings["rate_hz"], settings["unit"], settings["true_rate_hz"], settings["t_pose"],
    )  # fmt: skip
    variants = _variants(model, task)
    write_variants(model, variants, folder / task.source, task.write)
    report = report_on(model, variants, amount=float(settings["amount"] or 0.0))
    repeats = report.repeats
    return {
        "outcome": "learned",
        "clean": None if repeats is None else repeats.repeats == 0,
        **report.as_dict(),
        "count": len(variants),
        "duration_s": max(variant.motion.duration_s for variant in variants),
        "bounds_m": bounds_of(variants),
        "skipped": [],
    }


@lru_cache(maxsize=KEPT)
def _learned(
    inputs: Path, clips: str, preset: str, cyclic: Scalar, hold: str,
    rate_hz: Scalar, unit: Scalar, true_rate_hz: Scalar, t_pose: Scalar,
) -> VariationModel:  # fmt: skip
    """Learn a model once for all tasks that make its variants."""
    cuts = [parse_cut(str(inputs / clip)) for clip in clips.split(LINES)]
    options = _options(unit, true_rate_hz, t_pose)
    items = read_examples(cuts, options=options, rate_hz=float(rate_hz or RATE_HZ)).items
    cycles = are_cyclic(items) if cyclic is None else bool(cyclic)
    return learn(gather(items, cyclic=cycles), preset=preset, held=[one for one in hold.split(LINES) if one])


def _variants(model: VariationModel, task: Task) -> list[Variant]:
    settings = task.settings
    amount, constrain = float(settings["amount"] or 0.0), bool(settings["constraints"])
    stream_s, first = number_or_none(settings["stream_s"]), int(settings["seed"] or 0) * SEED_STEP
    seeds = range(first, first + int(settings["count"] or 1))
    return model.samples(seeds, amount=amount, constrain=constrain, stream_s=stream_s)


def _options(unit: Scalar, true_rate_hz: Scalar, t_pose: Scalar) -> ReadOptions:
    return ReadOptions(
        unit=None if unit is None else str(unit),
        rate_hz=number_or_none(true_rate_hz),
        t_pose=None if t_pose is None else str(t_pose),
    )


def _cut_text(name: str, cut: Cut) -> str:
    ranges = ",".join(f"{first}-{last}" for first, last in cut.ranges)
    return f"{name}@{ranges}" if ranges else name
