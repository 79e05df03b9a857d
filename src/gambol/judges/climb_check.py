"""The findings of the check of delivered climbs, for all climbers."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from gambol.judges.climb_report import BodyReport, ClimbReport
from gambol.judges.report import MOST_LINES, Touch


@dataclass(frozen=True)
class CheckedClimb:
    """The findings about one climber: its planar figure, and its body over the whole motion."""

    name: str
    plane: ClimbReport
    body: BodyReport

    @property
    def is_clean(self) -> bool:
        return self.plane.is_clean and self.body.is_clean


@dataclass(frozen=True)
class ClimbCheck:
    """All findings about delivered climbs; none, if clean."""

    climbs: tuple[CheckedClimb, ...]  # of the climbers that have a motion
    touches: tuple[Touch, ...]  # between bodies: every climb is planned as if alone

    @property
    def is_clean(self) -> bool:
        return not self.touches and all(climb.is_clean for climb in self.climbs)

    @property
    def collisions(self) -> int:
        """Number of frames in which the planar figure or the body enters something solid deeper than allowed."""
        return sum(climb.plane.collisions + climb.body.collisions for climb in self.climbs)

    @property
    def illegal_transitions(self) -> int:
        return sum(len(climb.plane.illegal) for climb in self.climbs)

    @property
    def frames(self) -> int:
        """Number of checked frames of bodies."""
        return sum(climb.body.frames for climb in self.climbs)

    @property
    def gravity_share(self) -> float:
        """The largest share of a climber's frames that gravity forbids."""
        return max((climb.plane.gravity.share for climb in self.climbs), default=0.0)

    @property
    def body_depth_cm(self) -> float:
        """The greatest depth of a body in something solid; negative: the least clearance."""
        return max((climb.body.entry_cm.value for climb in self.climbs), default=0.0)

    def to_json(self) -> dict[str, Any]:
        return {
            "collisions": self.collisions,
            "touches": len(self.touches),
            "illegal_transitions": self.illegal_transitions,
            "frames": self.frames,
            "clean": self.is_clean,
            "gravity_share": self.gravity_share,
            "drift_mm": max((climb.plane.drift_mm.value for climb in self.climbs), default=0.0),
            "body_depth_cm": self.body_depth_cm,
            "bodies_that_touch": [asdict(touch) for touch in self.touches],
            "characters": [
                {"name": climb.name, "plane": climb.plane.as_dict(), "body": climb.body.as_dict()}
                for climb in self.climbs
            ],
        }

    @property
    def summary(self) -> str:
        """The counts, in a line."""
        return (
            f"{self.frames:,} frames, {self.collisions} collisions, {len(self.touches)} touches, "
            f"{self.illegal_transitions} illegal transitions; gravity forbids {100.0 * self.gravity_share:.1f} %, "
            f"{_depth(self.body_depth_cm)}"
        )

    @property
    def findings(self) -> list[str]:
        """What was found, a line each; empty if clean."""
        lines: list[str] = []
        for climb in self.climbs:
            for what, report in (("figure", climb.plane), ("body", climb.body)):
                if not report.is_clean:
                    lines += [f"{climb.name}, {what}: {line}" for line in report.lines()]
        touches = [str(touch) for touch in self.touches[:MOST_LINES]]
        return [*lines, *touches, *(["every climber is planned for as if alone"] * bool(touches))]


def _depth(depth_cm: float) -> str:
    return (
        f"the body is {depth_cm:.2f} cm deep at most" if depth_cm > 0.0 else f"the body keeps {-depth_cm:.2f} cm clear"
    )
