"""The findings of the judge of climbs, as values, as JSON and as text."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from gambol.judges.report import MOST_LINES

# A climb within these limits is clean; larger accepts more.
ENTRY_LIMIT_MM = 1.0  # mm, >= 0: depth of the figure in a polygon or beyond the bounds
DRIFT_LIMIT_MM = 1.0  # mm, >= 0: distance of a holding hand or foot from its grasp point
JOINT_LIMIT_RAD = 1e-6  # rad, >= 0: angle of a joint beyond its limit
GRAVITY_LIMIT = 0.01  # share of the frames, 0..1, that gravity forbids
BODY_LIMIT_CM = 1.0  # cm, >= 0: depth of the three-dimensional body in a polygon


@dataclass(frozen=True)
class Worst:
    """The greatest of many values, with its place; a fractional frame lies between two frames."""

    value: float = 0.0
    frame: float = 0.0
    what: str = ""
    x: float = 0.0
    z: float = 0.0

    def __str__(self) -> str:
        return f"{self.what}, frame {self.frame:g}, at ({self.x:.2f}, {self.z:.2f})" if self.what else "nowhere"


@dataclass(frozen=True)
class Illegal:
    """A broken rule, from the first to the last frame, both included."""

    rule: str  # "kind", "footing", "least held", "change", "turn" or "jump"
    first: int
    last: int
    what: str

    def __str__(self) -> str:
        when = f"frame {self.first}" if self.first == self.last else f"frames {self.first} to {self.last}"
        return f"{self.rule}: {self.what}, {when}"


@dataclass(frozen=True)
class Stretch:
    """Frames in one mode, from the first to the last, both included."""

    mode: str
    first: int
    last: int


@dataclass(frozen=True)
class GravityReport:
    """How far the centre of mass is outside the span that the grasps can hold."""

    infeasible: int  # frames that neither rest, momentum, a next hold nor a pendulum allows
    share: float  # share of these frames, 0..1
    stretches: tuple[tuple[int, int], ...]  # first and last frames of infeasible stretches
    worst: Worst  # metres outside the span, in infeasible frames
    outside_at_rest: int  # frames that would topple if the figure stopped in them
    worst_at_rest: Worst  # metres outside the span, in all frames


@dataclass(frozen=True)
class ClimbReport:
    """All findings of the independent judge about a climb."""

    frames: int
    rate_hz: float
    collisions: int  # frames in which, or after which until the next, something is entered deeper than the limit
    touches: int  # frames in which something is entered less deep
    entry_mm: Worst  # how deep a link is in a polygon; negative: the least clearance
    beyond_mm: Worst  # how far a link is beyond the bounds; negative: the least room
    drift_mm: Worst  # distance of a holding limb's end from its grasp point
    drifting: int  # frames, and intervals between frames, in which one is beyond the limit
    over_limit_rad: Worst  # how far a joint is beyond its limit; negative: the least room
    over_limit: int  # frames in which a joint is beyond its limit
    illegal: tuple[Illegal, ...]
    largest_step: Worst  # change of a coordinate from frame to frame, in metres or radians
    joint_speed: Worst  # rad/s
    joint_acceleration: Worst  # rad/s²
    pelvis_speed: Worst  # m/s
    pelvis_acceleration: Worst  # m/s²
    gravity: GravityReport
    modes: tuple[Stretch, ...]
    to_goal_m: float  # distance of the centre of mass from the goal at the end

    @property
    def is_clean(self) -> bool:
        return (
            self.entry_mm.value <= ENTRY_LIMIT_MM
            and self.beyond_mm.value <= ENTRY_LIMIT_MM
            and self.drift_mm.value <= DRIFT_LIMIT_MM
            and self.over_limit_rad.value <= JOINT_LIMIT_RAD
            and not self.illegal
            and self.gravity.share <= GRAVITY_LIMIT
        )

    def as_dict(self) -> dict[str, Any]:
        """Return the counts, the verdict, and under `details` all measures."""
        return {
            "collisions": self.collisions,
            "touches": self.touches,
            "illegal_transitions": len(self.illegal),
            "frames": self.frames,
            "clean": self.is_clean,
            "drifting": self.drifting,
            "over_limit": self.over_limit,
            "infeasible_by_gravity": self.gravity.infeasible,
            "details": {
                **{name: asdict(getattr(self, name)) for name in MEASURES},
                "illegal": [asdict(found) for found in self.illegal],
                "gravity": asdict(self.gravity),
                "modes": [asdict(stretch) for stretch in self.modes],
                "to_goal_m": self.to_goal_m,
            },
        }

    def lines(self) -> list[str]:
        """Return the findings as lines of text, the verdict first."""
        verdict = "clean" if self.is_clean else "not clean"
        gravity = self.gravity
        lines = [
            f"{verdict}: {self.frames} frames, {self.collisions} collisions, {self.touches} touches, "
            f"{len(self.illegal)} illegal transitions",
            _signed(self.entry_mm, "deepest in a polygon", "least clearance", "mm"),
            _signed(self.beyond_mm, "farthest beyond the bounds", "least room within the bounds", "mm"),
            f"farthest from a grasp point held: {self.drift_mm.value:.3f} mm ({self.drift_mm})",
            _signed(self.over_limit_rad, "farthest beyond a joint's limit", "least room of a joint", "rad", 6),
            f"gravity forbids {100.0 * gravity.share:.1f} % of the frames"
            + (
                f", at worst {100.0 * gravity.worst.value:.1f} cm outside ({gravity.worst})"
                if gravity.infeasible
                else ""
            )
            + f"; at rest, {gravity.outside_at_rest} would topple",
            f"joints turn at most at {self.joint_speed.value:.1f} rad/s ({self.joint_speed.what}) and "
            f"{self.joint_acceleration.value:.0f} rad/s² ({self.joint_acceleration.what})",
            "modes: " + ", ".join(f"{stretch.mode} {stretch.first}-{stretch.last}" for stretch in self.modes),
            *(str(found) for found in self.illegal[:MOST_LINES]),
        ]
        more = len(self.illegal) - MOST_LINES
        return [*lines, f"and {more} more"] if more > 0 else lines


MEASURES = (
    "entry_mm", "beyond_mm", "drift_mm", "over_limit_rad", "largest_step",
    "joint_speed", "joint_acceleration", "pelvis_speed", "pelvis_acceleration",
)  # fmt: skip


@dataclass(frozen=True)
class BodyReport:
    """How deep a three-dimensional body enters the polygons, which extend in depth, and how far it slides."""

    frames: int
    collisions: int  # frames in which, or after which until the next, something is entered deeper than the limit
    touches: int  # frames in which something is entered less deep
    entry_cm: Worst  # negative: the least clearance
    slide_cm: Worst  # how far a hand or foot moves while it holds; 0 if not measured

    @property
    def is_clean(self) -> bool:
        return self.entry_cm.value <= BODY_LIMIT_CM

    def as_dict(self) -> dict[str, Any]:
        counts = {"collisions": self.collisions, "touches": self.touches, "illegal_transitions": 0}
        details = {"entry_cm": asdict(self.entry_cm), "slide_cm": asdict(self.slide_cm)}
        return {**counts, "frames": self.frames, "clean": self.is_clean, "details": details}

    def lines(self) -> list[str]:
        return [
            f"{'clean' if self.is_clean else 'not clean'}: {self.frames} frames, {self.collisions} collisions, "
            f"{self.touches} touches",
            _signed(self.entry_cm, "deepest in a polygon", "least clearance", "cm"),
            f"farthest slide of what holds: {self.slide_cm.value:.2f} cm ({self.slide_cm})",
        ]


def _signed(worst: Worst, bad: str, good: str, unit: str, digits: int = 2) -> str:
    return f"{bad if worst.value > 0.0 else good}: {abs(worst.value):.{digits}f} {unit} ({worst})"
