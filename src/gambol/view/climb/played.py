"""A climb that is played: its frame, mode and holds at a time."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from gambol.climb.figure import FREE, LIMBS
from gambol.climb.modes import Mode
from gambol.judges.climb_check import CheckedClimb
from gambol.motion.motion import Motion
from gambol.scenes.climb_actor import ClimbActor
from gambol.scenes.scene import Scene
from gambol.stages.climber import Climber
from gambol.stages.climbs import Climbed, ClimbStage
from gambol.stages.performance import perform
from gambol.view.worker import Progress

ON_GROUND = "on the ground"  # stands for a mode on the way to a climb or from it


class Stretch(NamedTuple):
    """A stretch of time in one mode."""

    mode: Mode | None  # None: on the way over the ground
    start_s: float
    end_s: float

    @property
    def label(self) -> str:
        return label_of(self.mode)


@dataclass(frozen=True, eq=False)
class Played:
    """What became of one climber, and what the judge found."""

    climbed: Climbed
    check: CheckedClimb | None  # None: there is no motion to judge

    @property
    def motion(self) -> Motion | None:
        return self.climbed.motion

    @property
    def duration_s(self) -> float:
        return self.climbed.duration_s

    def frame(self, time_s: float) -> int:
        """Return the frame of the motion that is shown at a time."""
        motion = self.climbed.motion
        return 0 if motion is None else min(max(round(time_s * motion.rate_hz), 0), motion.frame_count - 1)

    def climb_frame(self, time_s: float) -> int | None:
        """Return the frame of the climb itself at a time; None: the time is before or after it."""
        climb = self.climbed.climb
        if climb.motion is None:
            return None
        frame = self.frame(time_s) - self.climbed.first_frame
        return frame if 0 <= frame < len(climb.motion.path) else None

    def mode(self, time_s: float) -> Mode | None:
        frame, motion = self.climb_frame(time_s), self.climbed.climb.motion
        return None if frame is None or motion is None else Mode(int(motion.path.modes[frame]))

    def holds(self, time_s: float) -> tuple[int, ...]:
        """Return the grasp point that each limb holds at a time; FREE: none."""
        frame, motion = self.climb_frame(time_s), self.climbed.climb.motion
        if frame is None or motion is None:
            return (FREE,) * len(LIMBS)
        return tuple(int(hold) for hold in motion.path.grasps[frame])

    def stretches(self) -> list[Stretch]:
        """Return the modes one after another."""
        climb, first = self.climbed.climb, self.climbed.first_frame
        if self.motion is None or climb.motion is None:
            return []
        modes, rate_hz = climb.motion.path.modes, self.motion.rate_hz
        bounds = [0, *(np.flatnonzero(np.diff(modes)) + 1).tolist(), len(modes) - 1]
        found = [
            Stretch(Mode(int(modes[start])), (first + start) / rate_hz, (first + end) / rate_hz)
            for start, end in pairwise(bounds)
        ]
        if first > 0:
            found.insert(0, Stretch(None, 0.0, found[0].start_s))
        if found[-1].end_s < self.duration_s - 1.0 / rate_hz:
            found.append(Stretch(None, found[-1].end_s, self.duration_s))
        return found


def label_of(mode: Mode | None) -> str:
    return ON_GROUND if mode is None else mode.label


def climb_alone(
    scene: Scene, actor: ClimbActor, *, core: str, seed: int, time_limit_s: float, progress: Progress
) -> Played:
    """Plan and judge the climb of one actor of a scene; `progress` may end it by raising an error."""
    alone = replace(scene, climbs=(actor,), seed=seed)
    stage = ClimbStage(Climber(core=core), time_limit_s=time_limit_s)
    performance = perform(alone, stage, progress=lambda what, share, detail="": progress(what, share))
    checks = () if performance.report is None else performance.report.climbs
    return Played(performance.climbs[0], checks[0] if checks else None)
