"""Where feet, hooves and hands go over the ground.

A planted sole stands on one plane through the ground below it, from heel strike to toe-off.  A swinging
sole keeps its height above the ground below it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from gambol.animate.ground.carriage import HOOFED_SQUARE, kneeling
from gambol.animate.ground.plane import Plane, bridge, plane_under, smooth, smoothstep, tilt
from gambol.animate.ground.soles import Sole
from gambol.geometry import quaternion
from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array
from gambol.geometry.smoothing import envelope
from gambol.motion.contacts import ContactPoint, point_positions, runs
from gambol.motion.figure import board_joint
from gambol.motion.motion import Motion
from gambol.world.terrain import Terrain

SWING_SMOOTHING_S = 0.03  # s, > 0: standard deviation that smooths the ground below a swinging sole
FADE_S = 0.07  # s, > 0: how fast a stance's correction fades in the air; larger costs clearance in jumps
WITH_BODY_FADE_S = 0.25  # s, > 0: the same for hands that go with the body and for feet on a board
HALF_WIDTH_M = 0.04  # m, > 0: half the width of a sole; a wider sole averages the ground's slope over more
HAND_M = 0.05  # m, > 0: half the length and width of a hand; larger averages more ground
FREE_RAD = np.radians(45.0)  # rad, > 0: a sole pitched this far keeps its own pitch; larger turns more with the ground
FLATTENING_S = 0.08  # s, > 0: a pitched sole begins to turn flat this long before it must be; larger is gentler
LIFT_S = 0.08  # s, > 0: a swinging sole rises this long before it would sink into the ground; larger is gentler
LEAST_LIFT_M = 0.002  # m, >= 0: a swinging sole may be this much deeper in the ground than before
KNEELS = 0.9  # 0..1: a knee with `kneeling` above this is on the ground; its shin lies along the ground
RIDING_M_S = 0.4  # m/s, > 0: a foot slower than this relative to its board stands on it


class Footing(NamedTuple):
    """Where a sole's joint should be in each frame, and its orientation."""

    sole: Sole
    places: FloatArray  # (F, 3) metres: positions of the sole's joint
    turns: FloatArray  # (F, 4) in the world: multiply from the left with the joint's orientation
    above: FloatArray  # (F, 4) the same for the joints from the limb's end to the one above the sole's joint
    held: BoolArray  # (F,) whether the place is a must; elsewhere it is a wish
    steepness: FloatArray  # (F,) rise per metre of the ground below


def end_places(motion: Motion, footing: Footing) -> FloatArray:
    """Return where the end of a limb must be (F, 3) for its sole to be in place."""
    limb, joint = footing.sole.limb, footing.sole.joint
    away = motion.world_positions[:, joint] - motion.world_positions[:, limb.end]
    return footing.places - quaternion.rotate(footing.above, away)


def leg_footing(motion: Motion, sole: Sole, terrain: Terrain, shift: FloatArray) -> Footing:
    """Return where a foot or hoof goes; shift (F, 3) in metres moves it in the ground plane."""
    joints = motion.world_positions[:, sole.joint]
    points = point_positions(motion, (sole.front, sole.back or sole.front))
    held = sole.is_planted
    stances = runs(held)
    kneels = kneeling(motion, sole.limb)
    shifts = np.array(shift)
    for first, last in stances:
        stance = slice(first, last + 1)
        shifts[stance] = np.average(shift[stance], axis=0, weights=kneels[stance] + 1e-9)
    places = points + shifts[:, None]
    knees = motion.world_positions[:, sole.limb.middle] + shifts
    stood = [_stance_plane(motion, sole, places, knees, kneels, terrain, slice(a, b + 1)) for a, b in stances]
    gradients = _between(stances, [tilts for _, tilts in stood], motion.frame_count)
    flatness = _flatness(motion, sole, points)
    turns = tilt((flatness + kneels * (1.0 - flatness))[:, None] * gradients)
    usual = np.array(shift)
    usual[:, 2] = smooth(terrain.height(points + shift[:, None]).mean(axis=1), SWING_SMOOTHING_S * motion.rate_hz)
    wanted = np.zeros_like(joints)
    for (first, last), (plane, _) in zip(stances, stood, strict=True):
        stance = slice(first, last + 1)
        end = np.where(sole.planted[stance, 0], 0, 1)
        frames = np.arange(first, last + 1)
        away = quaternion.rotate(turns[stance], joints[stance] - points[frames, end])
        pivots = plane.carry(places[frames, end])
        pivots[:, 2] += _unevenness(terrain, plane, pivots, end)
        wanted[stance] = pivots + away - joints[stance] - usual[stance]
    moved = joints + usual + bridge(wanted, held, FADE_S * motion.rate_hz)
    moved[:, 2] += _lift(motion, sole, terrain, moved, turns, held)
    above = turns if sole.joint == sole.limb.end else tilt(HOOFED_SQUARE * gradients)
    return Footing(sole, moved, turns, above, held, np.linalg.norm(gradients, axis=1))


def riding_footing(motion: Motion, sole: Sole, terrain: Terrain, deck: Plane) -> Footing:
    """Return where the foot of a rider goes: on the board, or on the ground to push; deck is the board's plane."""
    on_board = leg_footing(motion, sole, terrain, np.zeros((motion.frame_count, 3)))
    joints = motion.world_positions[:, sole.joint]
    with_board = deck.carry(joints)
    board = board_joint(motion.skeleton)
    back = quaternion.conjugate(motion.world_rotations[:, board])
    seen = quaternion.rotate(back, joints - motion.world_positions[:, board])
    steps = np.diff(seen, axis=0, prepend=seen[:1])
    speeds = np.linalg.norm(steps, axis=1) * motion.rate_hz
    riding = ~on_board.held & (speeds < RIDING_M_S)
    turned = quaternion.multiply(on_board.turns, quaternion.conjugate(tilt(deck.gradient)))
    wanted = np.column_stack((on_board.places - with_board, quaternion.log(turned)))
    wanted[riding] = 0.0
    corrections = bridge(wanted, riding | on_board.held, WITH_BODY_FADE_S * motion.rate_hz)
    turns = quaternion.multiply(quaternion.exp(corrections[:, 3:]), tilt(deck.gradient))
    places = with_board + corrections[:, :3]
    places[:, 2] += _lift(motion, sole, terrain, places, turns, on_board.held)
    return on_board._replace(places=places, turns=turns, above=turns)


def hand_footing(motion: Motion, sole: Sole, terrain: Terrain, shift: FloatArray, result: Motion) -> Footing:
    """Return where a hand goes that is planted at some time; off the ground it moves with the body.

    result: the motion after its body was adapted to the ground.
    """
    hands = motion.world_positions[:, sole.joint]
    with_body = quaternion.multiply(
        result.world_rotations[:, sole.joint], quaternion.conjugate(motion.world_rotations[:, sole.joint])
    )
    held = sole.is_planted
    wanted = np.zeros((motion.frame_count, 6))
    steepness = np.zeros(motion.frame_count)
    for first, last in runs(held):
        stance = slice(first, last + 1)
        places = hands[stance] + shift[stance].mean(axis=0)
        middle = places[:, :2].mean(axis=0)
        plane = plane_under(terrain, middle - [HAND_M, 0.0], middle + [HAND_M, 0.0], HAND_M)
        plane = plane._replace(origin=np.array([*middle, float(terrain.height(middle))]))
        wanted[stance, :3] = plane.carry(places) - result.world_positions[stance, sole.joint]
        back = quaternion.conjugate(with_body[stance])
        wanted[stance, 3:] = quaternion.log(quaternion.multiply(tilt(plane.gradient), back))
        steepness[stance] = np.linalg.norm(plane.gradient)
    corrections = bridge(wanted, held, WITH_BODY_FADE_S * motion.rate_hz)
    turns = quaternion.multiply(quaternion.exp(corrections[:, 3:]), with_body)
    return Footing(sole, result.world_positions[:, sole.joint] + corrections[:, :3], turns, turns, held, steepness)


def _stance_plane(
    motion: Motion,
    sole: Sole,
    points: FloatArray,
    knees: FloatArray,
    kneels: FloatArray,
    terrain: Terrain,
    stance: slice,
) -> tuple[Plane, FloatArray]:
    """Return the plane on which a sole stands, and the gradients (N, 2) along which it lies: the shin's, kneeling."""
    front, back = (points[stance, end][sole.planted[stance, end], :2] for end in (0, 1))
    soles = (points[stance, 0] - points[stance, 1])[:, :2].mean(axis=0)
    ahead = _length(motion, sole) * soles / max(float(np.linalg.norm(soles)), 1e-9)
    front_place = front.mean(axis=0) if len(front) else back.mean(axis=0) + ahead
    back_place = back.mean(axis=0) if len(back) else front_place - ahead
    plane = plane_under(terrain, back_place, front_place, HALF_WIDTH_M)
    kneels = kneels[stance, None]
    gradients = np.broadcast_to(plane.gradient, (len(kneels), 2))
    if len(front) and np.any(kneels > KNEELS):
        # A kneeling leg's shin lies along the ground, from the knee to the toes.
        knee = knees[stance, :2][kneels[:, 0] > KNEELS].mean(axis=0)
        shin = plane_under(terrain, knee, front_place, HALF_WIDTH_M)
        gradients = gradients + kneels * (shin.gradient - gradients)
    return plane, gradients


def _unevenness(terrain: Terrain, plane: Plane, pivots: FloatArray, ends: Int64Array) -> FloatArray:
    """Return the ground's height above the plane (N,) at a sliding end of a sole; zero if the end rests."""
    above = terrain.height(pivots) - plane.heights(pivots)
    for end in np.unique(ends):
        middle = pivots[ends == end].mean(axis=0)
        above[ends == end] -= terrain.height(middle) - plane.heights(middle)
    return above


def _length(motion: Motion, sole: Sole) -> float:
    """Return the length of a sole in the rest pose, seen from above, metres."""
    front, back = (_at_rest(motion, point) for point in (sole.front, sole.back or sole.front))
    return max(float(np.hypot(*(front - back)[:2])), HAND_M)


def _flatness(motion: Motion, sole: Sole, points: FloatArray) -> FloatArray:
    """Return how much a sole lies along the ground (F,): 1 where it is flat, 0 where it is pitched steeply."""
    if sole.back is None:
        return np.ones(motion.frame_count)
    flat = np.array(sole.is_flat)
    # Where the stance passes from one end to the other at once, the sole must be flat too, or it would slide.
    switched = sole.planted[1:, 0] & sole.planted[:-1, 1] | sole.planted[1:, 1] & sole.planted[:-1, 0]
    flat[1:] |= switched
    flat[:-1] |= switched
    rest = _at_rest(motion, sole.front) - _at_rest(motion, sole.back)
    rise = (points[:, 0, 2] - points[:, 1, 2]) / np.linalg.norm(rest)
    pitch = np.arcsin(np.clip(rise, -1.0, 1.0))
    pitch -= np.median(pitch[flat]) if flat.any() else np.arcsin(rest[2] / np.linalg.norm(rest))
    flatness = 1.0 - smoothstep(np.abs(pitch) / FREE_RAD)
    missing = bridge((1.0 - flatness)[:, None], flat, FLATTENING_S * motion.rate_hz)[:, 0]
    return np.clip(flatness + missing, 0.0, 1.0)


def _at_rest(motion: Motion, point: ContactPoint) -> FloatArray:
    return motion.skeleton.rest_positions[point.joint] + np.array(point.offset)


def _between(stances: list[tuple[int, int]], tilts: list[FloatArray], frames: int) -> FloatArray:
    """Return gradients (F, 2): each stance's own (N, 2), with smooth passages between stances."""
    gradients = np.zeros((frames, 2))
    for number, ((first, last), own) in enumerate(zip(stances, tilts, strict=True)):
        left = stances[number - 1][1] if number > 0 else -1
        before = gradients[left] if number > 0 else own[0]
        share = smoothstep(np.arange(1, first - left) / (first - left))[:, None]
        gradients[left + 1 : first] = before + share * (own[0] - before)
        gradients[first : last + 1] = own
        gradients[last + 1 :] = own[-1]
    return gradients


def _lift(
    motion: Motion, sole: Sole, terrain: Terrain, places: FloatArray, turns: FloatArray, held: BoolArray
) -> FloatArray:
    """Return how far to raise a swinging sole (F,) so that no point is deeper in the ground than before."""
    flat = point_positions(motion, sole.lowest)
    moved = places[:, None] + quaternion.rotate(turns[:, None], flat - motion.world_positions[:, sole.joint, None])
    depths = terrain.height(moved) - moved[..., 2] + np.minimum(flat[..., 2], 0.0)
    depths = np.maximum(depths.max(axis=1) - LEAST_LIFT_M, 0.0)
    depths[held] = 0.0
    reach = max(1, round(LIFT_S * motion.rate_hz))
    lift = envelope(depths, reach)
    lift[held] = 0.0
    return lift
