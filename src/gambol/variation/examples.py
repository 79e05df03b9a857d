"""The motions that a model learns from: cut, brought to one rate and one skeleton, with their contacts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from gambol.errors import InvalidInput
from gambol.geometry import planar
from gambol.geometry.arrays import BoolArray, FloatArray, frozen_array
from gambol.motion import edits
from gambol.motion.contacts import Contacts, detect_contacts
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton, same_bones
from gambol.motion.travel import align_to_travel
from gambol.variation.encoding import Encoding, RootKind, encoding_of

FEWEST = 2  # examples to learn from, >= 2: one alone does not show how motions vary
RATE_HZ = 60.0  # frames a second of examples, as in L09's data
LEAST_FRAMES = 12  # frames of the shortest example
TRAVELS_M_S = 0.25  # metres a second: slower roots are encoded absolutely
ALIGNED_FRAMES = 30  # number of frames compared to lay one motion over another
SHARE_PLANTED = 0.5  # share of the examples: contacts of a point that no more of them plant are taken for mistakes
UPRIGHT_RAD = 1.0  # radians: a root that leans farther on average lies


class Example(NamedTuple):
    """A motion with its contacts: it begins at the origin and goes along +X as a whole, on ground at height zero."""

    motion: Motion
    contacts: Contacts  # has the same frames
    name: str


def cut_example(
    name: str,
    take: Motion,
    first: int = 0,
    last: int | None = None,
    *,
    rate_hz: float = RATE_HZ,
    contacts: Contacts | None = None,
) -> Example:
    """Cut frames `first` to `last` out of a take; contacts and the ground are detected in the whole take."""
    last = take.frame_count - 1 if last is None else last
    if not 0 <= first < last < take.frame_count:
        raise InvalidInput(f"{name}: no frames {first} to {last} in a take of {take.frame_count}")
    contacts = contacts or detect_contacts(take)
    frames = max(1, round((last - first) / take.rate_hz * rate_hz))
    at = np.linspace(first, last, frames + 1)
    if len(at) < LEAST_FRAMES:
        raise InvalidInput(f"{name}: {len(at)} frames at {rate_hz:g} Hz are too few; at least {LEAST_FRAMES} expected")
    motion = edits.sample(take, at, rate_hz=rate_hz)
    ground = contacts.ground.heights(motion.root_positions[:, None])[:, 0].mean()
    motion = replace(motion, root_positions=motion.root_positions - np.array([0.0, 0.0, ground]))
    planted = contacts.planted[np.round(at).astype(np.intp)]
    return Example(align_to_travel(motion), Contacts(contacts.points, planted, Ground(0.0)), name)


@dataclass(frozen=True, eq=False)
class Examples:
    """Similar motions, and the numbers that stand for them."""

    items: tuple[Example, ...]  # L
    encoding: Encoding
    values: tuple[FloatArray, ...]  # (F, D) of each
    cyclic: bool  # whether each ends where the next may begin

    @property
    def count(self) -> int:
        return len(self.items)

    @property
    def skeleton(self) -> Skeleton:
        return self.encoding.skeleton

    @property
    def rate_hz(self) -> float:
        return self.encoding.rate_hz

    @property
    def planted(self) -> tuple[BoolArray, ...]:
        return tuple(item.contacts.planted for item in self.items)


def gather(items: Sequence[Example], *, cyclic: bool = False, root: RootKind | None = None) -> Examples:
    """Bring examples together.

    root: how to encode the root; None: as a travelling one if the examples travel and are upright, else absolutely.
    """
    if not items:
        raise InvalidInput("at least one example is needed to learn from")
    first = items[0]
    for item in items[1:]:
        if not same_bones(item.motion.skeleton, first.motion.skeleton):
            raise InvalidInput(f"{item.name} has other bones than {first.name}: examples share one skeleton")
        if abs(item.motion.rate_hz - first.motion.rate_hz) > 1e-6:
            raise InvalidInput(
                f"{item.name} runs at {item.motion.rate_hz:g} Hz and {first.name} at {first.motion.rate_hz:g}"
            )
    skeleton = first.motion.skeleton
    items = tuple(item._replace(motion=replace(item.motion, skeleton=skeleton)) for item in _believed(items))
    motions = [item.motion for item in items]
    root = root or _root_kind(motions)
    if root == "absolute":
        motions = [_laid_over(motion, motions[0]) for motion in motions]
        items = tuple(item._replace(motion=motion) for item, motion in zip(items, motions, strict=True))
    encoding = encoding_of(motions, root=root)
    values = tuple(frozen_array(encoding.encode(motion)) for motion in motions)
    return Examples(items, encoding, values, cyclic)


def _believed(items: Sequence[Example]) -> list[Example]:
    """Drop contacts of points that at most half of the examples plant, such as swimmers' feet that seem to rest."""
    share = np.mean([item.contacts.planted.any(axis=0) for item in items], axis=0)
    kept = share > SHARE_PLANTED
    return [item._replace(contacts=replace(item.contacts, planted=item.contacts.planted & kept)) for item in items]


def _root_kind(motions: Sequence[Motion]) -> RootKind:
    trial = encoding_of(motions, root="travelling")
    values = np.concatenate([trial.encode(motion) for motion in motions])
    ways = [np.linalg.norm(motion.root_positions[-1, :2] - motion.root_positions[0, :2]) for motion in motions]
    speed = sum(ways) / sum(motion.duration_s for motion in motions)
    upright = np.linalg.norm(values[:, 4:6], axis=1).mean() < UPRIGHT_RAD
    return "travelling" if upright and speed >= TRAVELS_M_S else "absolute"


def _laid_over(motion: Motion, other: Motion) -> Motion:
    """Move and turn a motion on the ground so that its joints are nearest to another's over the whole time."""
    clouds = []
    for one in (motion, other):
        frames = np.linspace(0.0, one.frame_count - 1, ALIGNED_FRAMES).round().astype(np.intp)
        clouds.append(one.world_positions[frames, :, :2].reshape(-1, 2))
    middles = [cloud.mean(axis=0) for cloud in clouds]
    a, b = (cloud - middle for cloud, middle in zip(clouds, middles, strict=True))
    turn = np.arctan2(np.sum(a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]), np.sum(a * b))
    shift = middles[1] - planar.rotate(turn, middles[0])
    return edits.move(motion, np.array([*shift, turn]))
