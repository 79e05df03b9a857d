"""Fill a character's behaviors with variants, and measure how much these differ from its clips."""

from __future__ import annotations

from collections.abc import Sequence
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

import numpy as np

from gambol.characters.character import Character
from gambol.characters.check_joins import compared_joints
from gambol.characters.clip import Clip
from gambol.errors import InvalidInput
from gambol.variation.characters.fill import can_be_varied, fill
from gambol.variation.model import DEFAULT_PRESET, Progress

SHARES = 101  # moments, >= 2, evenly spaced over a clip, at which poses are compared; more is more exact


class Varied(NamedTuple):
    """A character before and after, and the behaviors without variants."""

    before: Character
    character: Character
    left_out: tuple[str, ...]  # requested behaviors from which nothing can be learned

    def to_json(self) -> dict[str, Any]:
        """Return a row for each filled behavior, as plain values."""
        pairs = zip(self.before.behaviors, self.character.behaviors, strict=True)
        rows = [_row(one.name, old.clips, one.clips) for old, one in pairs if len(one.clips) > len(old.clips)]
        return {"name": self.character.name, "behaviors": rows, "left_out": list(self.left_out)}


def vary_character(
    character: Character,
    count: int,
    *,
    patterns: Sequence[str] = ("*",),
    amount: float = 1.0,
    preset: str = DEFAULT_PRESET,
    held: Sequence[str] | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Varied:
    """Fill all behaviors whose names match a pattern, except those from which nothing can be learned."""
    names = [one.name for one in character.behaviors if any(fnmatchcase(one.name, pattern) for pattern in patterns)]
    if not names:
        raise InvalidInput(f"no behavior of {character.name!r} is called {' or '.join(patterns)}")
    can = can_be_varied(character, names, preset=preset)
    counts = {name: count for name in names if can[name]}
    if not counts:
        raise InvalidInput(
            f"{', '.join(names)}: from one clip nothing can be learned; ask for several that begin and end alike"
        )
    filled = fill(character, counts, amount=amount, seed=seed, preset=preset, held=held, progress=progress)
    return Varied(character, filled, tuple(name for name in names if not can[name]))


def _row(behavior: str, before: Sequence[Clip], after: Sequence[Clip]) -> dict[str, Any]:
    old, made = after[: len(before)], after[len(before) :]
    changes = [nearest_change_m(clip, old) for clip in made]
    ways = np.array([clip.displacement for clip in made])
    return {
        "behavior": behavior,
        "clips": len(after),
        "variants": len(made),
        "median_change_m": float(np.median(changes)),
        "least_change_m": float(np.min(changes)),
        "durations_s": sorted({clip.duration_s for clip in made}),
        "displacement_spread_m": float(np.linalg.norm(ways[:, :2].std(axis=0))),
        "turn_spread_deg": float(np.degrees(ways[:, 2].std())),
    }


def nearest_change_m(clip: Clip, others: Sequence[Clip]) -> float:
    """Return the distance of a clip's joints from the nearest other clip's: root mean square over joints and time."""
    joints = compared_joints(clip.motion.skeleton)
    mine = _places(clip, joints)
    return min(float(np.sqrt(np.mean(np.sum((_places(one, joints) - mine) ** 2, axis=-1)))) for one in others)


def _places(clip: Clip, joints: np.ndarray) -> np.ndarray:
    """Return joints (SHARES, J, 3) at even shares of the clip's time, seen from its start."""
    inside = clip.motion.world_positions[clip.margin : clip.motion.frame_count - clip.margin][:, joints]
    at = np.linspace(0, len(inside) - 1, SHARES).round().astype(np.intp)
    return inside[at]
