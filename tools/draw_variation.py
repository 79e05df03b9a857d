"""Draw what docs/variation.md shows of captured motions and their variants; needs GAMBOL_MOCAP.

python tools/draw_variation.py [walk|jump|stroke|jack|network|screening|film …]
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np
from evidence.noise import NOISES, adjusted_noise

from gambol.files.formats import ReadOptions
from gambol.motion.motion import Motion
from gambol.pictures.variation_graph import correlation_graph
from gambol.pictures.variation_plots import screening_plot, variation_plots
from gambol.pictures.variation_poses import overlaid_poses
from gambol.pictures.variation_video import side_by_side
from gambol.variation.cuts import parse_cut, read_examples
from gambol.variation.examples import Example, gather
from gambol.variation.measures.distances import change_of
from gambol.variation.model import VariationModel, learn
from gambol.variation.report import report_on
from gambol.variation.screening import screen

PICTURES = Path(__file__).parent.parent / "docs" / "pictures" / "variation"
COUNT = 15
FILMED = 4
#: Four examples each, by kind, and whether they are cycles.
KINDS: dict[str, tuple[tuple[str, ...], bool]] = {
    "walk": (("var_walk/35_04.bvh@93-227,227-361", "var_walk/35_05.bvh@71-211,211-345"), True),
    "jump": (
        ("var_jump/118_12.bvh@270-459", "var_jump/118_13.bvh@257-452", "var_jump/118_15.bvh@265-455",
         "var_jump/118_16.bvh@280-475"), False,
    ),
    "stroke": (("var_swim_breast/126_04.bvh@541-727,727-924,924-1115,1115-1323",), True),
    "jack": (("var_jumpingjack/23_15.bvh@162-307,307-468", "var_jumpingjack/23_16.bvh@115-252,252-390"), True),
}  # fmt: skip
#: Not learned from, and varied by what the others taught.
ONE_JUMP = "var_jump/118_25.bvh@171-367"
#: Straight walks of one person, and cycles of its other walks, some of which turn [L09 figures 5.8, 5.9].
STRAIGHT = (
    "walk_forward/16_21.bvh@40-157,157-272", "walk_forward/16_22.bvh@57-170,170-287", "walk_turn/16_23.bvh@141-251",
    "walk_turn/16_24.bvh@139-254", "walk_turn/16_25.bvh@107-217", "walk_turn/16_26.bvh@128-239",
)  # fmt: skip
KNOWN, OTHERS = (0, 1, 2, 4, 6, 7), (3, 5)  # of these; two cycles of a take are alike
VEERING = ("walk_turn/16_23.bvh@39-141", "walk_turn/16_24.bvh@33-139", "walk_turn/16_26.bvh@16-128")


def read(*cuts: str) -> list[Example]:
    folder = Path(os.environ["GAMBOL_MOCAP"])
    options = ReadOptions(unit="cmu")
    return list(read_examples([parse_cut(str(folder / cut)) for cut in cuts], options=options).items)


@cache
def model(kind: str, preset: str = "registered") -> VariationModel:
    cuts, cyclic = KINDS[kind]
    return learn(gather(read(*cuts), cyclic=cyclic), preset=preset)


@cache
def variants(kind: str) -> list[Motion]:
    return [model(kind).sample(seed).motion for seed in range(COUNT)]


def inputs(kind: str) -> list[Motion]:
    return [item.motion for item in model(kind).examples.items]


def draw_kind(kind: str) -> None:
    """Overlaid poses of each kind; of walks and jumps also the plots."""
    rows = [(f"{len(inputs(kind))} inputs", inputs(kind)), (f"{COUNT} variants", variants(kind))]
    overlaid_poses(PICTURES / f"{kind}_poses.png", rows)
    print(kind, report_on(model(kind), [model(kind).sample(seed) for seed in range(COUNT)]).describe(), sep="\n")
    examples = model(kind).examples
    if kind in ("walk", "jump"):
        new = [examples.encoding.encode(motion) for motion in variants(kind)]
        variation_plots(PICTURES / f"{kind}_plots.png", examples.encoding, examples.values, new)
    if kind == "walk":
        correlation_graph(PICTURES / "walk_graph.png", model(kind))
    if kind == "jump":
        (one,) = read(ONE_JUMP)
        made = [model(kind).sample_of(one, seed).motion for seed in range(FILMED)]
        overlaid_poses(
            PICTURES / "one_jump_poses.png", [("one jump", [one.motion]), (f"{FILMED} variants of it", made)]
        )


def draw_network() -> None:
    """What the thesis's network has found in walks."""
    correlation_graph(PICTURES / "walk_network.png", model("walk", "stable"))


def draw_screening() -> None:
    """Walks that turn, judged by walks that do not."""
    straight, veering = read(*STRAIGHT), read(*VEERING)
    found = screen([straight[n] for n in KNOWN], [*(straight[n] for n in OTHERS), *veering], cyclic=True)
    print(found.describe())
    screening_plot(PICTURES / "screening.png", found)


def draw_film() -> None:
    """Inputs, variants and both noises at the same amount of change."""
    rows = {"inputs": inputs("walk"), "variants": variants("walk")[:FILMED]}
    wanted = change_of(model("walk").examples, variants("walk"))
    for kind in NOISES:
        made = []
        for seed in range(FILMED):
            rng = np.random.default_rng(seed)
            drawn = adjusted_noise(model("walk").examples, kind, "all joints", rng, wanted=wanted)
            made.append(model("walk").finish(drawn, constrain=False).motion)
        rows[f"{kind} noise"] = made
    side_by_side(PICTURES / "side_by_side.mp4", rows)


DRAWN: dict[str, Callable[[], None]] = {
    **{kind: (lambda kind=kind: draw_kind(kind)) for kind in KINDS},
    "screening": draw_screening,
    "film": draw_film,
    "network": draw_network,
}


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    for name in sys.argv[1:] or DRAWN:
        DRAWN[name]()


if __name__ == "__main__":
    main()
