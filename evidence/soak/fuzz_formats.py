"""The formats whose readers are fuzzed: one entry of TARGETS each.

A target has valid small files to start from, ways to damage them, and the reader.  Readers are
imported where they are called: a missing extra then stops its own target only.
"""

from __future__ import annotations

import random
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np

from evidence.soak.corpus.acclaim import to_amc, to_asf
from evidence.soak.corpus.glb import hand_made_glbs
from evidence.soak.corpus.motions import small_motions, tiny_skin
from evidence.soak.corpus.usda import hand_made_usda
from evidence.soak.glb_mutations import GLB_MUTATIONS
from evidence.soak.mutations import BYTE_MUTATIONS, MILD, TEXT_MUTATIONS, Mutation
from gambol.files import AcclaimSkeleton, parse_amc, parse_asf, parse_bvh, to_bvh
from gambol.motion import Motion, edits

AXIS_DEGREES = (10.0, -90.0, 35.0)


class Input(NamedTuple):
    data: bytes
    recipe: str  # which valid file, and what was done to it


def check_motion(motion: object) -> None:
    """Raise unless an accepted input gave a motion that can be used."""
    if not isinstance(motion, Motion):
        raise TypeError(f"the reader returned {type(motion).__name__}, not a motion")
    if not (np.all(np.isfinite(motion.world_positions)) and np.all(np.isfinite(motion.tip_positions))):
        raise ArithmeticError("the reader accepted a motion whose positions are not finite")


@dataclass(frozen=True)
class Target:
    """A reader under test."""

    name: str
    suffix: str
    inputs: int  # of a full run
    build_corpus: Callable[[], Sequence[bytes]]
    parse: Callable[[bytes], Any]  # returns what was read or raises GambolError
    mutations: Mapping[str, Mutation]
    limit_s: float = 5.0  # for one input
    limit_mb: float = 512.0  # more memory than after reading all valid files
    check: Callable[[Any], None] = check_motion  # raises unless what was read can be used

    @cached_property
    def corpus(self) -> Sequence[bytes]:
        return tuple(self.build_corpus())

    def make_input(self, number: int | str) -> Input:
        """Make input `number`: the same bytes in every run and process."""
        rng = random.Random(self.seed(number))
        source = rng.randrange(len(self.corpus))
        data, steps = self.corpus[source], []
        names = list(self.mutations)
        if rng.random() < 0.5:
            names = [name for name in names if name in MILD] or names
        for _ in range(rng.choice((1, 1, 1, 2, 3, 5))):
            name = rng.choice(names)
            data = self.mutations[name](rng, data, self.corpus)
            steps.append(name)
        return Input(data, f"file {source}: {', '.join(steps)}")

    def seed(self, number: int | str) -> str:
        return f"{self.name}/{number}"


def _bvh_corpus() -> list[bytes]:
    orders = ("ZYX", "ZXY", "XYZ", "YXZ")
    return [
        to_bvh(motion, order=order).encode() for motion, order in zip(small_motions().values(), orders, strict=True)
    ]


def _parse_bvh(data: bytes) -> Motion:
    return parse_bvh(data).motion


def _glb_corpus() -> list[bytes]:
    from gambol.files import to_glb

    motions = [small_motions()[name] for name in ("chain", "stretching chain")]
    return [*hand_made_glbs(), *(to_glb(motion, skin=tiny_skin(motion.skeleton)) for motion in motions)]


def _parse_glb(data: bytes) -> Motion:
    from gambol.files import parse_gltf

    return parse_gltf(data).motion


def _usda_corpus() -> list[bytes]:
    from gambol.files import write_usd

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chain.usda"
        chain = small_motions()["chain"]
        write_usd(path, chain, skin=tiny_skin(chain.skeleton))
        return [*hand_made_usda(), path.read_bytes()]


def _parse_usda(data: bytes) -> Motion:
    from evidence.soak.forked_usd import forks_instead_of_programs
    from gambol.files import read_usd

    with tempfile.TemporaryDirectory() as folder, forks_instead_of_programs():
        path = Path(folder) / "input.usda"
        path.write_bytes(data)
        return read_usd(path).motion


def _asf_corpus() -> list[bytes]:
    return [to_asf(motion.skeleton, axis_degrees=AXIS_DEGREES).encode() for motion in small_motions().values()]


def _parse_asf(data: bytes) -> Motion:
    return parse_amc("1\n", parse_asf(data)).motion


@cache
def _biped_asf() -> AcclaimSkeleton:
    return parse_asf(to_asf(small_motions()["biped"].skeleton, axis_degrees=AXIS_DEGREES))


def _amc_corpus() -> list[bytes]:
    biped = small_motions()["biped"]
    return [to_amc(biped, axis_degrees=AXIS_DEGREES).encode(), to_amc(edits.cut(biped, 0, 1)).encode()]


def _parse_amc(data: bytes) -> Motion:
    return parse_amc(data, _biped_asf()).motion


def _built_corpus() -> list[bytes]:
    from gambol.characters import character_bytes, load_character

    return [character_bytes(load_character(name).only([one])) for name, one in (("horse", "walk"), ("human", "stand"))]


def _parse_built(data: bytes) -> Motion:
    from gambol.characters import parse_built

    return parse_built(data).behaviors[0].clips[0].motion


TARGETS: Mapping[str, Target] = MappingProxyType({
    target.name: target
    for target in (
        Target("bvh", ".bvh", 100_000, _bvh_corpus, _parse_bvh, TEXT_MUTATIONS),
        Target("glb", ".glb", 10_000, _glb_corpus, _parse_glb, GLB_MUTATIONS),
        Target("asf", ".asf", 10_000, _asf_corpus, _parse_asf, TEXT_MUTATIONS),
        Target("amc", ".amc", 10_000, _amc_corpus, _parse_amc, TEXT_MUTATIONS),
        Target("built", ".npz", 10_000, _built_corpus, _parse_built, BYTE_MUTATIONS),
        Target("usda", ".usda", 10_000, _usda_corpus, _parse_usda, TEXT_MUTATIONS, limit_s=20.0),
    )
})  # fmt: skip
