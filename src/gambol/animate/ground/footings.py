"""Where feet, hooves and hands go over the ground.

While it is planted, a sole lies on one plane through the ground below it, however it rolls: what
rests on level ground rests there.  In between it keeps its height above the ground that it passes.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.ndimage import gaussian_filter1d, maximum_filter1d

from gambol.animate.ground.carriage import HOOFED_SQUARE, kneeling
from gambol.animate.ground.plane import Plane, bridge, plane_under, smooth, smoothstep, tilt
from gambol.animate.ground.soles import Sole
from gambol.geometry import quaternion
from gambol.geometry.arrays import BoolArray, FloatArray, Int64Array
from gambol.motion.contact_points import ContactPoint, point_positions
from gambol.motion.contacts import runs
from gambol.motion.figure import board_joint
from gambol.motion.motion import Motion
from gambol.world.terrain import Terrain

SWING_SMOOTHING_S = 0.03  # standard deviation of the smoothing of the ground that a swinging sole passes
FADE_S = 0.07  # how long what a stance asks of a foot lasts where no other takes over: short, for clearance in jumps
WITH_BODY_FADE_S = 0.25  # the same for hands, which go with the body, and feet, with a board
HALF_WIDTH_M = 0.04  # of a sole
HAND_M = 0.05  # half the length over which a hand feels the ground
FREE_RAD = np.radians(45.0)  # a sole pitched so far from the ground keeps its own pitch
FLATTENING_S = 0.08  # how long before and after it must lie flat a sole pitched otherwise begins to
LIFT_S = 0.08  # how long before and after a swinging sole would sink into the ground it rises
LEAST_LIFT_M = 0.002
KNEELS = 0.9  # of the way down, a knee is on the ground
RIDING_M_S = 0.4  # a foot slower than this on its board stands on it


class Footing(NamedTuple):
    """Where a sole's joint shall be, frame by frame, and how it is turned."""

    sole: Sole
    places: FloatArray  # (F, 3) metres, of the sole's joint
    turns: FloatArray  # (F, 4) in the world, to put before (left of) the joint's own orientation
    above: FloatArray  # (F, 4) the same for the joints between it and the limb's end, and for that end
    held: BoolArray  # (F,) it must be there; elsewhere it should
    steepness: FloatArray  # (F,) rise per metre of what it stands on


def end_places(motion: Motion, footing: Footing) -> FloatArray:
    """Return where the end of a limb must be (F, 3) for its sole to be in place."""
    limb, joint = footing.sole.limb, footing.sole.joint
    away = motion.world_positions[:, joint] - motion.world_positions[:, limb.end]
    return footing.places - quaternion.rotate(footing.above, away)


def leg_footing(motion: Motion, sole: Sole, terrain: Terrain, shift: FloatArray) -> Footing:
    """Return where a foot or hoof goes, set aside by a shift (F, 3) in the plane."""
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
    """Return where a foot goes that rides on a board, or steps off it to push."""
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
    """Return where a hand goes that is planted at some time: off the ground it goes with the body.

    result: the motion as the body is carried over the ground.
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
    """Return the plane on which a sole stands, and gradients (N, 2) along which it lies: the shin's where it kneels."""
    front, back = (points[stance, end][sole.planted[stance, end], :2] for end in (0, 1))
    soles = (points[stance, 0] - points[stance, 1])[:, :2].mean(axis=0)
    ahead = _length(motion, sole) * soles / max(float(np.linalg.norm(soles)), 1e-9)
    front_place = front.mean(axis=0) if len(front) else back.mean(axis=0) + ahead
    back_place = back.mean(axis=0) if len(back) else front_place - ahead
    plane = plane_under(terrain, back_place, front_place, HALF_WIDTH_M)
    kneels = kneels[stance, None]
    gradients = np.broadcast_to(plane.gradient, (len(kneels), 2))
    if len(front) and np.any(kneels > KNEELS):
        # Shins lie along the ground, from the knee to the toes.
        knee = knees[stance, :2][kneels[:, 0] > KNEELS].mean(axis=0)
        shin = plane_under(terrain, knee, front_place, HALF_WIDTH_M)
        gradients = gradients + kneels * (shin.gradient - gradients)
    return plane, gradients


def _unevenness(terrain: Terrain, plane: Plane, pivots: FloatArray, ends: Int64Array) -> FloatArray:
    """Return how much higher than its plane the ground is (N,) where an end of a sole slides to; zero if it rests."""
    above = terrain.height(pivots) - plane.heights(pivots)
    for end in np.unique(ends):
        middle = pivots[ends == end].mean(axis=0)
        above[ends == end] -= terrain.height(middle) - plane.heights(middle)
    return above


def _length(motion: Motion, sole: Sole) -> float:
    """Return how far the front of a sole is from its back, seen from above."""
    front, back = (_at_rest(motion, point) for point in (sole.front, sole.back or sole.front))
    return max(float(np.hypot(*(front - back)[:2])), HAND_M)


def _flatness(motion: Motion, sole: Sole, points: FloatArray) -> FloatArray:
    """Return how far a sole must lie along the ground (F,): 1 where it does, 0 where it is pitched far from it."""
    if sole.back is None:
        return np.ones(motion.frame_count)
    flat = np.array(sole.is_flat)
    # Where one end is planted right after the other the sole must be flat too, or it would slide.
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
    """Return gradients (F, 2): those of the stances (N, 2), and gently from one to the next."""
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
    """Return how far to raise a swinging sole (F,) so that none of its points is deeper in the ground than before."""
    flat = point_positions(motion, sole.lowest)
    moved = places[:, None] + quaternion.rotate(turns[:, None], flat - motion.world_positions[:, sole.joint, None])
    depths = terrain.height(moved) - moved[..., 2] + np.minimum(flat[..., 2], 0.0)
    depths = np.maximum(depths.max(axis=1) - LEAST_LIFT_M, 0.0)
    depths[held] = 0.0
    reach = max(1, round(LIFT_S * motion.rate_hz))
    highest = maximum_filter1d(depths, 2 * reach + 1, mode="nearest")
    lift = gaussian_filter1d(highest, reach / 3.0, radius=reach, mode="nearest")
    lift[held] = 0.0
    return lift
