"""C20's four scenes: planned, played and judged, beside what its own ways of playing do to the same plans."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from evidence.reproductions.claim import claim
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.naive_playback import (
    BLEND_S,
    engine_path,
    moved_to,
    planned_path,
    state_frames,
    straight_path,
)
from evidence.reproductions.played import Played, check_sentence, delivered_row, delivered_table, play
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.scene_drawing import MapPanel, draw_instants, draw_maps, shown_of, stacked
from gambol.body import Body
from gambol.characters import Character, clip_of
from gambol.judges import Performer, check_motions
from gambol.motion import Motion, slide_speeds
from gambol.scenes import load_scene

if TYPE_CHECKING:
    from matplotlib.axes import Axes

NAME = "c20-scenes"
SCENES = ("c20-static", "c20-moving", "c20-gate", "c20-mixed")
OURS, STRAIGHT, ENGINE = "as delivered", "straight between states", "moved by the clips' speeds"
PLAYBACK = "playback"
MEAN_SLIDE, MOST_SLIDE = "slide, mean cm/s", "slide, most cm/s"
BETWEEN, AT_STATES, COLLISIONS = "most off the plan, cm", "most off at a state, cm", "collisions"
COLUMNS = (MEAN_SLIDE, MOST_SLIDE, BETWEEN, AT_STATES, COLLISIONS)
WALKS = ("slow", "walk", "fast")
KINDS = (("stand",), WALKS, ("jog",), ("jump",))  # C20's four motions


@dataclass(frozen=True, eq=False)
class Playback:
    """One way of playing one plan."""

    label: str
    path: NDArray[np.float64]  # (F, 3) of the root
    slides: NDArray[np.float64]  # m/s of planted points, NaN where none are
    off_m: float  # the most that the root is off the planned way, at its time
    off_at_states_m: float  # the same, at the ends of states alone
    collisions: int


def run(quick: bool, say: Say) -> Result:
    """Play the four scenes, and their plans again in C20's manner."""
    played = [play(name, lambda name=name: load_scene(name), say) for name in SCENES]
    playbacks = {one.label: playbacks_of(one) for one in played}
    table = _playback_table(playbacks)
    seeds = sorted({one.performance.scene.seed for one in played})
    pictures = {f"{NAME}.png": _picture(played, playbacks)}
    return Result(
        Report(
            item=NAME,
            title="C20: four scenes, and how plans are played",
            quick=quick,
            setting=(
                f"The shipped scenes {', '.join(f'`{name}`' for name in SCENES)} (seed {', '.join(map(str, seeds))}) "
                "with the human's behaviors `c20`: walks at three speeds, jog and jump at 13 angles, stands, and clips "
                "that start, stop and change gait. C20's scenes are not described; these have what it names: "
                "rectangles that stand, move along the world's axes or their own, and can be jumped. Quick and full "
                "size are the same.",
                f"*{OURS.capitalize()}*: the motion of `gambol plan`. *{STRAIGHT.capitalize()}*: the same poses on a "
                "root that goes and turns evenly from state to state, as C20 plays plans. "
                f"*{ENGINE.capitalize()}*: the same poses on a root whose speed and turning are blended for "
                f"{BLEND_S:g} s after each change of clip, as a game engine does that moves the character itself; "
                "C20 tried that and gave it up. Both are our models of its two sentences, not its program.",
                "Slide is the speed of heels and toes along the ground while they are planted in the delivered motion; "
                "all three are measured at the same frames and points.",
            ),
            tables=(_delivered(played), table, _setting_table(played)),
            differences=(*(check_sentence(one) for one in played), *_differences(table)),
            pictures=tuple(pictures),
        ),
        pictures,
    )


def playbacks_of(played: Played) -> tuple[Playback, ...]:
    """Return the three ways of playing the plan of a scene with one character."""
    performance = played.performance
    plan, motion, contacts = performance.plans[0], performance.realized[0], performance.contacts[0]
    assert motion is not None, "C20's scenes have plans"
    assert contacts is not None, "what is delivered has contacts"
    planned, states = planned_path(plan, motion), state_frames(plan, motion)
    ways = {
        OURS: np.column_stack((motion.root_positions[:, :2], planned[:, 2])),
        STRAIGHT: straight_path(planned, states),
        ENGINE: engine_path(planned, states, motion.rate_hz),
    }
    results = []
    for label, way in ways.items():
        shown = motion if label == OURS else moved_to(motion, planned, way)
        off = np.linalg.norm(way[:, :2] - planned[:, :2], axis=1)
        results.append(
            Playback(label, way, slide_speeds(shown, contacts), float(off.max()), float(off[states].max()),
                     _collisions(played, shown))
        )  # fmt: skip
    return tuple(results)


def _collisions(played: Played, motion: Motion) -> int:
    performance = played.performance
    start_s = performance.plans[0].steps[0].frame / performance.plans[0].character.planning_rate_hz
    performer = Performer(performance.names[0], motion, Body.from_skeleton(motion.skeleton), start_s)
    return len(check_motions(performance.scene.world, [performer], from_s=0.0, resting=True).collisions)


def _numbers(ways: Sequence[Playback]) -> list[float]:
    slides = 100.0 * np.concatenate([way.slides.ravel() for way in ways])
    return [
        float(np.nanmean(slides)), float(np.nanmax(slides)), 100.0 * max(way.off_m for way in ways),
        100.0 * max(way.off_at_states_m for way in ways), sum(way.collisions for way in ways),
    ]  # fmt: skip


def _playback_table(playbacks: dict[str, tuple[Playback, ...]]) -> Table:
    rows = []
    beside = {
        OURS: [None, None, None, None, claim("c20.s2.collisions")],
        ENGINE: [None, None, None, claim("c20.s3.off_plan"), None],
    }
    for number, label in enumerate((OURS, STRAIGHT, ENGINE)):
        rows.append(
            row(f"all scenes, {label}", _numbers([ways[number] for ways in playbacks.values()]), beside.get(label))
        )
    for scene, ways in playbacks.items():
        rows += [row(f"{scene}, {way.label}", _numbers([way])) for way in ways]
    note = (
        "C20 says in words alone that feet slide when it interpolates, and that the character leaves its plan and "
        "runs into things when the engine moves it; it says that the former way is free of collisions for its disc, "
        "where ours are of the body's capsules. Off the plan is the distance of the root from where the plan has it at "
        "that time; as delivered it is that of interpolating the planned poses between planning frames. A straight "
        "root also slides where our clips start and stop, which C20 has no clips for: `c20-playback` has turning "
        "alone, in C20's own manner. There is room beside the way in these scenes, so that leaving the plan need not "
        "end in a collision; `c20-playback` has worlds with less."
    )
    return Table(PLAYBACK, COLUMNS, tuple(rows), note)


def _delivered(played: Sequence[Played]) -> Table:
    return delivered_table(tuple(delivered_row(one) for one in played), note="C20 has no times.")


def _setting_table(played: Sequence[Played]) -> Table:
    character = played[0].performance.plans[0].character
    names = {behavior.name for behavior in character.behaviors}
    angles = turns_of(names, "walk")
    speeds = {name: _speed(character, name) for name in WALKS if name in names}
    axes = {mover.name for one in played for mover in one.performance.scene.world.movers}
    rows = (
        row("scenes", [len(played)], [claim("c20.s2.scenes")]),
        row("motions", [sum(any(name in names for name in kind) for kind in KINDS)], [claim("c20.s0.motions")]),
        row("behaviors, angles and links counted", [len(names)]),
        row("angles of each moving one", [len(angles)], [claim("c20.s1.4.angles")]),
        row("degrees between angles", [int(np.diff(angles).min())], [claim("c20.s1.4.step")]),
        row("degrees of the greatest angle", [max(angles)], [claim("c20.s1.4.greatest")]),
        row("speeds of walking", [len(speeds)], [claim("c20.fig1.speeds")]),
        row(
            "slow walk, times the walk's speed", [speeds["slow"] / speeds["walk"]], [claim("c20.s1.4.slow")],
            note="Ours are gaits of their own and not one clip played slower or faster.",
        ),
        row(
            "fast walk, times the walk's speed", [speeds["fast"] / speeds["walk"]], [claim("c20.s1.4.fast")],
            note="Ours are gaits of their own and not one clip played slower or faster.",
        ),
        row("speed at which other clips are played, times their own", [1], [claim("c20.s1.4.default")]),
        *(
            row(f"cost of a {name}, times that of a walk", [_dearer(character, name)], [claim(f"c20.s1.3.{name}")],
                note=f"Of one clip, as in C20; a metre costs {_dearer(character, name, each_metre=True):.2f} times as "
                "much. Ours are metres, those of slow gaits counting more; C20 has its user set them.")
            for name in ("jog", "jump")
        ),
        row("states of the engine's own machine", ["none"], [claim("c20.s1.2.animator")],
            note="Plans are played by their own clips, blended where they meet."),
        row("axes along which obstacles move", [len(axes)], [claim("c20.s1.5.axes")],
            note="The world's x, its y, and their own x."),
        row("dimensions of planning", ["2, and heights"], [claim("c20.s1.4.dimensions")]),
    )  # fmt: skip
    return Table("setting", ("ours",), rows, "Which motions there are and what C20 says of its own.")


def turns_of(names: set[str], gait: str) -> list[int]:
    """Return the angles in degrees at which a gait can be played, straight ahead included, in order."""
    turned = [name for name in names if name.startswith((f"{gait}-left-", f"{gait}-right-"))]
    signed = [int(name.rsplit("-", 1)[1]) * (1 if "-left-" in name else -1) for name in turned]
    return sorted([*signed, *([0] if gait in names else [])])


def _speed(character: Character, name: str) -> float:
    clip = character.behavior(name).clips[0]
    return math.hypot(*clip.displacement[:2]) / clip.duration_s


def _dearer(character: Character, name: str, *, each_metre: bool = False) -> float:
    """Return what a clip of a behavior costs, or a metre of it, times what one of walking does."""

    def cost(which: str) -> float:
        behavior = character.behavior(which)
        lengths = [math.hypot(*clip.displacement[:2]) for clip in behavior.clips]
        return behavior.cost(character.cost_by) / (float(np.mean(lengths)) if each_metre else 1.0)

    return cost(name) / cost("walk")


def _differences(table: Table) -> tuple[str, ...]:
    def ours(label: str, column: str) -> float:
        value = table.entry(f"all scenes, {label}", column).ours
        assert isinstance(value, (int, float))
        return float(value)

    straight, engine = ours(STRAIGHT, MEAN_SLIDE), ours(ENGINE, AT_STATES)
    return (
        f"Planted feet slide {ours(OURS, MEAN_SLIDE):.2g} cm/s on average as delivered ({ours(OURS, MOST_SLIDE):.2g} "
        f"at most), and {straight:.1f} cm/s ({ours(STRAIGHT, MOST_SLIDE):.0f} at most) where the root goes straight "
        "from state to state.",
        f"The straight root keeps to the states and is up to {ours(STRAIGHT, BETWEEN):.0f} cm off the plan between "
        f"them; it has {ours(STRAIGHT, COLLISIONS):.0f} collisions.",
        f"Where speeds are blended instead, feet slide {ours(ENGINE, MEAN_SLIDE):.1f} cm/s on average, the states are "
        f"missed by up to {engine:.0f} cm and there are {ours(ENGINE, COLLISIONS):.0f} collisions in the four scenes; "
        f"as delivered there are {ours(OURS, COLLISIONS):.0f}, and the root is {ours(OURS, BETWEEN):.2g} cm off the "
        "plan at most. "
        "C20 takes this for a limit of planning with straight lines: here plans are made with the ways that the "
        "clips go.",
    )  # fmt: skip


def _picture(played: Sequence[Played], playbacks: dict[str, tuple[Playback, ...]]) -> Picture:
    static, moving, gate, mixed = (_panel(one, playbacks[one.label]) for one in played)
    plan = played[SCENES.index("c20-gate")].performance.plans[0]
    jump = next((step for step, name in zip(plan.steps, plan.behaviors, strict=True) if name.startswith("jump")), None)
    step = plan.steps[0] if jump is None else jump
    top_s = (step.frame + clip_of(plan.character, step).event) / plan.character.planning_rate_hz
    instants = [(top_s + aside_s, "c20-gate, a jump") for aside_s in (-0.35, 0.0, 0.35)]
    return stacked(
        [
            draw_instants(played[SCENES.index("c20-gate")].performance, instants, follow=(0, 2.0)),
            draw_maps([static, moving], across=2),
            draw_maps([gate], across=1),
            draw_maps([mixed], across=1),
        ]
    )


def _panel(played: Played, ways: tuple[Playback, ...]) -> MapPanel:
    def draw_ways(axes: Axes) -> None:
        for way, style, color in ((ways[1], "--", "black"), (ways[2], "-", "crimson")):
            axes.plot(way.path[:, 0], way.path[:, 1], style, color=color, linewidth=1.2, zorder=50)

    performance = played.performance
    title = f"{played.label}, red: {ENGINE}, dashed: {STRAIGHT}"
    return MapPanel(title, performance.scene.world, shown_of(performance), draw_more=draw_ways)


ITEM = Item(NAME, "four scenes of static and moving rectangles; slide and drift beside C20's ways of playing", run)
