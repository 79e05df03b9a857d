"""What the machine of modes proposes next: which limb could take, or leave, which grasp point, in which mode."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gambol.climb.environment_table import BAR, FLOOR, WALL
from gambol.climb.figure import FREE
from gambol.climb.modes import Mode
from gambol.climb.stances import machine
from gambol.climb.stances.setting import StanceSetting
from gambol.climb.stances.stance import Stance
from gambol.geometry.arrays import BoolArray, FloatArray

TURN = -2  # in place of a limb: turn round on the spot
SAME = -1  # in place of a limb: the same grasps in another mode
MOST_EACH = 14  # grasp points proposed for a limb and a mode
THINNED_M = 0.06  # among points nearer to each other than this only the best is proposed


class Proposal(NamedTuple):
    """A change of stance, and its cost in metres of way, before discomfort."""

    stance: Stance
    limb: int  # of LIMBS, TURN or SAME
    cost: float


def proposals(
    setting: StanceSetting, stance: Stance, q: FloatArray, centre: tuple[float, float], last: int = SAME
) -> Iterator[Proposal]:
    """Yield all that the machine's edges allow from a stance in some posture; the limb that moved last rests."""
    for proposal in _all(setting, stance, q, centre):
        tired = proposal.limb == last >= 0 and stance.mode in (Mode.CLIMB, Mode.CRAWL)
        same_kind = last >= 0 and proposal.limb >= 0 and proposal.limb // 2 == last // 2 and stance.mode == Mode.CRAWL
        more = machine.TIRED_COST * (2.0 if tired else 1.0 if same_kind else 0.0)
        yield proposal._replace(cost=proposal.cost + more) if more else proposal


def _all(setting: StanceSetting, stance: Stance, q: FloatArray, centre: tuple[float, float]) -> Iterator[Proposal]:
    around = _Around(setting, stance, q, centre)
    if stance.mode == Mode.WALK:
        yield from around.steps()
        yield from around.turn()
        if around.may_crawl():
            yield from around.takes(Mode.CRAWL)
        yield from around.takes(Mode.CLIMB)
        yield from around.takes(Mode.SWING)
        return
    yield from around.moves(stance.mode)
    yield from around.releases()
    for mode in (Mode.CLIMB, Mode.SWING, Mode.CRAWL):
        if mode != stance.mode:
            yield from around.moves(mode)
            yield from around.relabelled(mode)


def _idle_cost(stance: Stance) -> float:
    """Return what limbs cost that hold nothing where they should."""
    idle = stance.grasps.count(FREE)
    return machine.IDLE_COST * (idle if stance.mode in (Mode.CLIMB, Mode.CRAWL) else 0)


class _Around:
    """What is around a figure in a stance."""

    def __init__(self, setting: StanceSetting, stance: Stance, q: FloatArray, centre: tuple[float, float]) -> None:
        self.setting, self.stance, self.q = setting, stance, q
        self.grasps, self.scale, self.facing = setting.grasps, setting.scale, stance.facing
        self.side = 0 if stance.facing > 0 else 1
        self.centre = centre
        figure = setting.figure
        self.shoulder = (
            q[0] + stance.facing * figure.shoulder * np.sin(q[2]), q[1] + figure.shoulder * np.cos(q[2]),
        )  # fmt: skip
        self.arm = figure.upper_arm + figure.forearm
        self.leg = figure.thigh + figure.shank

    def steps(self) -> Iterator[Proposal]:
        """A foot goes ahead, back, or beside the other one."""
        grasps, scale = self.grasps, self.scale
        for limb in (2, 3):
            stand = self.stance.grasps[5 - limb]
            if stand == FREE:
                continue
            ahead = self.facing * (grasps.x - grasps.x[stand])
            rise = grasps.z - grasps.z[stand]
            fine = self._usable(Mode.WALK, 1) & (self.setting.room >= machine.WALKING_ROOM_M * scale)
            fine &= (ahead <= 1.0 * scale) & (ahead >= -0.6 * scale) & (np.abs(rise) <= 0.6 * scale)
            fine &= grasps.surface == FLOOR
            behind = self.facing * (grasps.x[self.stance.grasps[limb]] - grasps.x[stand]) if self._holds(limb) else 0.0
            forward = ahead > 0.05
            # High steps are shorter.
            wanted = np.where(forward, machine.STRIDE_M, -machine.BACK_STRIDE_M) * scale
            wanted -= np.sign(wanted) * np.minimum(0.5 * np.abs(rise), 0.2 * scale)
            if abs(behind) <= 0.05:  # who sets out does so with a short step
                wanted *= machine.FIRST_STRIDE
            off = ahead - wanted
            # A little too short is better than a little too long.
            tolerance = np.where(off * np.sign(wanted) > 0.0, 0.15, 0.30) * scale
            cost = machine.COSTS[Mode.WALK, Mode.WALK] * np.where(forward, 1.0, 2.0) * (1.0 + (off / tolerance) ** 2)
            beside = np.abs(ahead) <= 0.05
            cost = np.where(beside, 0.5, cost) + 0.5 * np.abs(rise)
            # The foot that is ahead stays: the other one passes it.
            stays = np.where(forward, behind > 0.05, ~beside & (behind < -0.05))
            cost = cost + np.where(stays, 0.6, 0.0)
            yield from self._best(Mode.WALK, limb, fine, cost)

    def turn(self) -> Iterator[Proposal]:
        left, right = self.stance.grasps[2:]
        if left != right or left == FREE:
            return
        if self.grasps.surface[left] == FLOOR and self.grasps.fits[1 - self.side, left, 1]:
            turned = Stance(Mode.WALK, -self.facing, self.stance.grasps)
            yield Proposal(turned, TURN, machine.TURN_COST)

    def takes(self, mode: Mode) -> Iterator[Proposal]:
        """A standing figure's hand takes something: the ground, a hold in front, one overhead."""
        if len(self.stance.feet) == 2:
            for limb in (0, 1):
                yield from self._hand(mode, limb)

    def moves(self, mode: Mode) -> Iterator[Proposal]:
        """One limb moves, or takes hold; what results is a stance of the mode."""
        for limb in (0, 1):
            yield from self._hand(mode, limb)
        for limb in (2, 3):
            yield from self._foot(mode, limb)

    def releases(self) -> Iterator[Proposal]:
        """A limb lets go."""
        stance = self.stance
        for limb in range(4):
            if not self._holds(limb):
                continue
            for mode in Mode:
                # A foot that lets go only to hang about helps nobody.
                if limb >= 2 and mode != Mode.SWING:
                    continue
                after = stance.moved(mode, limb, FREE)
                if self._is_stance(after):
                    cost = machine.RELEASE_COST if mode == stance.mode else machine.COSTS[stance.mode, mode]
                    yield Proposal(after, limb, cost + _idle_cost(after))

    def relabelled(self, mode: Mode) -> Iterator[Proposal]:
        after = self.stance._replace(mode=mode)
        if self._is_stance(after):
            yield Proposal(after, SAME, machine.COSTS[self.stance.mode, mode])

    def _holds(self, limb: int) -> bool:
        return self.stance.grasps[limb] != FREE

    def _usable(self, mode: Mode, kind: int) -> BoolArray:
        return self.grasps.allowed[mode, :, kind] & self.grasps.fits[self.side, :, kind]

    def _hand(self, mode: Mode, limb: int) -> Iterator[Proposal]:
        grasps, scale, stance = self.grasps, self.scale, self.stance
        feet, other = list(stance.feet), stance.grasps[1 - limb]
        fine = self._usable(mode, 0)
        if self._holds(limb):
            fine[stance.grasps[limb]] = False
        dx, dz = grasps.x - self.shoulder[0], grasps.z - self.shoulder[1]
        # A body that bends down reaches further.
        within = self.arm + (1.0 if mode == Mode.CRAWL else 0.45) * scale
        fine &= dx * dx + dz * dz <= within**2
        ahead = self.facing * (grasps.x - self.q[0])
        cost = np.full(len(grasps.x), machine.COSTS[stance.mode, mode])
        moved = self._from(limb)
        if mode == Mode.CRAWL:
            if not feet:
                return
            fine &= grasps.surface == FLOOR
            front = max(self.facing * grasps.x[feet])
            before = self.facing * grasps.x - front
            fine &= (before >= 0.1 * scale) & (before <= 1.15 * scale)
            fine &= np.abs(grasps.z - grasps.z[feet].mean()) <= 0.6 * scale
            if stance.mode == Mode.CRAWL:
                advance = np.abs(self.facing * (grasps.x - moved[0])) if moved is not None else np.full(len(cost), 0.4)
                cost = cost * (1.0 + ((advance - machine.CRAWL_REACH_M * scale) / (0.25 * scale)) ** 2)
                cost = cost + (machine.CRAWL_ON_IN_THE_OPEN if self._is_open() else 0.0)
                cost = cost * self._backward(moved)
            else:
                cost = cost * (0.25 if self._room_ahead() < machine.WALKING_ROOM_M * scale else 1.0)
                cost = cost * (1.0 + ((before - 0.55 * scale) / (0.4 * scale)) ** 2)
        elif mode == Mode.SWING:
            fine &= self.setting.hangs
            low = self.q[1] + 0.35 * scale if not feet or stance.mode == Mode.SWING else self.shoulder[1] + 0.2 * scale
            fine &= grasps.z >= low
            if other != FREE:
                apart = np.abs(grasps.x - grasps.x[other])
                fine &= (apart <= 0.95 * scale) & (np.abs(grasps.z - grasps.z[other]) <= 0.7 * scale)
                cost = cost * (1.0 + ((apart - machine.HAND_SPAN_M * scale) / (0.25 * scale)) ** 2)
                cost = cost * np.where(self.facing * (grasps.x - grasps.x[other]) < -0.05, 2.0, 1.0)
        else:
            fine &= ahead >= -0.1 * scale
            if feet:
                fine &= grasps.z >= grasps.z[feet].min() + 0.25 * scale
                # On top of a wall hands stay near its edge until a foot is up.
                inland = self.facing * (grasps.x - grasps.x[feet].mean()) - 0.35 * scale
                cost = cost + np.where(grasps.surface == FLOOR, 2.5 * np.maximum(0.0, inland) / scale, 0.0)
            fine &= (grasps.surface != WALL) | (self.facing * grasps.normal[:, 0] <= 0.0)
            if moved is not None:
                way = np.hypot(grasps.x - moved[0], grasps.z - moved[1])
                cost = cost * (1.0 + ((way - machine.CLIMB_REACH_M * scale) / (0.3 * scale)) ** 2)
            else:
                cost = cost * (1.0 + ((grasps.z - self.shoulder[1] - 0.15 * scale) / (0.5 * scale)) ** 2)
        yield from self._best(mode, limb, fine, cost)

    def _foot(self, mode: Mode, limb: int) -> Iterator[Proposal]:
        grasps, scale, stance = self.grasps, self.scale, self.stance
        hands = list(stance.hands)
        if not hands:
            return
        fine = self._usable(mode, 1)
        if self._holds(limb):
            fine[stance.grasps[limb]] = False
        dx, dz = grasps.x - self.q[0], grasps.z - self.q[1]
        fine &= dx * dx + dz * dz <= (self.leg + 0.4 * scale) ** 2
        cost = np.full(len(grasps.x), machine.COSTS[stance.mode, mode])
        moved = self._from(limb)
        if mode == Mode.CRAWL:
            fine &= grasps.surface == FLOOR
            back = min(self.facing * grasps.x[hands])
            before = back - self.facing * grasps.x
            fine &= (before >= 0.1 * scale) & (before <= 1.3 * scale)
            fine &= np.abs(grasps.z - grasps.z[hands].mean()) <= 0.6 * scale
            if moved is not None:
                advance = np.abs(self.facing * (grasps.x - moved[0]))
                cost = cost * (1.0 + ((advance - machine.CRAWL_REACH_M * scale) / (0.25 * scale)) ** 2)
            cost = cost * self._backward(moved)
            if self._is_open():  # to stand up, feet come close to the hands
                cost = 0.1 * (1.0 + ((before - 0.35 * scale) / (0.15 * scale)) ** 2)
        elif mode == Mode.SWING:
            fine &= (grasps.surface == FLOOR) | (grasps.surface == BAR)
            fine &= grasps.z <= min(grasps.z[hands]) - 0.9 * scale
        else:
            fine &= grasps.z <= max(grasps.z[hands]) + 0.15 * scale
            # A foot comes up to the hands, not past them.
            level = np.abs(grasps.z - grasps.z[hands].max()) < 0.3 * scale
            past = self.facing * grasps.x - max(self.facing * grasps.x[hands])
            fine &= ~((grasps.surface == FLOOR) & level & (past > -0.08 * scale))
            # High steps are hard, save onto a floor; who stands on the ground gains nothing by standing elsewhere.
            high = np.maximum(0.0, grasps.z - (grasps.z[hands].mean() - 0.6 * scale))
            cost = cost + np.where(grasps.surface == FLOOR, 0.0, 1.5 * high / scale)
            if moved is not None and self.grasps.surface[stance.grasps[limb]] == FLOOR:
                cost = cost + np.where((grasps.surface == FLOOR) & (np.abs(grasps.z - moved[1]) < 0.1), 0.4, 0.0)
            if moved is not None:
                way = np.hypot(grasps.x - moved[0], grasps.z - moved[1])
                cost = cost * (1.0 + ((way - machine.CLIMB_REACH_M * scale) / (0.3 * scale)) ** 2)
            else:
                cost = cost * (1.0 + (dz + 0.6 * scale) ** 2)
        yield from self._best(mode, limb, fine, cost)

    def _backward(self, moved: tuple[float, float] | None) -> FloatArray:
        """Return by how much more moves cost that go back: a figure goes where it looks."""
        if moved is None:
            return np.ones(len(self.grasps.x))
        return np.where(self.facing * (self.grasps.x - moved[0]) < -0.05, machine.BACKWARD, 1.0)

    def _from(self, limb: int) -> tuple[float, float] | None:
        grasp = self.stance.grasps[limb]
        return None if grasp == FREE else (float(self.grasps.x[grasp]), float(self.grasps.z[grasp]))

    def _room_ahead(self) -> float:
        """Return the least head-room over floors near by and up to 1.7 m ahead."""
        grasps, scale = self.grasps, self.scale
        ahead = self.facing * (grasps.x - self.centre[0])
        near = (grasps.surface == FLOOR) & (ahead > -0.3 * scale) & (ahead < 1.7 * scale)
        near &= (grasps.z < self.centre[1]) & (grasps.z > self.centre[1] - 1.6 * scale)
        return float(self.setting.room[near].min()) if near.any() else 10.0

    def may_crawl(self) -> bool:
        """Tell whether there is a reason to go down on all fours: little room ahead, or an edge behind."""
        if not self._is_open():
            return True
        grasps, scale = self.grasps, self.scale
        feet = list(self.stance.feet)
        rear = min(self.facing * grasps.x[feet])
        behind = rear - self.facing * grasps.x
        level = np.abs(grasps.z - grasps.z[feet].mean()) < 0.3 * scale
        return not np.any((grasps.surface == FLOOR) & level & (behind > 0.25 * scale) & (behind < 0.8 * scale))

    def _is_open(self) -> bool:
        return self._room_ahead() >= machine.UPRIGHT_ROOM_M * self.scale

    def _within_stretch(self, limb: int) -> BoolArray:
        """Tell which points a limb can hold while the others hold theirs, by lengths alone."""
        figure, grasps = self.setting.figure, self.grasps
        own = grasps.anchor[self.side, :, limb // 2]
        fine = np.ones(len(own), dtype=bool)
        for other, grasp in enumerate(self.stance.grasps):
            if grasp == FREE or other == limb:
                continue
            length = (self.arm if limb < 2 else self.leg) + (self.arm if other < 2 else self.leg)
            length += figure.shoulder if (limb < 2) != (other < 2) else 0.0
            apart = own - grasps.anchor[self.side, grasp, other // 2]
            fine &= apart[:, 0] ** 2 + apart[:, 1] ** 2 <= (0.99 * length) ** 2
        return fine

    def _best(self, mode: Mode, limb: int, fine: BoolArray, cost: FloatArray) -> Iterator[Proposal]:
        """Yield the cheapest points, thinned, that make a stance of the mode."""
        listed = np.flatnonzero(fine & self._within_stretch(limb))
        if not len(listed):
            return
        left = np.array([self.setting.left[grasp] for grasp in listed])
        order = listed[np.argsort(cost[listed] + left, kind="stable")]
        taken: list[int] = []
        for grasp in order:
            near = any(
                abs(self.grasps.x[grasp] - self.grasps.x[other]) + abs(self.grasps.z[grasp] - self.grasps.z[other])
                < THINNED_M * self.scale
                and self.grasps.surface[grasp] == self.grasps.surface[other]
                for other in taken
            )
            if near:
                continue
            after = self.stance.moved(mode, limb, int(grasp))
            if self._is_stance(after):
                yield Proposal(after, limb, float(cost[grasp]) + _idle_cost(after))
                taken.append(int(grasp))
                if len(taken) >= MOST_EACH:
                    return

    def _is_stance(self, stance: Stance) -> bool:
        """Tell whether grasps, all of a kind that the mode allows, are a stance of the mode."""
        grasps, mode = self.grasps, stance.mode
        hands, feet = stance.hands, stance.feet
        for limb, grasp in enumerate(stance.grasps):
            if grasp != FREE and not grasps.allowed[mode, grasp, limb // 2]:
                return False
        if mode == Mode.WALK:
            if hands or len(feet) < 2 or any(grasps.surface[foot] != FLOOR for foot in feet):
                return False
            return min(self.setting.room[list(feet)]) >= machine.WALKING_ROOM_M * self.scale
        if mode == Mode.SWING:
            return bool(hands) and all(self.setting.hangs[hand] for hand in hands)
        if mode == Mode.CRAWL:
            floors = all(grasps.surface[grasp] == FLOOR for grasp in (*hands, *feet))
            return floors and bool(hands) and bool(feet) and len(hands) + len(feet) >= 3
        if not hands or len(hands) + len(feet) < 3:
            return False
        return max(grasps.z[list(hands)]) >= min(grasps.z[list(feet)]) + 0.25 * self.scale
