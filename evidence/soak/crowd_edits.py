"""Edits at random of a running crowd's world, close to people, so that they matter.

`RandomEdits` are those whose hits are over within two seconds: obstacles that take effect once they are clear or
will soon be, balls that are rolled at somebody, other goals.  `Drops` are crates that take effect at once where
somebody is: of these nothing is promised, and how long it takes to get out of them is measured.
"""

from __future__ import annotations

import math

import numpy as np

from evidence.soak.crowd_watch import present_roots
from gambol.crowd import Crowd, Errand
from gambol.crowd.kernels.sight import room_at
from gambol.world import Footprint, Mover, Obstacle, Pose, Trajectory

KINDS = ("add", "add", "move", "remove", "throw", "throw", "goal")
WHEN = ("clear", "soon")
MOST_OBSTACLES = 12
LONGEST_S = 20.0  # that an obstacle stays, so that nobody is shut in for ever
SIDE_M, TOP_M = (0.4, 1.6), (0.4, 2.5)  # of obstacles
DROP_SIDE_M, DROP_AWAY_M, DROP_LONGEST_S = (0.4, 1.2), 0.5, 10.0
BALL_M_S, BALL_WAY_M, BALL_RADIUS_M = 6.0, 8.0, 0.25
GOAL_ROOM_M = 0.6


class RandomEdits:
    """Changes something every so many frames; what, depends on the seed and on the crowd alone."""

    def __init__(self, crowd: Crowd, *, seed: int, every_frames: int) -> None:
        self.crowd = crowd
        self.made = dict.fromkeys(("add", "move", "remove", "throw", "goal"), 0)
        self._seed, self._every = seed, every_frames
        self._added: dict[str, int] = {}  # obstacles of ours and the frame at which each was asked for
        self._next = 0

    def edit(self) -> None:
        """Change something if it is time to.  To be called before each frame."""
        frame = self.crowd.frame
        if frame == 0 or frame % self._every:
            return
        rng = np.random.default_rng((self._seed, frame))
        for name, since in list(self._added.items()):
            if frame - since > LONGEST_S * self.crowd.rate_hz:
                self._remove(name)
        ids, roots, _ = present_roots(self.crowd)
        if not len(ids):
            return
        number = int(rng.integers(len(ids)))
        x, y = roots[number]
        kind = str(rng.choice(KINDS))
        if kind in ("move", "remove") and not self._added:
            kind = "add"
        if kind == "add" and len(self._added) >= MOST_OBSTACLES:
            kind = "move"
        match kind:
            case "add":
                self._add(self._beside(x, y, rng), rng)
            case "move":
                name = str(rng.choice(list(self._added)))
                self.crowd.move_obstacle(name, self._beside(x, y, rng), when=str(rng.choice(WHEN)))
                self.made["move"] += 1
            case "remove":
                self._remove(str(rng.choice(list(self._added))))
            case "throw":
                self._throw(x, y, rng)
            case "goal":
                self._move_goal(int(ids[number]), roots[int(rng.integers(len(ids)))], rng)

    def _beside(self, x: float, y: float, rng: np.random.Generator) -> Pose:
        """Return a pose up to 3 m from a place, within bounds."""
        away, turn = rng.uniform(0.0, 3.0), rng.uniform(-math.pi, math.pi)
        return (*self._inside(x + away * math.cos(turn), y + away * math.sin(turn), 1.2), float(turn))

    def _inside(self, x: float, y: float, room_m: float) -> tuple[float, float]:
        x0, y0, x1, y1 = self.crowd.world.bounds
        return float(np.clip(x, x0 + room_m, x1 - room_m)), float(np.clip(y, y0 + room_m, y1 - room_m))

    def _name(self, what: str) -> str:
        self._next += 1
        return f"{what} {self._next}"

    def _add(self, pose: Pose, rng: np.random.Generator) -> None:
        name = self._name("crate")
        self.crowd.add_obstacle(_crate(name, pose, SIDE_M, rng), when=str(rng.choice(WHEN)))
        self._added[name] = self.crowd.frame
        self.made["add"] += 1

    def clear_away(self) -> None:
        """Take all obstacles away that are still there."""
        for name in list(self._added):
            self._remove(name)

    def _remove(self, name: str) -> None:
        self.crowd.remove_obstacle(name)
        del self._added[name]
        self.made["remove"] += 1

    def _throw(self, x: float, y: float, rng: np.random.Generator) -> None:
        """Roll a ball through where someone is."""
        turn = rng.uniform(-math.pi, math.pi)
        dx, dy = 0.5 * BALL_WAY_M * math.cos(turn), 0.5 * BALL_WAY_M * math.sin(turn)
        ends = [(*self._inside(x + side * dx, y + side * dy, BALL_RADIUS_M), 0.0) for side in (-1.0, 1.0)]
        way_m = math.dist(ends[0], ends[1])
        begins = self.crowd.time_s + rng.uniform(0.1, 1.5)
        times = (begins, begins + max(way_m / BALL_M_S, 0.1))
        heights = [(0.0, 2.0 * BALL_RADIUS_M)] * 2
        trajectory = Trajectory(np.array(times), np.array(ends), np.array(heights))
        self.crowd.throw(Mover(self._name("ball"), Footprint.disc(BALL_RADIUS_M), trajectory))
        self.made["throw"] += 1

    def _move_goal(self, who: int, there: np.ndarray, rng: np.random.Generator) -> None:
        """Send someone to near where somebody is now, and on with its errand after that."""
        errand = self.crowd.errand(who)
        if errand.leader is not None:
            return
        near = there + rng.uniform(-2.0, 2.0, 2)
        x, y = self._inside(near[0], near[1], 1.0)
        if room_at(self.crowd.floor, x, y) < GOAL_ROOM_M:
            return
        old = tuple(self.crowd._flock.goal[self.crowd._place[who]].tolist())
        if errand.is_endless:
            changed = Errand.around([(x, y), old], tolerance_m=errand.tolerance_m)
        else:
            changed = Errand.along([(x, y), old], then=errand.then, tolerance_m=errand.tolerance_m)
        self.crowd.give(who, changed)
        self.made["goal"] += 1


class Drops:
    """Drops a crate onto somebody every so many frames; onto whom, depends on the seed and on the crowd alone."""

    def __init__(self, crowd: Crowd, *, seed: int, every_frames: int) -> None:
        self.crowd = crowd
        self.made = {"drop": 0}
        self._seed, self._every = seed, every_frames
        self._dropped: dict[str, int] = {}  # and the frame at which each was

    def edit(self) -> None:
        """Drop one if it is time to, and take old ones away.  To be called before each frame."""
        frame = self.crowd.frame
        if frame == 0 or frame % self._every:
            return
        for name, since in list(self._dropped.items()):
            if frame - since > DROP_LONGEST_S * self.crowd.rate_hz:
                self.crowd.remove_obstacle(name)
                del self._dropped[name]
        rng = np.random.default_rng((self._seed, frame))
        ids, roots, _ = present_roots(self.crowd)
        if not len(ids):
            return
        away, turn = rng.uniform(0.0, DROP_AWAY_M), float(rng.uniform(-math.pi, math.pi))
        x, y = roots[int(rng.integers(len(ids)))] + away * np.array((math.cos(turn), math.sin(turn)))
        name = f"crate {self.made['drop']}"
        self.crowd.add_obstacle(_crate(name, (float(x), float(y), turn), DROP_SIDE_M, rng), when="now")
        self._dropped[name] = frame
        self.made["drop"] += 1


def _crate(name: str, pose: Pose, side_m: tuple[float, float], rng: np.random.Generator) -> Obstacle:
    box = Footprint.box(float(rng.uniform(*side_m)), float(rng.uniform(*side_m)))
    return Obstacle(name, box, pose, top_m=float(rng.uniform(*TOP_M)))
