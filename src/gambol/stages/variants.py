"""From a few similar clips to variants: read the clips, test them, learn how they vary, make new motions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from gambol.deliver.registry import Delivery
from gambol.deliver.variants import KIND, VariantFiles
from gambol.errors import InvalidInput
from gambol.files.formats import ReadOptions
from gambol.motion.motion import Motion
from gambol.motion.skeleton import same_bones
from gambol.stages.performance import Progress, silent
from gambol.variation.cuts import are_cyclic, parse_cut, read_examples
from gambol.variation.examples import FEWEST, RATE_HZ, Example, gather
from gambol.variation.file import SUFFIX, read_model
from gambol.variation.model import DEFAULT_PRESET, Variant, VariationModel, checked_amount, learn
from gambol.variation.report import VariationReport, report_on
from gambol.variation.screening import Screening, screen

USUAL = 4  # clips: "the smallest number that gives good results" [L09 5.6.1]
MOST_VARIANTS = 10_000
FASTEST_HZ = 1000.0
_TAKEN_AS_CYCLES = "the clips end as they begin: taken as cycles (--not-cyclic if they are none)"
_NOT_TAKEN_AS_CYCLES = "the clips end otherwise than they begin: not taken as cycles (--cyclic if they are)"


@dataclass(frozen=True, eq=False)
class VariantsPerformance:
    """Variants, the model that made them, and a report; no model and no variants where too few clips fit."""

    model: VariationModel | None
    variants: tuple[Variant, ...] = ()
    report: VariationReport | None = None
    screening: Screening | None = None  # None: the clips were not tested
    source: Example | None = None  # the clip whose variants these are; None: they are like all clips
    notes: tuple[str, ...] = ()
    kind = KIND

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(f"variant_{variant.seed:03d}" for variant in self.variants)

    @property
    def motions(self) -> dict[str, Motion]:
        return dict(zip(self.names, (variant.motion for variant in self.variants), strict=True))

    @property
    def is_clean(self) -> bool:
        """Whether enough clips fit to learn from them."""
        return self.model is not None

    def to_json(self) -> dict[str, Any]:
        """Return what `--json` prints, without files."""
        screening = None if self.screening is None else self.screening.as_dict()
        if self.report is None:
            return {"screening": screening}
        source = None if self.source is None else self.source.name
        return {**self.report.as_dict(), "of": source, "screening": screening, "notes": list(self.notes)}

    def describe(self) -> str:
        """Return lines of text."""
        lines = [] if self.screening is None else [self.screening.describe()]
        if self.report is None:
            return "\n".join([*lines, f"too few to learn from: at least {FEWEST} needed"])
        if self.source is not None:
            lines.append(f"variants of {self.source.name}, by what the inputs taught")
        return "\n".join([*lines, self.report.describe()])

    def save(
        self,
        folder: Path | str,
        *,
        form: str = "bvh",
        model_file: Path | str | None = None,
        plots: bool | None = None,
        video: bool = False,
        progress: Progress | None = None,
    ) -> Delivery:
        """Write variants, reports and pictures into a folder, all or none; see `VariantFiles`."""
        model_file = None if model_file is None else Path(model_file)
        return VariantFiles(Path(folder), form, model_file, plots, video).write(self, progress or silent)


@dataclass(frozen=True)
class VaryStage:
    """Learn how a few similar clips vary, and make variants.

    A clip is text: FILE, or FILE@first-last,first-last with frames counted as in the file.

    count: of variants; 1 to 10,000.
    amount: of variation; 0 is the mean motion, 1 varies as the clips do, at most 3.
    seed: of the first variant; the others have the following seeds.
    preset: how to learn; see `learn`.
    cyclic: whether each clip ends where another may begin; None: whether they look so.
    stream_s: make each variant a stream of new cycles of this length.
    of: make variants of this one clip, with what was learned from the others.
    constrain: keep planted feet and hands in place.
    held: joints that move as in one of the clips, while the others vary.
    known: clips that are known to fit, 4 or more; clips to learn from that do not fit these are left out.
    rate_hz: frames a second of learning and of the variants; more than 0, at most 1000.
    options: how the files are read.

    >>> VaryStage(count=3).run(["walk.bvh@58-193,193-328"]).save("walks")
    """

    count: int = 15
    amount: float = 1.0
    seed: int = 0
    preset: str = DEFAULT_PRESET
    cyclic: bool | None = None
    stream_s: float | None = None
    of: str | None = None
    constrain: bool = True
    held: Sequence[str] = ()
    known: Sequence[str] = ()
    rate_hz: float = RATE_HZ
    options: ReadOptions = field(default_factory=ReadOptions)
    kind = KIND

    def __post_init__(self) -> None:
        if not 1 <= self.count <= MOST_VARIANTS:
            raise InvalidInput(f"a number of variants from 1 to {MOST_VARIANTS:,} expected, not {self.count}")
        if not 0.0 < self.rate_hz <= FASTEST_HZ:
            raise InvalidInput(f"a rate of more than 0 and at most {FASTEST_HZ:g} Hz expected, not {self.rate_hz:g}")
        checked_amount(self.amount)
        if self.stream_s is not None and self.of is not None:
            raise InvalidInput("a stream is of new cycles, not of one clip: leave out either of them")

    def run(self, clips: Sequence[str], say: Progress = silent) -> VariantsPerformance:
        """Make variants from clips, or from one model that was written (.variation).

        Where a test by `known` leaves too few clips, the result says so and has no variants.
        """
        notes: list[str] = []
        if is_model(clips):
            self._check_learned_already()
            model, screening = read_model(clips[0]), None
            source = self._source(model.examples.rate_hz, say, notes)
            self._check_wanted(source, model.examples.cyclic, model.examples.items)
        else:
            source = self._source(self.rate_hz, say, notes)
            items, screening = self._fitting(clips, say, notes)
            if screening is not None and len(items) < FEWEST:
                return VariantsPerformance(None, screening=screening, source=source, notes=tuple(notes))
            model = self._learned(items, source, say, notes)
        variants = model.samples(
            range(self.seed, self.seed + self.count),
            amount=self.amount,
            constrain=self.constrain,
            stream_s=self.stream_s,
            of=source,
            progress=say,
        )
        report = report_on(model, variants, amount=self.amount)
        return VariantsPerformance(model, tuple(variants), report, screening, source, tuple(notes))

    def _check_learned_already(self) -> None:
        """Raise where a model is told how to learn."""
        learns_alike = self.preset == DEFAULT_PRESET and self.cyclic is None and self.rate_hz == RATE_HZ
        if self.known or self.held or not learns_alike:
            raise InvalidInput(
                "known clips, held joints, preset, cyclic and rate are about what is learned; a model has learned "
                "already"
            )

    def _source(self, rate_hz: float, say: Progress, notes: list[str]) -> Example | None:
        if self.of is None:
            return None
        items = self._read([self.of], rate_hz, say, notes)
        if len(items) > 1:
            raise InvalidInput(
                f"variants are of one clip, not of {len(items)}: {', '.join(item.name for item in items)}"
            )
        return items[0]

    def _fitting(self, clips: Sequence[str], say: Progress, notes: list[str]) -> tuple[list[Example], Screening | None]:
        """Read the clips; if some others are known to fit, keep only those that fit these."""
        items = self._read(clips, self.rate_hz, say, notes)
        if not self.known:
            return items, None
        known = self._read(self.known, self.rate_hz, say, notes)
        screening = screen(known, items, seed=self.seed, progress=say)
        return [items[index] for index in screening.kept], screening

    def _read(self, clips: Sequence[str], rate_hz: float, say: Progress, notes: list[str]) -> list[Example]:
        found = read_examples([parse_cut(clip) for clip in clips], options=self.options, rate_hz=rate_hz, say=say)
        notes += found.notes
        return list(found.items)

    def _learned(self, items: list[Example], source: Example | None, say: Progress, notes: list[str]) -> VariationModel:
        if len(items) < FEWEST:
            raise InvalidInput(
                f"{len(items)} clip alone does not say how it varies; name at least {FEWEST}, or a model that learned "
                "from others, and this clip as the one to vary (--of)"
            )
        cyclic = are_cyclic(items) if self.cyclic is None else self.cyclic
        if self.cyclic is None:
            notes.append(_TAKEN_AS_CYCLES if cyclic else _NOT_TAKEN_AS_CYCLES)
        self._check_wanted(source, cyclic, items)
        if len(items) < USUAL:
            notes.append(f"{len(items)} clips say little about how they vary; {USUAL} are usual")
        examples = gather(items, cyclic=cyclic)
        return learn(examples, preset=self.preset, seed=self.seed, held=self.held, progress=say)

    def _check_wanted(self, source: Example | None, cyclic: bool, items: Sequence[Example]) -> None:
        """Raise before anything is learned from which what is wanted cannot be made."""
        if source is not None and not same_bones(source.motion.skeleton, items[0].motion.skeleton):
            raise InvalidInput(
                f"{source.name} has other bones than {items[0].name}: variants are of a clip of the same skeleton"
            )
        if self.stream_s is not None and not cyclic:
            raise InvalidInput(
                "a stream needs cyclic examples: each has to end where the next may begin; where they do, learn with "
                "--cyclic"
            )


def is_model(clips: Sequence[str]) -> bool:
    """Tell whether the clips are one model: a file that is no motion's by its name."""
    if not any(Path(clip).suffix.lower() == SUFFIX for clip in clips):
        return False
    if len(clips) > 1:
        raise InvalidInput(f"a model ({SUFFIX}) stands for all clips that it was learned from: name it alone")
    return True
