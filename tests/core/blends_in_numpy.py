"""Blends of two clips in plain numpy: what the core's `gb_join_blend` does, a frame and a joint at a time."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
from tests.core.poses_in_numpy import placed_joints

from gambol.characters.motion_table import LimbTable, MotionTable
from gambol.geometry import planar, quaternion
from gambol.motion.two_bone_ik import solve_two_bone

Window = SimpleNamespace  # roots (N, 3), rotations (N, J, 4), offsets (N, J, 3), planted (N, P)
SETTLING_S, ROUNDING_M, LIFTING_ROUNDS, LEAST_LIFT_M = 0.05, 0.008, 3, 0.001
STEADYING_S, PEAKING_S, PEAK_TOLERANCE, GENTLE_M_S2, TIE = 0.0024, 0.015, 1.25, 20.0, 1e-6


def ramp(frames: np.ndarray, first: int, last: int) -> np.ndarray:
    """Rise smoothly from 0 at the first frame to 1 at the last."""
    share = np.clip((frames - first) / max(last - first, 1), 0.0, 1.0)
    return share * share * (3.0 - 2.0 * share)


def between(a: np.ndarray, b: np.ndarray, share: np.ndarray) -> np.ndarray:
    """Return rotations between a and b; arcs of less than two degrees count as straight."""
    b = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0.0, -b, b)
    straight = quaternion.normalize(a + np.asarray(share)[..., None] * (b - a))
    is_short = np.sum(a * b, axis=-1, keepdims=True) > 0.9995
    return np.where(is_short, straight, quaternion.slerp(a, b, share))


def blend_pair(table: MotionTable, limbs: LimbTable, a: int, b: int, *, clean: bool) -> Window:
    """Blend clip a with clip b after it."""
    width = min(table.margin[a], table.margin[b], table.steps[a] // 2, table.steps[b] // 2)
    last_of_a = table.first[a] + table.margin[a] + table.steps[a]
    before = cut_window(table, last_of_a - width, width, table.end[a])
    after = cut_window(table, table.first[b] + table.margin[b] - width, width, np.zeros(3))
    settling = SETTLING_S * table.rate_hz
    if table.recorded[b, 0] < width:
        stand_in(after, before, -1, settling)
    if table.recorded[a, 1] < width:
        stand_in(before, after, 1, settling)
    mixed = mix(before, after)
    if clean:
        round_corner(mixed.roots, before.roots, after.roots)
        plant_limbs(table, limbs, (a, b), before, after, mixed)
    return mixed


def cut_window(table: MotionTable, first: int, width: int, pose: np.ndarray) -> Window:
    """Return frames of the table, seen from a planar pose."""
    rows = slice(first, first + 2 * width + 1)
    roots, rotations = table.root_positions[rows].copy(), table.rotations[rows].copy()
    roots[:, :2] = planar.apply(planar.invert(pose), roots[:, :2])
    rotations[:, 0] = quaternion.multiply(quaternion.from_heading(-pose[2]), rotations[:, 0])
    offsets = np.broadcast_to(table.offsets, (len(table.rotations), *table.offsets.shape[1:]))[rows].copy()
    return Window(roots=roots, rotations=rotations, offsets=offsets, planted=table.planted[rows].copy())


def turn_to(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Return axis times angle of the turns from a to b, in a's own frame."""
    return quaternion.log(quaternion.multiply(quaternion.conjugate(a), b))


def stand_in(own: Window, other: Window, step: int, settling: float) -> None:
    """Replace frames that nobody recorded by those of the other clip, moved to meet; differences in speed fade."""
    m = len(own.roots) // 2
    faster = step * ((own.roots[m] - own.roots[m - step]) - (other.roots[m + step] - other.roots[m]))
    fast, slow = (turn_to(own.rotations[m - step], own.rotations[m]), turn_to(*other.rotations[[m, m + step]]))
    apart, turned = own.roots[m] - other.roots[m], turn_to(other.rotations[m], own.rotations[m])
    for f in range(m + step, len(own.roots) if step > 0 else -1, step):
        settled = step * settling * (1.0 - np.exp(-abs(f - m) / settling))
        own.roots[f] = other.roots[f] + apart + faster * settled
        by = quaternion.exp(turned + step * settled * (fast - slow))
        own.rotations[f] = quaternion.multiply(other.rotations[f], by)
        own.offsets[f], own.planted[f] = own.offsets[m], other.planted[f]


def mix(a: Window, b: Window) -> Window:
    """Mix rotations, height and offsets; in the plane the root follows a up to the join, then b."""
    frames = np.arange(len(a.roots))
    weight, is_a = ramp(frames, 0, len(frames) - 1), frames <= len(frames) // 2
    roots = np.where(is_a[:, None], a.roots, b.roots)
    roots[:, 2] = (1.0 - weight) * a.roots[:, 2] + weight * b.roots[:, 2]
    return Window(
        roots=roots,
        rotations=between(a.rotations, b.rotations, weight[:, None]),
        offsets=a.offsets + weight[:, None, None] * (b.offsets - a.offsets),
        planted=np.where(is_a[:, None], a.planted, b.planted),
    )


def round_corner(roots: np.ndarray, a: np.ndarray, b: np.ndarray) -> None:
    """Round the corner of the path at the join."""
    m = len(roots) // 2
    if m > 0:
        corner = 0.5 * (b[m + 1] - b[m - 1] - a[m + 1] + a[m - 1])[:2]
        reach = min(m, 13.5 * ROUNDING_M / max(np.linalg.norm(corner), 1e-12))
        away = np.minimum(np.abs(np.arange(len(roots)) - m), reach)[:, None]
        roots[:, :2] -= 0.5 * away * (1.0 - away / reach) ** 2 * corner


def points_of(joints: np.ndarray, offsets: np.ndarray, placed: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Return where points are that are fixed to joints, (N, P, 3)."""
    return placed[0][:, joints] + quaternion.rotate(placed[1][:, joints], offsets)


def placed(limbs: LimbTable, window: Window) -> tuple[np.ndarray, np.ndarray]:
    return placed_joints(limbs.parents, window.offsets, window.roots, window.rotations)


def plant_limbs(table: MotionTable, limbs: LimbTable, clips: tuple[int, int], a: Window, b: Window, mixed: Window):
    """Let each limb follow a, then b, from where and when its planted points stand still."""
    of_a, of_b, frames = placed(limbs, a), placed(limbs, b), np.arange(len(a.roots))
    for limb, (_, _, end) in enumerate(limbs.joints):
        own = limbs.point_limb == limb
        stands = bool(a.planted[:, own].any() or b.planted[:, own].any())
        if not (stands or limbs.is_leg[limb]):
            continue
        support = -1 if stands else limbs.support
        span = changeover(table, limbs, own, of_a, of_b, a, b) if stands else (0, len(frames) - 1)
        weight = ramp(frames, *span)
        if stands or support >= 0:
            follow(limbs, limb, weight, a, b, mixed)
        targets, ends = aim(support, end, weight, of_a, of_b, placed(limbs, mixed), is_led=stands or support >= 0)
        hinge = table.hinges[clips[0], limb] + table.hinges[clips[1], limb]
        hinge = hinge / np.linalg.norm(hinge) if np.linalg.norm(hinge) >= 1e-9 else table.hinges[clips[0], limb]
        allowed = np.where(frames <= len(frames) // 2, sunken(limbs, limb, of_a), sunken(limbs, limb, of_b))
        for _ in range(LIFTING_ROUNDS):
            bend(limbs, limb, hinge, targets, ends, mixed)
            lift = sunken(limbs, limb, placed(limbs, mixed)) - allowed
            if not np.any(lift > LEAST_LIFT_M):
                break
            targets[:, 2] += np.where(lift > LEAST_LIFT_M, lift, 0.0)


def changeover(table: MotionTable, limbs: LimbTable, own: np.ndarray, of_a, of_b, a: Window, b: Window):
    """Return the first and last frame of a limb's changeover: of all, the one of least cost."""
    joints, offsets = limbs.point_joint[own], limbs.point_offset[own]
    p, q = points_of(joints, offsets, of_a), points_of(joints, offsets, of_b)
    n, rate = len(p), table.rate_hz
    sharp = [np.linalg.norm(np.diff(one, 2, axis=0), axis=-1) for one in (p, q)]  # of frames 1 to n - 2
    usual = np.concatenate((sharp[0][: n // 2], sharp[1][n // 2 :]))
    peak = PEAK_TOLERANCE * max(usual.max(initial=0.0), GENTLE_M_S2 / rate**2)
    stay = [(w.planted[1:-1] & w.planted[2:])[:, own].astype(float) for w in (a, b)]
    spans = [(first, first + length) for length in range(n - 1, 0, -1) for first in range(n - length)]

    def cost(span: tuple[int, int]) -> float:
        weight = ramp(np.arange(n), *span)[:, None, None]
        mixed, rest = p + weight * (q - p), q - p
        middle = 0.5 * (weight[1:-1, 0] + weight[2:, 0])
        held = stay[0] * (1.0 - middle) + stay[1] * middle
        slide = held * np.sum((mixed[2:] - mixed[1:-1])[..., :2] ** 2, axis=-1)
        added = (weight[2:] - weight[1:-1]) * rest[2:] + (weight[:-2] - weight[1:-1]) * rest[:-2]
        steady = (STEADYING_S * rate) ** 2 * np.sum(added**2, axis=-1)
        above = np.maximum(np.linalg.norm(np.diff(mixed, 2, axis=0), axis=-1) - peak, 0.0)
        return rate**2 * np.sum(slide + steady + (PEAKING_S * rate * above) ** 2) + TIE * (n - span[1] + span[0])

    return min(spans, key=cost, default=(0, n - 1))


def follow(limbs: LimbTable, limb: int, weight: np.ndarray, a: Window, b: Window, mixed: Window) -> None:
    """Mix a limb by its own weights."""
    own, points = limbs.is_own[limb], limbs.point_limb == limb
    mixed.rotations[:, own] = between(a.rotations[:, own], b.rotations[:, own], weight[:, None])
    mixed.planted[:, points] = np.where(weight[:, None] < 0.5, a.planted[:, points], b.planted[:, points])


def aim(support: int, end: int, weight: np.ndarray, of_a, of_b, mixed, *, is_led: bool):
    """Return where a limb's end should be and how it is turned: in the world, or on a support as it is mixed."""
    if not is_led:
        return mixed[0][:, end].copy(), mixed[1][:, end].copy()
    places, turns = [], []
    for positions, rotations in (of_a, of_b):
        under = quaternion.conjugate(rotations[:, support]) if support >= 0 else quaternion.identity(len(weight))
        origin = positions[:, support] if support >= 0 else np.zeros(3)
        places.append(quaternion.rotate(under, positions[:, end] - origin))
        turns.append(quaternion.multiply(under, rotations[:, end]))
    at = places[0] + weight[:, None] * (places[1] - places[0])
    turn = between(*turns, weight)
    if support >= 0:
        at = quaternion.rotate(mixed[1][:, support], at) + mixed[0][:, support]
        turn = quaternion.multiply(mixed[1][:, support], turn)
    return at, turn


def sunken(limbs: LimbTable, limb: int, of: tuple[np.ndarray, np.ndarray]) -> np.ndarray:
    """Return how deep the lowest point of a leg's sole is in the ground, (N,)."""
    own = limbs.sole_limb == limb
    points = points_of(limbs.sole_joint[own], limbs.sole_offset[own], of)
    return np.max(-points[..., 2], axis=1, initial=0.0)


def bend(limbs: LimbTable, limb: int, hinge: np.ndarray, targets: np.ndarray, ends: np.ndarray, mixed: Window) -> None:
    """Turn a limb's joints until its end is at the targets."""
    root, middle, end = limbs.joints[limb]
    positions, rotations = placed(limbs, mixed)
    hinges = quaternion.rotate(rotations[:, root], hinge)
    turns = solve_two_bone(*(positions[:, joint] for joint in (root, middle, end)), targets, hinges)
    for top, bottom, by in ((root, middle, turns.root_turns), (middle, end, turns.middle_turns)):
        joint = bottom
        while joint != top:
            joint = limbs.parents[joint]
            rotations[:, joint] = quaternion.multiply(by, rotations[:, joint])
    rotations[:, end] = ends
    for joint in (root, middle, end):
        parent = limbs.parents[joint]
        above = rotations[:, parent] if parent >= 0 else quaternion.identity(len(targets))
        mixed.rotations[:, joint] = quaternion.multiply(quaternion.conjugate(above), rotations[:, joint])
