"""The built-in human's locomotion clips, each a declaration of a few numbers."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

from gambol.character.builtin.authored import AuthoredClip
from gambol.character.builtin.locomotion.gait import BACK, LABELS, LOOSE_JOG, TIGHT_JOG
from gambol.character.builtin.locomotion.locomote import locomote
from gambol.character.builtin.locomotion.timeline import LEFT, RIGHT, Step, StepPlan

WALKS = ("slow", "walk", "fast")


def jogs() -> dict[str, AuthoredClip]:
    """Return jogs of one stride and of half a stride: ahead, to the left and to the right."""
    plans = [
        StepPlan("jog", "jog-left", "jog-left", 22, 1.0),
        StepPlan("jog-loose", "jog-left", "jog-left", 22, 1.0, style=LOOSE_JOG),
        StepPlan("jog-tight", "jog-left", "jog-left", 22, 1.0, style=TIGHT_JOG),
    ]
    for angle, slowing in ((15, 0.0), (30, 0.04), (50, 0.12)):
        for side, sign in (("left", 1.0), ("right", -1.0)):
            plans.append(_turn("jog", side, sign * angle, 22 + round(slowing * 20), 1.0, slowing=slowing))
    for begins, ends in (("left", "right"), ("right", "left")):
        for name, angle in (("", 0.0), ("-left-10", 10.0), ("-right-10", -10.0)):
            plans.append(
                StepPlan(f"step-{begins}{name}", f"jog-{begins}", f"jog-{ends}", 11, 0.5, turn_deg=angle)
            )
    return _made(plans)


def _turn(label: str, side: str, angle: float, duration: int, strides: float, *, slowing: float = 0.0) -> StepPlan:
    at = f"{label}-left"
    name = f"{label}-{side}-{abs(angle):.0f}"
    return StepPlan(name, at, at, duration, strides, turn_deg=angle, slowing=slowing, turning=(0.0, 0.95))


def starts_and_stops() -> dict[str, AuthoredClip]:
    """Return the ways from a stand into each gait and back."""
    return _made(
        [
            StepPlan(
                "start", "stand", "jog-left", 34, 1.5, changing=(0.16, 0.97),
                steps=(Step(RIGHT, -1.02, -0.5), Step(LEFT, -0.46, 0.0)),
            ),
            StepPlan(
                "stop", "jog-left", "stand", 42, 1.75, changing=(0.0, 0.72), sink_m=0.05, sinking=(0.1, 0.8),
                distance_m=1.45, steps=(Step(LEFT, 0.38, 0.92), Step(RIGHT, 1.0, 1.36)),
            ),
            StepPlan(
                "short-stop", "jog-left", "stand", 32, 1.2, changing=(0.0, 0.66), sink_m=0.08, sinking=(0.05, 0.8),
                distance_m=1.1, steps=(Step(LEFT, 0.40, 0.90),),
            ),
        ]
    )  # fmt: skip


@cache
def _one(plan: StepPlan) -> AuthoredClip:
    return locomote(plan)


def _made(plans: Iterable[StepPlan]) -> dict[str, AuthoredClip]:
    return {plan.name: _one(plan) for plan in plans}
