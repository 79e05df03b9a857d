"""The built-in human's locomotion clips, each a declaration of a few numbers.

A clip's name says what it does; turns carry their angle in degrees.  Every function returns clips by name.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from math import ceil

from tools.authoring.authored import AuthoredClip
from tools.authoring.locomotion.gait import BACK, JOG, LABELS, LOOSE_JOG, TIGHT_JOG, Gait
from tools.authoring.locomotion.idle import IDLES, idle
from tools.authoring.locomotion.joined import joined
from tools.authoring.locomotion.locomote import locomote
from tools.authoring.locomotion.timeline import LEFT, RIGHT, Step, StepPlan

Clips = dict[str, AuthoredClip]

WALKS = ("slow", "walk", "fast")
JOG_TURNS = (15, 30, 50)
WALK_TURNS = (15, 30, 45)
SPOT_TURNS = (45, 90, 180)
SMALL_SPOT_TURN = 22
GO_TURNS = (30, 60)
WALK_START_TURNS = (30, 60, 90)
FAN = tuple(range(-90, 91, 15))  # degrees
#: How far a body turns within a single stride, and within each of several, in degrees.
SHARPEST = {"slow": (45.0, 45.0), "walk": (45.0, 45.0), "fast": (45.0, 30.0), "jog": (50.0, 30.0)}
#: Out of a stand, the right foot first: into a jog, and into a walk.
JOG_START_STEPS = (Step(RIGHT, -1.02, -0.5), Step(LEFT, -0.46, 0.0))
WALK_START_STEPS = (Step(RIGHT, -0.96, -0.5), Step(LEFT, -0.40, 0.0))


def all_clips() -> Clips:
    """Return every clip that the built-in human needs to get about, without `fan`, `small_moves`, `angled_starts`."""
    parts = (
        jogs(),
        short_jogs(),
        starts_and_stops(),
        stands(),
        turns_on_the_spot(),
        single_steps(),
        walks(),
        changes(),
    )
    return {name: clip for part in parts for name, clip in part.items()}


def jogs() -> Clips:
    """Return jogs of one stride: ahead in three manners, and three turns to either side."""
    plans = [_ahead("jog"), _ahead("jog", style=LOOSE_JOG), _ahead("jog", style=TIGHT_JOG)]
    return _made([*plans, *(_turn("jog", sign * angle) for angle in JOG_TURNS for sign in (1, -1))])


def short_jogs() -> Clips:
    """Return jogs of one step, from one foot's contact to the other's, and of one stride that is held back."""
    steps = [
        StepPlan(f"step-{begins}" + _angle_name(angle), f"jog-{begins}", f"jog-{ends}", 11, 0.5, turn_deg=angle)
        for begins, ends in (("left", "right"), ("right", "left"))
        for angle in (0, 5, -5)
    ]
    held_back = [
        StepPlan("short-jog" + _angle_name(angle), "jog-left", "jog-left", 23, 1.0, turn_deg=angle, slowing=0.3)
        for angle in (0, 10, -10)
    ]
    return _made([*steps, *held_back])


def starts_and_stops() -> Clips:
    """Return the ways from a stand into each gait and back, and a jog that stops, waits and goes on."""
    clips = _made(
        [
            StepPlan("start", "stand", "jog-left", 33, 1.44, changing=(0.12, 0.98), steps=JOG_START_STEPS),
            StepPlan("go", "stand", "jog-left", 30, 1.32, changing=(0.10, 0.97), steps=JOG_START_STEPS),
            StepPlan(
                "stop", "jog-left", "stand", 38, 1.64, changing=(0.03, 0.80), sink_m=0.08, sinking=(0.1, 0.85),
                steps=(Step(LEFT, JOG.stance, 0.90), Step(RIGHT, 0.97, 1.30)),
            ),
            StepPlan(
                "short-stop", "jog-left", "stand", 33, 1.3, changing=(0.05, 0.75), sink_m=0.07, sinking=(0.1, 0.9),
                steps=(Step(LEFT, JOG.stance, 0.90),),
            ),
            *(_walk_start(label) for label in WALKS),
            *(_walk_stop(label) for label in WALKS),
        ]
    )  # fmt: skip
    wait = stands()["stand"]
    return clips | {"stop-and-wait": joined("stop-and-wait", (clips["stop"], wait, clips["go"]))}


def stands() -> Clips:
    """Return loops of standing: breathing, swaying, looking about."""
    return {f"stand{name}": idle(f"stand{name}", minutiae) for name, minutiae in IDLES.items()}


def turns_on_the_spot() -> Clips:
    """Return turns from stand to stand, with steps of at most 60 degrees."""
    return _made(_spot_turn(sign * angle) for angle in SPOT_TURNS for sign in (1, -1))


def single_steps() -> Clips:
    """Return a step to either side and one stride back, from stand to stand."""
    sides = (("left", LEFT, RIGHT, 1.0), ("right", RIGHT, LEFT, -1.0))
    return _made(
        [
            *(
                StepPlan(
                    f"side-{name}", "stand", "stand", 35, 1.167, aside_m=0.35 * sign, changing=(0.15, 0.82),
                    steps=(Step(lead, -0.91, -0.59), Step(close, -0.54, -0.265)),
                )
                for name, lead, close, sign in sides
            ),
            StepPlan(
                "back", "stand", "stand", 52, 1.73, distance_m=-0.60, changing=(0.12, 0.82), style=BACK, sink_m=0.03,
                steps=(Step(LEFT, -1.45, -1.07), Step(RIGHT, -1.02, -0.60), Step(LEFT, -0.55, -0.23)),
            ),
        ]
    )  # fmt: skip


def small_moves() -> Clips:
    """Return what makes way in a press, from stand to stand: a step ahead, a short one, a small turn on the spot."""
    return _made(
        [
            StepPlan(
                "ahead", "stand", "stand", 37, 37 / 30, distance_m=0.45, changing=(0.10, 0.88), sink_m=0.02,
                steps=(Step(LEFT, -0.97, -0.60), Step(RIGHT, -0.57, -0.23)),
            ),
            StepPlan(
                "ahead-short", "stand", "stand", 32, 32 / 30, distance_m=0.25, changing=(0.10, 0.88), sink_m=0.01,
                steps=(Step(LEFT, -0.825, -0.55), Step(RIGHT, -0.525, -0.245)),
            ),
            *(_spot_turn(sign * SMALL_SPOT_TURN) for sign in (1, -1)),
        ]
    )  # fmt: skip


def angled_starts() -> Clips:
    """Return starts into a jog and into a walk that turn while they set out, to either side."""
    jogs = [_angled_go(sign * angle) for angle in GO_TURNS for sign in (1, -1)]
    walks = [_angled_walk_start(sign * angle) for angle in WALK_START_TURNS for sign in (1, -1)]
    return _made([*jogs, *walks])


def walks() -> Clips:
    """Return walks of one stride at three speeds: ahead and three turns to either side."""
    turns = [_turn(label, sign * angle) for label in WALKS for angle in WALK_TURNS for sign in (1, -1)]
    return _made([*(_ahead(label) for label in WALKS), *turns])


def changes() -> Clips:
    """Return what leads from one gait into another."""
    pairs = (("slow", "walk"), ("walk", "fast"))
    plans = [_change(a, b, 2.0) for one, other in pairs for a, b in ((one, other), (other, one))]
    return _made([*plans, _change("walk", "jog", 2.0), _change("jog", "walk", 2.0)])


def fan(label: str) -> Clips:
    """Return a gait ("slow", "walk", "fast", "jog") at 13 angles from -90 to 90 degrees."""
    return _made(_turn(label, angle) if angle != 0 else _ahead(label) for angle in FAN)


def _ahead(label: str, *, style: Gait | None = None) -> StepPlan:
    at = f"{label}-left"
    name = label if style is None else style.name.replace(" ", "-")
    return StepPlan(name, at, at, LABELS[at].gait.stride_frames // 2, 1.0, style=style)


def _turn(label: str, angle: float) -> StepPlan:
    """Turn within one stride up to what a body bears, and within more beyond."""
    at = f"{label}-left"
    gait = LABELS[at].gait
    within_one, each = SHARPEST[label]
    strides = 1 if abs(angle) <= within_one else ceil(abs(angle) / each)
    sharpness = abs(angle) / strides
    slowing = 0.004 * max(0.0, sharpness - 20.0)
    duration = round(strides * gait.stride_frames / 2 * (1.0 + slowing))
    return StepPlan(
        label + _angle_name(angle), at, at, duration, float(strides), turn_deg=float(angle), slowing=slowing,
        turning=(0.0, 0.95) if strides == 1 else (0.04, 0.88),
    )  # fmt: skip


def _angle_name(angle: float) -> str:
    return "" if angle == 0 else f"-{'left' if angle > 0 else 'right'}-{abs(angle):.0f}"


def _walk_start(label: str) -> StepPlan:
    at = f"{label}-left"
    stride = LABELS[at].gait.stride_frames / 2
    return StepPlan(
        f"start-{label}", "stand", at, round(1.45 * stride), 1.4, changing=(0.15, 0.93), steps=WALK_START_STEPS
    )


def _angled_go(angle: float) -> StepPlan:
    """Turn with both steps; in a wide turn only once a foot is on its way, so that the legs pass each other."""
    duration, turning = (31, (0.06, 0.92)) if abs(angle) <= 30 else (34, (0.18, 0.97))
    return StepPlan(
        "go" + _angle_name(angle), "stand", "jog-left", duration, 1.32, changing=(0.10, 0.97), turn_deg=float(angle),
        turning=turning, steps=JOG_START_STEPS,
    )  # fmt: skip


def _angled_walk_start(angle: float) -> StepPlan:
    """Turn with both steps, as far as a foot can be left behind; farther, the left foot first turns a little."""
    name = "start-walk" + _angle_name(angle)
    if abs(angle) > 60:
        return StepPlan(
            name, "stand", "walk-left", 61, 1.84, changing=(0.25, 0.95), turn_deg=float(angle), turning=(0.10, 0.92),
            steps=(Step(LEFT, -1.42, -1.04), *WALK_START_STEPS),
        )  # fmt: skip
    duration, turning = (48, (0.06, 0.92)) if abs(angle) <= 30 else (50, (0.22, 0.97))
    return StepPlan(
        name, "stand", "walk-left", duration, 1.4, changing=(0.15, 0.93), turn_deg=float(angle), turning=turning,
        steps=WALK_START_STEPS,
    )  # fmt: skip


def _walk_stop(label: str) -> StepPlan:
    gait = LABELS[f"{label}-left"].gait
    duration = round(1.25 * gait.stride_frames / 2)
    steps = (Step(RIGHT, gait.stance - 0.5, 0.5), Step(LEFT, gait.stance + 0.02, 1.02))
    return StepPlan(f"stop-{label}", f"{label}-left", "stand", duration, 1.3, changing=(0.02, 0.85), steps=steps)


def _spot_turn(angle: float) -> StepPlan:
    """Open with the inside foot, then follow with the other, until both stand side by side again."""
    count = {SMALL_SPOT_TURN: 2, 45: 2, 90: 3, 180: 5}[abs(round(angle))]
    inside, outside = (LEFT, RIGHT) if angle > 0 else (RIGHT, LEFT)
    small = abs(angle) <= SMALL_SPOT_TURN
    first, each, swing = (0.24, 0.31, 0.27) if small else (0.30, 0.46, 0.36)  # strides of one second
    steps = [Step((inside, outside)[k % 2], first + each * k, first + each * k + swing) for k in range(count)]
    strides = steps[-1].lands + (0.25 if small else 0.32)
    strides = round(30.0 * strides) / 30.0
    shifted = tuple(Step(step.side, step.lifts - strides, step.lands - strides) for step in steps)
    return StepPlan(
        "spot" + _angle_name(angle), "stand", "stand", round(30.0 * strides), strides, turn_deg=angle,
        turning=(0.5 * first / strides, (steps[-1].lands - 0.02) / strides), steps=shifted,
    )  # fmt: skip


def _change(one: str, other: str, strides: float) -> StepPlan:
    begins, ends = f"{one}-left", f"{other}-left"
    duration = round(strides * 0.5 * (LABELS[begins].gait.stride_frames + LABELS[ends].gait.stride_frames) / 2)
    return StepPlan(f"{one}-to-{other}", begins, ends, duration, strides, changing=(0.0, 0.8))


@cache
def _one(plan: StepPlan) -> AuthoredClip:
    return locomote(plan)


def _made(plans: Iterable[StepPlan] | Sequence[StepPlan]) -> Clips:
    return {plan.name: _one(plan) for plan in plans}
