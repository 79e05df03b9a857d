"""Carry out a change of stance: shift the weight, let go, move, take hold."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from gambol.climb.climb import Source
from gambol.climb.figure import FREE
from gambol.climb.kernels.field import distance_at
from gambol.climb.kernels.kinematics import reach
from gambol.climb.modes import LEAST_HELD, Mode
from gambol.climb.stances.connect import Connector, Span
from gambol.climb.stances.postures import Poser, Posture
from gambol.climb.stances.proposals import SAME, TURN, Proposal
from gambol.climb.stances.setting import StanceSetting
from gambol.climb.stances.stance import Stance, StancePiece
from gambol.geometry.arrays import FloatArray

TURN_SAMPLES = 16
TURNING_M = 0.27  # half of an adult's width: what is needed at either side, seen from the front half-way
SHIFTS = (0.25, 0.15, 0.08)  # of a step's way that the body goes with both feet on the ground
HIGH_SHIFTS = (0.6, 0.45, 0.3, 0.2, 0.1)  # after a high step
HIGH_M = 0.25  # from which an adult's step is high
NEAR_FRONT_M = 0.27  # behind an adult's foot in front
SPARE_M = 0.02  # by which an adult keeps inside what the other limbs can hold, before one of them moves
SWAY_M = 0.30  # beside the hands that an adult hangs from, in the course of a swing


class Made(NamedTuple):
    """A change that can be carried out: the posture it ends in, its discomfort, and the way there."""

    q: FloatArray
    discomfort: float
    pieces: tuple[StancePiece, ...]


class LimbMoves:
    def __init__(self, setting: StanceSetting, poser: Poser, connector: Connector) -> None:
        self._setting = setting
        self._poser = poser
        self._connector = connector

    def move(self, stance: Stance, q: FloatArray, proposal: Proposal, *, effort: float = 1.0) -> Made | None:
        """Return how a figure in a stance and posture carries out a proposal; None if no way is found."""
        if proposal.limb == TURN:
            return self._turn(stance, q)
        if proposal.limb == SAME:
            return self._same(stance, q, proposal.stance)
        if stance.mode == Mode.WALK and proposal.stance.mode == Mode.WALK:
            return self._step(stance, q, proposal, effort)
        return self._regrasp(stance, q, proposal, effort)

    def _step(self, stance: Stance, q: FloatArray, proposal: Proposal, effort: float) -> Made | None:
        """Walking is falling from foot to foot: the body goes on while a foot swings."""
        after, limb = proposal.stance, proposal.limb
        table = self._setting.grasps
        span = self._span(after)
        start = np.array(q)
        start[0] += 0.5 * (table.x[after.grasps[limb]] - table.x[stance.grasps[limb]])
        start[1] += 0.5 * (table.z[after.grasps[limb]] - table.z[stance.grasps[limb]])
        start[8:12] = q[[10, 11, 8, 9]]
        fitted = (
            self._poser.fit(after, start, allowed, effort=1.5 * effort)
            for allowed in self._after_step(after, limb, span)
        )
        posture = next((posture for posture in fitted if posture is not None), None)
        if posture is None:
            return None
        either = _hull(self._span(stance), span)
        pieces: list[StancePiece] = []
        # Both feet stand a while: the body goes on before the foot behind leaves.
        left, right = stance.feet
        is_high = abs(table.z[left] - table.z[right]) > HIGH_M * self._setting.scale
        for share in HIGH_SHIFTS if is_high else SHIFTS:
            shifted = np.array(q)
            shifted[:4] += share * (posture.q[:4] - q[:4])
            shifted[4:8] += share * (posture.q[4:8] - q[4:8])
            way = self._connector.straight(stance, q, shifted, either, tree=False)
            if way is not None:
                pieces.append(_piece(way, stance, stance.grasps, Source.MACHINE))
                q = way[-1]
                break
        if is_high:
            over = self._over_front(stance, q, limb, either)
            if over is None and effort <= 1.0:
                return None
            if over is not None and len(over):
                pieces.append(_piece(over, stance, stance.grasps, Source.COMFORT))
                q = over[-1]
        # Steps that need a search are no steps, unless there is nothing else.
        way = self._connector.moving(stance, after, limb, q, posture.q, either, effort=effort, tree=effort > 1.0)
        return self._made(stance, after, limb, posture, pieces, way)

    def _over_front(self, stance: Stance, q: FloatArray, limb: int, either: Span) -> FloatArray | None:
        """Return the samples of a way to where the foot in front bears the body alone; None if there is none."""
        low, high = self._span(stance._replace(grasps=stance.without(limb)))
        if low <= self._poser.centre(stance.facing, q)[0] <= high:
            return np.empty((0, 12))
        posture = self._poser.fit(stance, q, (low, high))
        return None if posture is None else self._connector.straight(stance, q, posture.q, either)

    def _after_step(self, after: Stance, limb: int, span: Span) -> Iterator[Span]:
        """Yield where the body is to be after a step, best first.

        Near enough to the foot in front to be carried over it; after a high step up, which is slow, over it; never past
        a foot that went down.
        """
        table, scale = self._setting.grasps, self._setting.scale
        taken, stand = after.grasps[limb], after.grasps[5 - limb]
        ahead, rise = table.x[taken] - table.x[stand], table.z[taken] - table.z[stand]
        if abs(ahead) > 0.05:
            behind = NEAR_FRONT_M * scale - 0.25 * max(0.0, rise)
            past = 0.02 * scale if rise < -0.12 * scale else np.inf
            if rise > HIGH_M * scale:
                yield _towards(ahead, table.x[taken], 0.04 * scale, np.inf, span)
            yield _towards(ahead, table.x[taken], behind, past, span)
        yield span

    def _regrasp(self, stance: Stance, q: FloatArray, proposal: Proposal, effort: float) -> Made | None:
        """Shift until the other grasps hold the body, then move the limb."""
        after, limb = proposal.stance, proposal.limb
        common = Stance(after.mode, after.facing, after.without(limb))
        held = self._span(common)
        if not held[0] < held[1] or not (has_enough(common) or has_enough(common._replace(mode=stance.mode))):
            return None
        spare = min(SPARE_M * self._setting.scale, 0.25 * (held[1] - held[0]))
        inside = held[0] + spare, held[1] - spare
        shifted = np.array(q)
        pieces: list[StancePiece] = []
        centre, _ = self._poser.centre(stance.facing, q)
        if stance.grasps[limb] != FREE and not inside[0] <= centre <= inside[1]:
            posture = self._poser.fit(stance, q, inside, effort=effort)
            if posture is None:
                return None
            way = self._connector.straight(stance, q, posture.q, _hull(self._span(stance), held))
            if way is None:
                return None
            pieces.append(_piece(way, stance, stance.grasps, Source.COMFORT))
            shifted = posture.q
        posture = self._poser.fit(after, shifted, inside, effort=effort)
        if posture is None:
            return None
        way = self._connector.moving(stance, after, limb, shifted, posture.q, held, effort=effort)
        return self._made(stance, after, limb, posture, pieces, way)

    def _same(self, stance: Stance, q: FloatArray, after: Stance) -> Made | None:
        span = self._span(after)
        posture = self._poser.fit(after, q, span)
        if posture is None:
            return None
        way = self._connector.straight(after, q, posture.q, _hull(self._span(stance), span))
        if way is None:
            return None
        return Made(posture.q, posture.discomfort, (_piece(way, after, after.grasps, Source.COMFORT),))

    def _turn(self, stance: Stance, q: FloatArray) -> Made | None:
        """Stand straight above the feet, then turn round on the spot, where there is room for a body's width."""
        figure = self._setting.figure
        ankle = self._setting.targets(stance.facing, stance.grasps)[2]
        straight = np.zeros(12)
        straight[:3] = ankle[0], ankle[1] + 0.99 * (figure.thigh + figure.shank), 0.0
        straight[4:8] = 0.05, 0.25, 0.05, 0.25
        for limb in (2, 3):
            if not reach(figure, float(stance.facing), straight, limb, float(ankle[0]), float(ankle[1])):
                return None
        levels = straight[1] + figure.torso * np.linspace(0.0, 1.0, 4)
        width = TURNING_M * self._setting.scale
        if min(distance_at(self._setting.field, float(ankle[0]), float(level)) for level in levels) < width:
            return None
        span = self._span(stance)
        # The feet are right below, so they stay where they are however the body is turned.
        way = self._connector.straight(stance, q, straight, _hull(span, (ankle[0] - 0.05, ankle[0] + 0.05)))
        if way is None:
            return None
        facings = stance.facing * np.cos(np.linspace(0.0, np.pi, TURN_SAMPLES + 1))
        standing = np.tile(way[-1], (TURN_SAMPLES + 1, 1))
        pieces = (
            _piece(way, stance, stance.grasps, Source.COMFORT),
            StancePiece(standing[1:], facings[1:], Mode.WALK, stance.grasps, Source.MACHINE),
        )
        return Made(np.array(standing[-1]), 0.5, pieces)

    def _made(
        self,
        stance: Stance,
        after: Stance,
        limb: int,
        posture: Posture,
        pieces: list[StancePiece],
        way: FloatArray | None,
    ) -> Made | None:
        if way is None:
            return None
        between = Stance(after.mode, after.facing, after.without(limb))
        if not has_enough(between):  # it is still the mode before, until there is hold
            between = between._replace(mode=stance.mode)
            if not has_enough(between):
                return None
        if len(way) > 1:
            pieces.append(_piece(way[:-1], between, between.grasps, Source.MACHINE))
        pieces.append(_piece(way[-1:], after, after.grasps, Source.MACHINE))
        return Made(way[-1].copy(), posture.discomfort, tuple(pieces))

    def _span(self, stance: Stance) -> Span:
        """Return where a stance holds the centre of mass, at rest or in the course of a swing."""
        low, high = self._setting.span(stance.mode, stance.facing, stance.grasps)
        if stance.mode == Mode.SWING and not stance.feet:
            sway = SWAY_M * self._setting.scale
            return low - sway, high + sway
        return low, high


def has_enough(stance: Stance) -> bool:
    """Tell whether a stance holds the least that its mode asks for."""
    hands, feet, both = LEAST_HELD[stance.mode]
    return len(stance.hands) >= hands and len(stance.feet) >= feet and stance.held >= both


def _towards(ahead: float, x: float, behind: float, past: float, span: Span) -> Span:
    """Return the part of a span from so far behind a place to so far past it, for who goes ahead or back."""
    low, high = (x - behind, x + past) if ahead > 0.0 else (x - past, x + behind)
    return max(span[0], low), min(span[1], high)


def _hull(first: Span, second: Span) -> Span:
    return min(first[0], second[0]), max(first[1], second[1])


def _piece(way: FloatArray, stance: Stance, grasps: tuple[int, int, int, int], source: Source) -> StancePiece:
    return StancePiece(way, np.full(len(way), float(stance.facing)), stance.mode, grasps, source)
