"""L09 section 5.6.4 and figure 5.7: walks with noise on some joints, against variants, told from unseen walks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from evidence.noise import NOISES, PARTS, NoiseKind, adjusted_noise, part_of
from evidence.reproductions.claim import claim
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.variation_inputs import FOUR, inputs_of, said_of
from evidence.reproductions.variation_tables import (
    PAPER,
    STABLE,
    VARIANTS,
    correlation,
    learned,
    setting_table,
    variants_of,
)
from gambol.errors import InvalidInput
from gambol.motion import Motion
from gambol.pictures import Color, draw_overlaid_poses
from gambol.variation import DEFAULT_PRESET, Change, Drawn, Encoding, VariationModel, change, change_of, learn, shape

FloatArray = NDArray[np.float64]
NAME = "l09-noise"
TITLE = "L09 section 5.6.4: variants against noise"
TOLD, CHANGES = "told from unseen walks (area under the curve)", "size of the change"
NOISE_NAMES: dict[NoiseKind, str] = {"naive": "naive noise", "perlin": "Perlin noise"}
MEASURES = ("likelihood", "roughness", "in step")
REAL = "real walks"
TRIES = 50
BLUE, MAGENTA = (0.36, 0.52, 0.78), (0.85, 0.20, 0.62)
PHASES = (0.1, 0.35, 0.6, 0.85)
WIDTH_PX, QUICK_WIDTH_PX = 1400, 560


class Noisy(NamedTuple):
    """A motion with noise, what it was before, and by how much it changed."""

    motion: Motion
    source: Motion
    change: float  # m², of joints as seen from the root


class Judge(NamedTuple):
    """Walks that no motion was made from: some to judge by, some to be told from."""

    model: VariationModel
    encoding: Encoding
    real: list[Motion]

    def numbers(self, motion: Motion, part: str) -> tuple[float, float, float]:
        """Return how unlikely a part of the body is, how rough, and how far from being in step with its partner."""
        values = self.encoding.encode(motion)
        among = part_of(self.encoding, part)
        rough = np.diff(values[:, among] / self.encoding.spread[among], n=2, axis=0)
        step = self._step(values, part)
        usual = np.mean([self._step(known, part) for known in self.model.examples.values])
        unlikely = -self.model.sampler.log_likelihood(values, among=among)
        return unlikely, float(np.sqrt(np.mean(rough**2))), abs(step - float(usual))

    def _step(self, values: FloatArray, part: str) -> float:
        """Return how a limb's widest number correlates with the other side's."""
        limb = "Arm" if part != "right leg" else "UpLeg"
        columns = [self._widest(f"{side}{limb}") for side in ("Left", "Right")]
        return correlation(values[:, columns])

    def _widest(self, joint: str) -> int:
        own = np.flatnonzero(self.encoding.of_joints([joint]))
        return int(own[self.encoding.spread[own].argmax()])


def run(quick: bool, say: Say) -> Result:
    """Make variants and noisy walks that change as much, and ask measures that have seen neither which is which."""
    walks = inputs_of("walk")
    model = learned(walks)
    count = 5 if quick else VARIANTS
    variants = [variant.motion for variant in variants_of(model)]
    wanted = change_of(model.examples, variants)
    noisy: dict[tuple[NoiseKind, str], list[Noisy]] = {}
    ways: list[tuple[NoiseKind, str]] = [(kind, part) for kind in NOISES for part in PARTS]
    for number, (kind, part) in enumerate(ways):
        say(f"{NOISE_NAMES[kind]}, {part}", number / len(ways))
        made = [_noisy(model, kind, part, seed, wanted) for seed in range(count)]
        noisy[kind, part] = [one for one in made if one is not None]
    judge = _judge()
    groups: dict[str, dict[str, Sequence[Motion]]] = {part: {} for part in PARTS}
    for part in PARTS:
        groups[part][DEFAULT_PRESET] = variants[:count]
        if not quick:
            for preset in (STABLE, PAPER):
                groups[part][preset] = [one.motion for one in variants_of(learned(walks, preset), count)]
        groups[part] |= {NOISE_NAMES[kind]: [one.motion for one in noisy[kind, part]] for kind in NOISES}
        groups[part] = {name: some for name, some in groups[part].items() if some}
    told = {part: {name: areas(judge, some, part) for name, some in groups[part].items()} for part in PARTS}
    pictures = {f"{NAME}.png": _picture(noisy, QUICK_WIDTH_PX if quick else WIDTH_PX)}
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            said_of(["walk"]),
            f"Four walks are learned from; {count} motions of each way (seeds 0 to {count - 1}). Noise is made as "
            f"large as {len(variants)} variants of `{DEFAULT_PRESET}` change on average, or one standard deviation "
            f"less. Measures know {FOUR} other walks; {len(judge.real)} further ones are what motions are told from.",
        ),
        tables=(_settings(model, variants, wanted), _change_table(noisy, wanted), _told_table(told)),
        differences=_differences(told),
        pictures=tuple(pictures),
    )
    return Result(report, pictures)


def _noisy(model: VariationModel, kind: NoiseKind, part: str, seed: int, wanted: Change) -> Noisy | None:
    """Return a walk with noise; none where none is large enough."""
    rng = np.random.default_rng(seed)
    for _ in range(TRIES):
        with suppress(InvalidInput):
            drawn: Drawn = adjusted_noise(model.examples, kind, part, rng, wanted=wanted)
            motion, source = (model.examples.encoding.decode(values) for values in (drawn.values, drawn.means))
            return Noisy(motion, source, change(shape(motion), shape(source)))
    return None


def _judge() -> Judge:
    walks = inputs_of("walk")
    others = list(walks.others[: 2 * FOUR])
    examples = walks.gathered(others[:FOUR])
    return Judge(learn(examples), examples.encoding, [item.motion for item in others[FOUR:]])


def areas(judge: Judge, made: Sequence[Motion], part: str) -> tuple[float, ...]:
    """Return for each measure how often a made motion is farther from what is usual than a real one: 0.5 is chance."""
    mine, real = (np.array([judge.numbers(motion, part) for motion in some]) for some in (made, judge.real))
    apart = mine[:, None] - real[None]
    return tuple(float(np.mean(np.heaviside(apart[..., at], 0.5))) for at in range(len(MEASURES)))


def best_of(found: Sequence[float]) -> float:
    """Return how well the best measure tells motions; who always lies nearer to the usual is told too."""
    return max(max(area, 1.0 - area) for area in found)


def _settings(model: VariationModel, variants: Sequence[Motion], wanted: Change) -> Table:
    encoding = model.examples.encoding
    joints = {part: len(set(encoding.joints[part_of(encoding, part)].tolist())) for part in PARTS[:2]}
    return setting_table([
        ("ways of adding noise", len(NOISES), "l09.c5.noise.methods"),
        ("walks that sizes of the naive noise are of", model.examples.count, "l09.c5.noise.inputs"),
        ("variants whose change is measured", len(variants), "l09.c5.noise.variants"),
        (f"standard deviations that the change may be off by ({1e4 * wanted.deviation:.2f} cm²)", 1,
         "l09.c5.noise.within"),
        ("joints of the left arm", joints["left arm"], "l09.c5.noise.joints"),
        ("joints of the right leg", joints["right leg"], "l09.c5.noise.joints.perlin"),
    ])  # fmt: skip


def _change_table(noisy: Mapping[tuple[NoiseKind, str], Sequence[Noisy]], wanted: Change) -> Table:
    rows = [row(DEFAULT_PRESET, [100.0 * wanted.rms_m, None, None])]
    for (kind, part), made in noisy.items():
        inside = sum(wanted.includes(one.change) for one in made)
        size = 100.0 * float(np.mean([one.change for one in made])) ** 0.5 if made else None
        rows.append(row(f"{NOISE_NAMES[kind]}, {part}", [size, inside, len(made)]))
    columns = ("change, cm", "within one deviation", "made")
    return Table(
        CHANGES, columns, tuple(rows), "Root mean square over joints and time, from the walk before the noise."
    )


def _told_table(told: Mapping[str, Mapping[str, Sequence[float]]]) -> Table:
    published = {
        ("left arm", NOISE_NAMES["naive"]): "l09.c5.noise.naive.looks",
        ("right leg", NOISE_NAMES["perlin"]): "l09.c5.noise.perlin.looks",
    }  # fmt: skip
    rows = []
    for part, ways in told.items():
        for name, found in ways.items():
            key = published.get((part, name))
            beside = [None, None, claim(key), None] if key else None
            rows.append(row(f"{part}: {name}", [*found, best_of(found)], beside))
    note = (
        "0.5: cannot be told from a walk that nobody learned from; 1: always. Likelihood: of the part's numbers, by "
        "four other walks. Roughness: second differences of the part's numbers. In step: how far the correlation with "
        "the other side's arm or leg is from the usual. Best: the farthest from 0.5, to either side."
    )
    return Table(TOLD, (*MEASURES, "best"), tuple(rows), note)


def _differences(told: Mapping[str, Mapping[str, Sequence[float]]]) -> tuple[str, ...]:
    said = []
    for part, ways in told.items():
        best = {name: best_of(found) for name, found in ways.items()}
        listed = ", ".join(f"{name} {value:.2f}" for name, value in best.items())
        noises = [value for name, value in best.items() if name in NOISE_NAMES.values()]
        if not noises:
            continue
        sign = "harder" if best[DEFAULT_PRESET] < min(noises) else "not harder"
        said.append(
            f"By {part if part == PARTS[-1] else f'the {part}'}, variants of `{DEFAULT_PRESET}` are {sign} to tell "
            f"from real walks than both noises: {listed}."
        )
    said.append(
        "The thesis shows two frames and says that they look unnatural; numbers are ours. Who is in step is told by "
        "one number of either side, so that noise on all joints may pass by it."
    )
    return tuple(said)


def _picture(noisy: Mapping[tuple[NoiseKind, str], Sequence[Noisy]], width_px: int) -> Picture:
    """Return walks before and after: naive noise on the left arm, Perlin noise on the right leg."""
    shown: list[tuple[NoiseKind, str]] = [("naive", "left arm"), ("perlin", "right leg")]
    rows = [
        (f"{NOISE_NAMES[kind]} on the {part}", [noisy[kind, part][0].source, noisy[kind, part][0].motion])
        for kind, part in shown
        if noisy[kind, part]
    ]
    return draw_overlaid_poses(rows, phases=PHASES, width_px=width_px, colors=_color)


def _color(number: int) -> Color:
    return MAGENTA if number else BLUE


ITEM = Item(NAME, "naive and Perlin noise on some joints of walks, against variants, told from unseen walks", run)
