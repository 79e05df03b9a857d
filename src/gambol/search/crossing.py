"""What a character gets over and under, and how near it comes to what it goes around."""

from __future__ import annotations

import math
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.characters.action_table import action_table, actions_struct
from gambol.characters.character import Character
from gambol.core import Struct, ffi, lib, pointer
from gambol.geometry.arrays import FloatArray
from gambol.search.moves import moves_of
from gambol.search.way import core_radius
from gambol.world.pieces import Pieces, struct_of_pieces
from gambol.world.standing import Standing
from gambol.world.world import World

SPECIAL_KINDS = ("jump", "low")  # of behaviors that are there to cross something
TALL_M = 3.0
THICKNESS_M = 0.1  # in steps of which thicknesses are told apart
DOUBT_M = 0.05  # heights are taken at places 5 cm apart along a clip

Clearable = tuple[float, float, float, float]  # highest top, lowest bottom: of ordinary, then of special clips
_clearable_by: WeakKeyDictionary[Character, dict[int, Clearable]] = WeakKeyDictionary()  # steps of thickness
_slimmest: WeakKeyDictionary[Character, float] = WeakKeyDictionary()


def passable(world: World, character: Character, table: Standing) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """Return for each piece whether ordinary behaviors get over or under it, and whether only special ones do."""
    tagged = {behavior.annotation.special for behavior in character.behaviors}
    pieces = table.pieces
    special = [None if obstacle.special is None else obstacle.special.kind for obstacle in world.obstacles]
    is_special = np.array([kind is not None for kind in special], dtype=np.bool_)[pieces.obstacle]
    is_tagged = np.array([kind is not None and kind in tagged for kind in special], dtype=np.bool_)[pieces.obstacle]
    cleared = np.zeros((len(is_special), 4))
    cleared[~is_special] = _all_clearable(character, thinnest(pieces)[0][~is_special])
    over, under, special_over, special_under = cleared.T
    free = ~is_special & ((pieces.top <= over) | (pieces.bottom >= under))
    # In doubt it is crossed: what turns out not to be is gone around, what is closed is closed for good.
    is_crossed = (pieces.top <= special_over + DOUBT_M) | (pieces.bottom >= special_under - DOUBT_M)
    return free, np.where(is_special, is_tagged, ~free & is_crossed)


def thinnest(pieces: Pieces) -> tuple[FloatArray, FloatArray]:
    """Return the least widths (P,) of pieces, square to one of the sides, and its directions (P, 2); 0, 0 for discs."""
    width, across = np.empty(len(pieces.radius)), np.empty((len(pieces.radius), 2))
    lib.gb_pieces_thinnest(struct_of_pieces(pieces).c, pointer(width, "double"), pointer(across, "double"))
    return width, across


def room_across(actions: Struct, clip: int, thickness_m: float) -> tuple[float, float]:
    """Return the highest top and the lowest bottom of what a clip gets over and under, that thick."""
    over, under = ffi.new("double *"), ffi.new("double *")
    lib.gb_clip_room_across(actions.c, clip, thickness_m, over, under)
    return over[0], under[0]


def slimmest_radius(character: Character) -> float:
    """Return how near the root of an ordinary behavior may come to something tall, a fixed radius being one too."""
    if character not in _slimmest:
        _slimmest[character] = _core_of_the_slimmest(character)
    return _slimmest[character]


def _all_clearable(character: Character, thickness_m: FloatArray) -> FloatArray:
    """Return what is cleared of things of some thicknesses (N, 4), worked out once for each step of thickness."""
    known = _clearable_by.setdefault(character, {})
    numbers, which = np.unique(np.floor(thickness_m / THICKNESS_M + 1e-6).astype(np.int64), return_inverse=True)
    for steps in set(numbers.tolist()) - known.keys():
        known[steps] = _clearable(character, steps * THICKNESS_M)
    return np.array([known[steps] for steps in numbers.tolist()], dtype=np.float64).reshape(-1, 4)[which.ravel()]


def _clearable(character: Character, thickness_m: float) -> Clearable:
    """Return the highest top and the lowest bottom that ordinary, then that special clips get over and under."""
    actions, moves, core = action_table(character), moves_of(character), actions_struct(character)
    special = [one.kind in SPECIAL_KINDS for one in character.behaviors]
    by_shape = [one.annotation.radius_m is None and one.annotation.special is None for one in character.behaviors]
    best = [0.0, math.inf, 0.0, math.inf]
    for clip in np.unique(moves.same):
        behavior = actions.clip_behavior[clip]
        if by_shape[behavior]:
            over, under = room_across(core, int(clip), thickness_m)
            at = 2 if special[behavior] else 0
            best[at], best[at + 1] = max(best[at], over), min(best[at + 1], under)
    return best[0], best[1], best[2], best[3]


def _core_of_the_slimmest(character: Character) -> float:
    actions = action_table(character)
    ordinary = [index for index, one in enumerate(character.behaviors) if one.kind not in SPECIAL_KINDS]
    fixed = [one.annotation.radius_m for one in character.behaviors if one.annotation.radius_m is not None]
    chosen = np.isin(actions.clip_behavior, ordinary or range(len(character.behaviors)))
    spans = zip(actions.clip_samples[chosen], actions.duration[chosen], strict=True)
    samples = np.unique(np.concatenate([np.arange(first, first + duration + 1) for first, duration in spans]))
    core = core_radius(actions, samples, 0.0, TALL_M)
    return min([core, *fixed])
