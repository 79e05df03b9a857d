"""A running crowd that things are shot at: how long it takes, whom they hit, and whom they would have [LK06 5]."""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import shapely
from numpy.typing import NDArray

from evidence.reproductions.item import Say
from gambol.crowd import Crowd, Entrance, LivePoses, Recording, root_points
from gambol.judges import CrowdReport, attribute, judge_crowd
from gambol.scenes import Scene
from gambol.world import Footprint, Mover, Trajectory, World

RADIUS_M, HIGH_M, SPEED_M_S = 0.75, 1.5, 6.0  # of what is shot
EDGE_M = 1.0  # from the bounds to where it comes from and ends
LEAST_WAY_M = 25.0
ROOM_M = 5.0  # from where it comes to the nearest person: nobody gets out of the way of what is there already
AIMED_M = 1.0  # how near it comes to one who is shot at
TRIES = 600
EVERY = 2  # frames, of those looked at to aim


@dataclass(frozen=True, eq=False)
class Watched:
    """A crowd after a run, and what its frames took; times in seconds of the processor, of which it uses one."""

    crowd: Crowd
    step_s: NDArray[np.float64]  # (F,) of frames after the warm-up
    poses_s: NDArray[np.float64]  # (F,) all joints of everybody
    look_ups: int  # characters planned for in these frames, some several times
    shots: tuple[Mover, ...] = field(default=())

    @property
    def replan_s(self) -> float:
        """Time to plan for one character once, all that a frame does included."""
        return float(self.step_s.sum()) / max(self.look_ups, 1)


def watch(
    scene: Scene, frames: int, say: Say, *, warm_up: int, shot_at: Sequence[int] = (), aim: Aim | None = None
) -> Watched:
    """Run a crowd for some frames after a warm-up; shoot at it in some of them, counted from the end of the warm-up."""
    kinds = list({id(actor.character): actor.character for actor in scene.cast}.values())
    crowd = Crowd(scene.world, kinds, seed=scene.seed)
    entrance, live = Entrance(scene, crowd), LivePoses(crowd)
    shots: list[Mover] = []
    for _ in range(warm_up):
        entrance.admit()
        crowd.step()
    live.now()
    before = crowd.statistics.look_ups
    step_s, poses_s = np.zeros(frames), np.zeros(frames)
    for frame in range(frames):
        if frame % 30 == 0:
            say("running", frame / frames)
        entrance.admit()
        if aim is not None and frame in shot_at:
            shots.append(aim.shot(crowd.frame + 1, f"shot {len(shots) + 1}"))
            begun = time.process_time()
            crowd.throw(shots[-1])
        else:
            begun = time.process_time()
        crowd.step()
        stepped = time.process_time()
        live.now()
        step_s[frame], poses_s[frame] = stepped - begun, time.process_time() - stepped
    return Watched(crowd, step_s, poses_s, crowd.statistics.look_ups - before, tuple(shots))


class Aim:
    """Shoots from edge to edge of a world, past its obstacles, where most will be who do not look."""

    def __init__(self, calm: Watched, *, seed: int) -> None:
        """Take a run without shots: it says where everybody would be."""
        recording = calm.crowd.recording()
        self._world, self._rate_hz = calm.crowd.world, recording.rate_hz
        self._where = np.moveaxis(np.stack(list(root_points(recording))), 1, 0)  # (F, N, 2)
        self._solid = shapely.union_all([one.footprint.region(one.pose) for one in self._world.obstacles])
        self._rng = np.random.default_rng(seed)

    def shot(self, frame: int, name: str) -> Mover:
        """Return what is shot in a frame: of many lines the one that would meet most."""
        lines = [line for line in (_edge_points(self._world, self._rng) for _ in range(TRIES)) if self._is_free(line)]
        rooms = [float(np.hypot(*(self._where[frame] - line[0]).T).min()) for line in lines]
        roomy = [line for line, room in zip(lines, rooms, strict=True) if room >= min(ROOM_M, max(rooms))]
        start, end = max(roomy, key=lambda line: self._met(frame, line))
        heading = math.atan2(end[1] - start[1], end[0] - start[0])
        begins_s = frame / self._rate_hz
        times_s = np.array([begins_s, begins_s + math.dist(start, end) / SPEED_M_S])
        poses = np.array([(*start, heading), (*end, heading)])
        return Mover(name, Footprint.disc(RADIUS_M), Trajectory(times_s, poses, np.array([(0.0, HIGH_M)] * 2)))

    def _is_free(self, line: NDArray[np.float64]) -> bool:
        """Tell whether a line (2, 2) is long and leads past all obstacles."""
        way = shapely.LineString(line)
        return bool(shapely.length(way) >= LEAST_WAY_M and shapely.distance(way, self._solid) >= RADIUS_M)

    def _met(self, frame: int, line: NDArray[np.float64]) -> int:
        """Return how many would be met along a line."""
        seconds = math.dist(*line) / SPEED_M_S
        where = self._where[frame : frame + round(seconds * self._rate_hz) : EVERY]
        shares = np.arange(len(where)) * EVERY / self._rate_hz / seconds
        places = line[0] + shares[:, None] * (line[1] - line[0])
        return int((np.linalg.norm(where - places[:, None], axis=-1).min(axis=0) < AIMED_M).sum())


def _edge_points(world: World, rng: np.random.Generator) -> NDArray[np.float64]:
    """Return two points (2, 2), each somewhere along a different edge of a world."""
    x0, y0, x1, y1 = world.bounds
    inside = shapely.box(x0 + EDGE_M, y0 + EDGE_M, x1 - EDGE_M, y1 - EDGE_M)
    points = shapely.line_interpolate_point(inside.exterior, rng.uniform(0.0, 1.0, 2), normalized=True)
    return shapely.get_coordinates(points)


@dataclass(frozen=True, eq=False)
class Verdict:
    """What the independent judge says of a run."""

    report: CrowdReport  # what no shot explains
    hits: int  # pairs of a person and what hit them
    would_hit: int  # such pairs, had everybody gone on as in the run without shots

    @property
    def faults(self) -> int:
        report = self.report
        return len(report.collisions) + len(report.touches) + len(report.illegal_transitions)


def judged(shot: Watched, calm: Watched, world: World) -> Verdict:
    """Judge what was delivered while it was shot, and whom the same shots would have hit without anybody looking."""
    explained, rest = attribute(judge_crowd(shot.crowd.recording(), world, edits=shot.crowd.worlds), shot.crowd.edits)
    blind = judge_crowd(calm.crowd.recording(), world, edits=shot.crowd.worlds)
    names = {mover.name for mover in shot.shots}
    would = {(one.who, one.thing) for one in blind.collisions if one.thing in names}
    return Verdict(rest, len({(one.found.who, one.found.thing) for one in explained}), len(would))


def went_elsewhere(shot: Watched, calm: Watched, until_frame: int) -> int:
    """Return how many have by a frame done something else than in the run without shots."""
    ours, theirs = shot.crowd.recording(), calm.crowd.recording()
    return sum(_steps_of(ours, who, until_frame) != _steps_of(theirs, who, until_frame) for who in range(len(ours)))


def _steps_of(recording: Recording, who: int, until_frame: int) -> list[tuple[int, int]]:
    first, last = recording.first_step[who], recording.first_step[who + 1]
    pairs = zip(recording.frame[first:last].tolist(), recording.clip[first:last].tolist(), strict=True)
    return [pair for pair in pairs if pair[0] <= until_frame]
