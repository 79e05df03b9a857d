"""What a character gets over and under, and how near it comes to what it goes around."""

from __future__ import annotations

import math
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from gambol.characters.action_table import action_table, actions_struct
from gambol.characters.character import Character
from gambol.core import Struct, ffi, lib
from gambol.search.moves import moves_of
from gambol.search.way import core_radius
from gambol.world.pieces import struct_of_pieces
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
    known, pieces = _clearable_by.setdefault(character, {}), struct_of_pieces(table.pieces)
    free, crossed = np.zeros(len(table.pieces.obstacle), bool), np.zeros(len(table.pieces.obstacle), bool)
    for piece, number in enumerate(table.pieces.obstacle):
        obstacle = world.obstacles[number]
        if obstacle.special is not None:
            crossed[piece] = obstacle.special.kind in tagged
            continue
        steps = math.floor(thinnest(pieces, piece)[0] / THICKNESS_M + 1e-6)
        if steps not in known:
            known[steps] = _clearable(character, steps * THICKNESS_M)
        over, under, special_over, special_under = known[steps]
        bottom, top = float(table.pieces.bottom[piece]), float(table.pieces.top[piece])
        free[piece] = top <= over or bottom >= under
        # In doubt it is crossed: what turns out not to be is gone around, what is closed is closed for good.
        crossed[piece] = not free[piece] and (top <= special_over + DOUBT_M or bottom >= special_under - DOUBT_M)
    return free, crossed


def thinnest(pieces: Struct, piece: int) -> tuple[float, float, float]:
    """Return the least width of a piece, square to one of its sides, and its direction x, y; 0, 0 for a disc."""
    width, across = ffi.new("double *"), ffi.new("double [2]")
    lib.gb_piece_thinnest(pieces.c, piece, width, across)
    return width[0], across[0], across[1]


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
