"""What a climb measures: how it was found, and what the judge says."""

from __future__ import annotations

from typing import Any

from gambol.climb import Climb, full_motion
from gambol.judges import judge_climb, judge_climb_body
from gambol.search import Outcome


def found_figures(climb: Climb) -> dict[str, Any]:
    """Return how a search went."""
    statistics = climb.statistics
    return {
        "found": climb.outcome == Outcome.FOUND,
        "outcome": climb.outcome.value,
        "reason": climb.reason,
        "plan_s": climb.plan_time_s,
        "smooth_s": climb.smooth_time_s,
        "tries": int(statistics.get("tries", statistics.get("steps", 0))),
        "rows": 0 if climb.planned is None else len(climb.planned),
    }


def judged_figures(climb: Climb, *, with_body: bool = True) -> dict[str, Any]:
    """Return what the judge says about a delivered climb and, if wished, about the body that does it."""
    motion, problem = climb.motion, climb.problem
    if motion is None:
        return {}
    assert climb.planned is not None
    report = judge_climb(problem, motion)
    return {
        "clean": report.is_clean,
        "frames": report.frames,
        "duration_s": motion.duration_s,
        "entry_mm": report.entry_mm.value,
        "beyond_mm": report.beyond_mm.value,
        "drift_mm": report.drift_mm.value,
        "over_limit_rad": report.over_limit_rad.value,
        "illegal": len(report.illegal),
        "gravity_share": report.gravity.share,
        "joint_speed": report.joint_speed.value,
        "joint_acceleration": report.joint_acceleration.value,
        "travel_planned": climb.planned.joint_travel,
        "travel_delivered": motion.path.joint_travel,
        "complaints": [str(one) for one in report.illegal[:3]],
        **(_body_figures(climb) if with_body else {}),
    }


def _body_figures(climb: Climb) -> dict[str, Any]:
    assert climb.motion is not None
    body = judge_climb_body(climb.problem, full_motion(climb.problem, climb.motion), climb.motion)
    return {
        "body_clean": body.is_clean,
        "body_entry_cm": body.entry_cm.value,
        "body_slide_cm": body.slide_cm.value,
    }
