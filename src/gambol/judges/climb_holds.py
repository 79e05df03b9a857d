"""Check the holds of a climb: kinds, footing, number of holds, changes and turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from gambol.climb.climb import ClimbPath
from gambol.climb.figure import FREE, LIMBS
from gambol.climb.modes import ALLOWED, LEAST_HELD, Mode
from gambol.geometry.arrays import BoolArray
from gambol.judges.climb_report import Illegal, Stretch
from gambol.world.environment import Environment, GraspPoint


def illegal_holds(environment: Environment, path: ClimbPath) -> list[Illegal]:
    """Return all holds that the table of modes forbids, in the order of time."""
    found = [
        *_forbidden_kinds(environment, path),
        *_bad_footing(environment, path),
        *_too_few(path),
        *_too_few_kept(path),
        *_bad_turns(environment, path),
    ]
    return sorted(found, key=lambda one: (one.first, one.rule, one.what))


def mode_stretches(path: ClimbPath) -> tuple[Stretch, ...]:
    starts = [0, *(np.flatnonzero(np.diff(path.modes)) + 1).tolist()]
    return tuple(
        Stretch(Mode(path.modes[first]).label, first, last - 1)
        for first, last in zip(starts, [*starts[1:], len(path)], strict=True)
    )


def runs(flags: BoolArray) -> Iterator[tuple[int, int]]:
    """Yield the first and last index of every stretch of True."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], flags, [False]]).astype(np.int8)))
    for first, after in edges.reshape(-1, 2).tolist():
        yield first, after - 1


def _illegal(rule: str, what: str, flags: BoolArray) -> Iterable[Illegal]:
    return (Illegal(rule, first, last, what) for first, last in runs(flags))


def _forbidden_kinds(environment: Environment, path: ClimbPath) -> Iterator[Illegal]:
    for limb, name in enumerate(LIMBS):
        for mode, grasp in np.unique(np.stack([path.modes, path.grasps[:, limb]], axis=1), axis=0).tolist():
            if grasp == FREE:
                continue
            kind = environment.grasp_points[grasp].kind
            if kind not in ALLOWED[Mode(mode)][0 if "hand" in name else 1]:
                what = f"{name} holds point {grasp}, {kind}, in {Mode(mode).label}"
                yield from _illegal("kind", what, (path.modes == mode) & (path.grasps[:, limb] == grasp))


def _bad_footing(environment: Environment, path: ClimbPath) -> Iterator[Illegal]:
    """Yield frames in which a foot stands on a ceiling."""
    for limb in (2, 3):
        for grasp in np.unique(path.grasps[:, limb]).tolist():
            if grasp == FREE:
                continue
            if environment.grasp_points[grasp].is_ceiling:
                what = f"{LIMBS[limb]} on point {grasp} of a ceiling"
                yield from _illegal("footing", what, path.grasps[:, limb] == grasp)


def _enough(held: BoolArray, modes: NDArray[np.int32]) -> BoolArray:
    """Return whether the held limbs (F, 4) are enough for modes (F,)."""
    least = np.array([LEAST_HELD[mode] for mode in Mode])[modes]
    counts = np.stack([held[:, :2].sum(axis=1), held[:, 2:].sum(axis=1), held.sum(axis=1)], axis=1)
    return np.all(counts >= least, axis=1)


def _too_few(path: ClimbPath) -> Iterator[Illegal]:
    held = path.grasps != FREE
    enough = _enough(held, path.modes)
    for mode in Mode:
        for count in range(len(LIMBS) + 1):
            here = ~enough & (path.modes == mode) & (held.sum(axis=1) == count)
            yield from _illegal("least held", f"{count} held in {mode.label}", here)


def _too_few_kept(path: ClimbPath) -> Iterator[Illegal]:
    """Yield frames after which too few holds stay for the mode before and for the mode after."""
    kept = (path.grasps[1:] == path.grasps[:-1]) & (path.grasps[1:] != FREE)
    lost = ~(_enough(kept, path.modes[:-1]) | _enough(kept, path.modes[1:]))
    # Frames in which too few are held anyway have been reported already.
    lost &= _enough(path.grasps[:-1] != FREE, path.modes[:-1]) & _enough(path.grasps[1:] != FREE, path.modes[1:])
    for before in np.flatnonzero(lost).tolist():
        old, new = (Mode(path.modes[frame]).label for frame in (before, before + 1))
        what = f"only {kept[before].sum()} holds are kept from {old} to {new}"
        yield Illegal("change", before, before + 1, what)


def _bad_turns(environment: Environment, path: ClimbPath) -> Iterator[Illegal]:
    """Yield turns of a figure that does not stand with both feet on one point of a floor."""
    turning = np.abs(path.facings) < 1.0
    yield from _illegal("turn", "a facing beyond 1", np.abs(path.facings) > 1.0)
    yield from _illegal("turn", "turning but not walking", turning & (path.modes != Mode.WALK))
    is_floor = np.array([*map(_is_floor, environment.grasp_points), False])
    left, right = path.grasps[:, 2], path.grasps[:, 3]
    standing = (left == right) & is_floor[left]
    yield from _illegal("turn", "turning without both feet on one point of a floor", turning & ~standing)


def _is_floor(point: GraspPoint) -> bool:
    return point.is_floor
