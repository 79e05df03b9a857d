"""What a plan of steps says for every frame: how far the stride is, where the body travels, which gait it has."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike
from scipy.integrate import cumulative_simpson
from scipy.interpolate import CubicSpline, PchipInterpolator
from tools.authoring.authored import FRAMES_PER_STEP, MARGIN, RATE_HZ
from tools.authoring.locomotion.gait import LABELS, Gait, Label

from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.geometry.arrays import FloatArray

LEFT, RIGHT = 0, 1

LEAD_IN = MARGIN + 100  # frames before and after a clip for which it is planned: every step that reaches into it
FINE = 8  # parts of a frame in which speeds are integrated
RAMP = 0.4  # share of a change in which it sets in, and again in which it fades


@dataclass(frozen=True)
class Step:
    """A foot's way through the air, by the phases at which it lifts and lands."""

    side: int
    lifts: float
    lands: float


@dataclass(frozen=True)
class StepPlan:
    """A clip's declaration: from which label to which, in what time, how far and around what turn.

    Gait and speed change smoothly inside `changing`, the heading inside `turning`: both are shares
    of the clip, and nothing changes at the labels themselves.
    """

    name: str
    begins: str
    ends: str
    duration: int  # planning frames
    strides: float  # from the first frame to the last
    distance_m: float | None = None  # along the way; None goes as the speeds have it
    aside_m: float = 0.0  # to the left, while facing ahead
    turn_deg: float = 0.0  # to the left
    turning: tuple[float, float] = (0.0, 1.0)
    changing: tuple[float, float] = (0.0, 1.0)
    style: Gait | None = None  # in the middle, where it differs from the labels' own
    slowing: float = 0.0  # share of the speed lost in the middle
    steps: tuple[Step, ...] | None = None  # inside the clip; None steps as the gaits do
    sink_m: float = 0.0  # how much lower the pelvis gets
    sinking: tuple[float, float] = (0.0, 1.0)

    @property
    def frames(self) -> int:
        """Frames of the motion from the first to the last of the clip."""
        return FRAMES_PER_STEP * self.duration

    @property
    def leaning(self) -> float:
        """Share of the usual lean: stepping about between stands is balanced with small steps, not by leaning."""
        return 0.3 if self.begins == self.ends == "stand" else 1.0

    @property
    def begin(self) -> Label:
        return LABELS[self.begins]

    @property
    def end(self) -> Label:
        return LABELS[self.ends]

    @property
    def begin_phase(self) -> float:
        """Phase at the first frame; where the clip begins in a stand, as the end needs it."""
        return self.begin.phase if self.begins != "stand" else self.end.phase - self.strides

    @property
    def end_phase(self) -> float:
        return self.begin_phase + self.strides

    def __post_init__(self) -> None:
        turns = self.end_phase - self.end.phase
        if self.ends != "stand" and abs(turns - round(turns)) > 1e-9:
            raise InvalidInput(
                f"plan {self.name!r}: {self.strides} strides from {self.begins} do not end at {self.ends}"
            )


def ease(share: ArrayLike, *, ramp: float = RAMP) -> FloatArray:
    """Rise from 0 to 1 as a share goes from 0 to 1: speed up within the ramp, go on evenly, slow down.

    Slope, curvature and its change are zero at both ends.
    """
    u = np.clip(np.asarray(share, dtype=np.float64), 0.0, 1.0)
    from_end = u > 0.5
    v = np.where(from_end, 1.0 - u, u)
    x = np.minimum(v / ramp, 1.0)
    risen = (ramp * x**4 * (2.5 - 3.0 * x + x**2) + np.maximum(v - ramp, 0.0)) / (1.0 - ramp)
    return np.where(from_end, 1.0 - risen, risen)


def plateau(share: ArrayLike, *, ramp: float = RAMP) -> FloatArray:
    """Rise from 0 to 1 within the ramp, stay, and return to 0 at a share of 1, smoothly."""
    u = np.asarray(share, dtype=np.float64)
    return ease(u / ramp, ramp=0.5) - ease((u - 1.0 + ramp) / ramp, ramp=0.5)


@dataclass(frozen=True, eq=False)
class Timeline:
    """A plan by the frame, from LEAD_IN frames before the clip to LEAD_IN after it; frame 0 is the clip's first."""

    plan: StepPlan
    gaits: tuple[Gait, ...]
    times: FloatArray  # (T,) frames
    phase: FloatArray  # (T,) strides; the left foot lands at whole numbers
    pose: FloatArray  # (T, 3) where travel would take the body that does not sway: x, y, heading
    acceleration: FloatArray  # (T, 2) of travel, forward and to the left, metres per second squared
    weights: FloatArray  # (T, G) how much of each gait there is

    @cached_property
    def _phase_at(self) -> PchipInterpolator:
        return PchipInterpolator(self.times, self.phase)

    @cached_property
    def _time_at(self) -> PchipInterpolator:
        return PchipInterpolator(self.phase, self.times)

    @cached_property
    def _pose_at(self) -> CubicSpline:
        return CubicSpline(self.times, self.pose)

    @cached_property
    def _weights_at(self) -> PchipInterpolator:
        return PchipInterpolator(self.times, self.weights)

    def phase_at(self, times: ArrayLike) -> FloatArray:
        return self._phase_at(times)

    def time_at(self, phase: ArrayLike) -> FloatArray:
        return self._time_at(phase)

    def pose_at(self, times: ArrayLike) -> FloatArray:
        return self._pose_at(self._within(times))

    def weights_at(self, times: ArrayLike) -> FloatArray:
        return self._weights_at(self._within(times))

    def _within(self, times: ArrayLike) -> FloatArray:
        return np.clip(times, self.times[0], self.times[-1])


def make_timeline(plan: StepPlan) -> Timeline:
    """Work a plan out for every frame."""
    times = np.arange(-LEAD_IN, plan.frames + LEAD_IN + 1, dtype=np.float64)
    fine = np.linspace(times[0], times[-1], FINE * (len(times) - 1) + 1)
    share = fine / plan.frames
    changed = _within_window(share, plan.changing)
    bump = np.gradient(changed, fine)
    start, end = plan.begin.gait, plan.end.gait

    rate = 1.0 / start.stride_frames + (1.0 / end.stride_frames - 1.0 / start.stride_frames) * changed
    phase = plan.begin_phase + _integral(rate, bump, fine, plan.strides, plan.frames)
    speed = start.speed_m_s + (end.speed_m_s - start.speed_m_s) * changed
    speed = speed * (1.0 - plan.slowing * plateau(share)) / RATE_HZ
    way = _integral(speed, bump, fine, plan.distance_m, plan.frames)
    heading = np.radians(plan.turn_deg) * _within_window(share, plan.turning)
    velocity = np.gradient(way, fine)[:, None] * np.column_stack((np.cos(heading), np.sin(heading)))
    aside = np.gradient(plan.aside_m * changed, fine)[:, None] * np.column_stack((-np.sin(heading), np.cos(heading)))
    velocity += aside
    position = cumulative_simpson(velocity, x=fine, axis=0, initial=0.0)
    position -= position[np.searchsorted(fine, 0.0)]

    gaits, weights = _gait_weights(plan, share[::FINE], changed[::FINE])
    pose = np.column_stack((position, heading))[::FINE]
    acceleration = planar.rotate(-heading, np.gradient(velocity, fine, axis=0))[::FINE] * RATE_HZ**2
    return Timeline(plan, gaits, times, phase[::FINE], pose, acceleration, weights)


def _within_window(share: FloatArray, window: tuple[float, float]) -> FloatArray:
    return ease((share - window[0]) / (window[1] - window[0]))


def _integral(rate: FloatArray, bump: FloatArray, fine: FloatArray, total: float | None, frames: int) -> FloatArray:
    """Integrate a rate from the clip's first frame; the bump makes up what a given total differs by."""
    at_first, at_last = np.searchsorted(fine, (0.0, float(frames)))
    whole = cumulative_simpson(rate, x=fine, initial=0.0)
    whole -= whole[at_first]
    if total is None:
        return whole
    made_up = cumulative_simpson(bump, x=fine, initial=0.0)
    made_up -= made_up[at_first]
    return whole + (total - whole[at_last]) / made_up[at_last] * made_up


def _gait_weights(plan: StepPlan, share: FloatArray, changed: FloatArray) -> tuple[tuple[Gait, ...], FloatArray]:
    start, end = plan.begin.gait, plan.end.gait
    middle = np.zeros_like(share) if plan.style is None else plateau(share)
    gaits: dict[str, Gait] = {}
    weights: dict[str, FloatArray] = {}
    for gait, weight in (
        (start, (1.0 - changed) * (1.0 - middle)), (end, changed * (1.0 - middle)), (plan.style or start, middle),
    ):  # fmt: skip
        gaits[gait.name] = gait
        weights[gait.name] = weights.get(gait.name, np.zeros_like(share)) + weight
    return tuple(gaits.values()), np.column_stack(list(weights.values()))
