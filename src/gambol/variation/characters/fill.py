"""Fill a character's behaviors with variants of their clips, made in advance [L09 chapter 6].

A behavior with several clips gets new clips like them, with ways and timings of their own.  A behavior with a single
clip gets variants whose feet do what the clip's do and whose upper body varies with them, as learned from all single
clips that begin and end alike.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gambol.body.capsules import Body
from gambol.characters.blended_shape import include_blending
from gambol.characters.character import Behavior, Character
from gambol.characters.clip import Clip
from gambol.errors import InvalidInput
from gambol.motion.figure import board_joint
from gambol.motion.skeleton import Skeleton
from gambol.variation.characters.clip_joins import Allowance, allowances
from gambol.variation.characters.narrowed import narrowed
from gambol.variation.characters.variant_clip import example_of, partial_variant, whole_variant
from gambol.variation.examples import gather
from gambol.variation.model import DEFAULT_PRESET, Progress, VariationModel, check_seed, checked_amount, learn

VARIANT = " variant "  # the part of a variant's name between behavior and number
MOST_VARIANTS = 1000  # the most variants of one behavior in a call
FEW = 2  # the least number of examples that a variant draws from
LENGTHS_ALIKE = 1.5  # times the shortest clip's length: longer clips are not laid over it
SEED_STEP = 1_000_003  # from the first variant's seed to that of the next `seed`; above MOST_VARIANTS


@dataclass(frozen=True, eq=False)
class Recipe:
    """The means to make variants of one behavior at any time: `make` returns one after another."""

    behavior: Behavior
    model: VariationModel
    examples: tuple[int, ...]  # the behavior's own clips, as indices of the model's examples
    held: tuple[str, ...]  # joints that stay as they are; none: the whole motion varies
    allowed: tuple[Allowance, Allowance]  # how far a variant's ends may be from those of the behavior's clips
    body: Body

    def make(self, seed: int, *, amount: float = 1.0, name: str | None = None) -> Clip:
        """Return a new clip; the same seed returns the same one.

        Its swept shape holds the clip alone.  `include_blending`, on a character that has the clip, adds the blends
        with its neighbours; before that no plan with the clip is exact.
        """
        check_seed(seed)
        amount = checked_amount(amount)
        name = name or f"{self.behavior.name}{VARIANT}{seed}"
        clips = _distinct(self.behavior)
        if not self.held:
            return whole_variant(
                clips, self.model, name=name, seed=seed, amount=amount, allowed=self.allowed, body=self.body
            )
        rng = np.random.default_rng((seed, self.examples[0]))  # each behavior draws from other examples
        which = int(rng.integers(len(clips)))
        model = narrowed(self.model, self._drawn_from(which, rng))
        return partial_variant(
            clips[which],
            model,
            name=name,
            held=self.held,
            seed=seed,
            amount=amount,
            allowed=self.allowed,
            body=self.body,
        )

    def _drawn_from(self, clip: int, rng: np.random.Generator) -> list[int]:
        """Return the examples that a variant of a clip draws from: a few of the others."""
        others = [number for number in range(self.model.examples.count) if number != self.examples[clip]]
        if len(others) <= FEW:
            return others
        count = int(rng.integers(FEW, len(others) + 1))
        return sorted(rng.choice(others, size=count, replace=False).tolist())


def fill(
    character: Character,
    counts: Mapping[str, int],
    *,
    amount: float = 1.0,
    seed: int = 0,
    preset: str = DEFAULT_PRESET,
    held: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> Character:
    """Return the character with further variants in some behaviors; its own clips stay.

    counts: the number of variants to add, by the behavior's name.
    amount: of variation; 1 varies as the clips do.
    held: joints that never vary, in all behaviors; None: as `recipes` has it.
    progress: called with the name of the work and the share done; may raise to interrupt.
    """
    check_seed(seed)
    checked_amount(amount)
    for name, count in counts.items():
        if not 0 <= count <= MOST_VARIANTS:
            raise InvalidInput(f"{name}: from 0 to {MOST_VARIANTS} variants expected, not {count}")
    wanted = [name for name, count in counts.items() if count > 0]
    made = recipes(character, wanted, seed=seed, preset=preset, held=held, progress=progress)
    clips: dict[str, list[Clip]] = {}
    total, done = sum(counts[name] for name in wanted), 0
    for name in wanted:
        clips[name] = []
        before = sum(VARIANT in clip.name for clip in character.behavior(name).clips)
        for number in range(counts[name]):
            if progress is not None:
                progress("making variants", done / total)
            own_name = f"{name}{VARIANT}{before + number + 1}"
            clips[name].append(made[name].make(seed * SEED_STEP + number, amount=amount, name=own_name))
            done += 1
    if progress is not None:
        progress("measuring blends", 0.0)
    return extended(character, clips)


def extended(character: Character, clips: Mapping[str, Sequence[Clip]]) -> Character:
    """Return the character with further clips in some behaviors, by name; swept shapes hold all blends with them."""
    behaviors = tuple(
        replace(behavior, clips=(*behavior.clips, *clips.get(behavior.name, ()))) for behavior in character.behaviors
    )
    return include_blending(replace(character, behaviors=behaviors))


def recipes(
    character: Character,
    names: Sequence[str],
    *,
    seed: int = 0,
    preset: str = DEFAULT_PRESET,
    held: Sequence[str] | None = None,
    progress: Progress | None = None,
) -> dict[str, Recipe]:
    """Learn to make variants of some behaviors, by their names.

    held: joints that never vary, in all of these behaviors; None: no joint in behaviors of several clips, and in those
    of one clip the joints that carry its planted feet and hands.
    """
    behaviors = [character.behavior(name) for name in dict.fromkeys(names)]
    allowed = allowances(character)
    body = Body.from_skeleton(character.skeleton)
    found: dict[str, Recipe] = {}
    alone = [behavior for behavior in behaviors if held is not None or len(_distinct(behavior)) == 1]
    for behavior in behaviors:
        if behavior not in alone:
            model = _learned(behavior.name, _distinct(behavior), (), preset, seed, progress)
            found[behavior.name] = Recipe(behavior, model, (), (), allowed[behavior.name], body)
    for group in _alike(alone, preset):
        clips = [clip for behavior in group for clip in _distinct(behavior)]
        still = tuple(held) if held is not None else carrying_joints(clips)
        model = _learned(", ".join(one.name for one in group), clips, still, preset, seed, progress)
        first = 0
        for behavior in group:
            own = range(first, first + len(_distinct(behavior)))
            found[behavior.name] = Recipe(behavior, model, tuple(own), still, allowed[behavior.name], body)
            first = own.stop
    return {name: found[name] for name in dict.fromkeys(names)}


def can_be_varied(character: Character, names: Sequence[str], *, preset: str = DEFAULT_PRESET) -> dict[str, bool]:
    """Return, for behaviors varied together, whether there are clips to learn each one's variants from."""
    behaviors = [character.behavior(name) for name in dict.fromkeys(names)]
    several = {behavior.name for behavior in behaviors if len(_distinct(behavior)) > 1}
    for group in _alike([behavior for behavior in behaviors if behavior.name not in several], preset):
        several |= {behavior.name for behavior in group} if len(group) > 1 else set()
    return {behavior.name: behavior.name in several for behavior in behaviors}


def carrying_joints(clips: Sequence[Clip]) -> tuple[str, ...]:
    """Return the joints that carry feet, and hands planted in some clip: from the root to their tips."""
    skeleton: Skeleton = clips[0].motion.skeleton
    carries = np.zeros(skeleton.joint_count, dtype=bool)
    carries[0] = True
    board = board_joint(skeleton)
    ends = [board] if board >= 0 else []
    for number, point in enumerate(clips[0].contacts.points):
        if not point.is_hand or any(clip.contacts.planted[:, number].any() for clip in clips):
            ends.append(point.joint)
    for end in ends:
        carries |= skeleton.is_below(end)
        while end > 0:
            carries[end] = True
            end = int(skeleton.parents[end])
    return tuple(name for name, one in zip(skeleton.names, carries, strict=True) if one)


def _alike(behaviors: Sequence[Behavior], preset: str) -> list[list[Behavior]]:
    """Group behaviors by how they begin and end, and, for the registered preset, by their length."""
    groups: dict[tuple[str, str], list[Behavior]] = {}
    for behavior in behaviors:
        groups.setdefault((behavior.begins, behavior.ends), []).append(behavior)
    if preset != "registered":
        return list(groups.values())
    found: list[list[Behavior]] = []
    for group in groups.values():
        shortest = 0
        for behavior in sorted(group, key=lambda one: one.clips[0].duration):
            duration = behavior.clips[0].duration
            if shortest == 0 or duration > LENGTHS_ALIKE * shortest:
                shortest = duration
                found.append([])
            found[-1].append(behavior)
    return found


def _learned(
    what: str, clips: Sequence[Clip], held: tuple[str, ...], preset: str, seed: int, progress: Progress | None
) -> VariationModel:
    if len(clips) < 2:
        raise InvalidInput(
            f"{what}: nothing can be learned from one clip; name other behaviors that begin and end alike"
        )
    examples = gather([example_of(clip) for clip in clips])
    return learn(examples, preset=preset, seed=seed, held=held, progress=progress)


def _distinct(behavior: Behavior) -> list[Clip]:
    return list({id(clip): clip for clip in behavior.clips}.values())
