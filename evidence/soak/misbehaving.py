"""Readers that misbehave on purpose, to test that the fuzzer notices."""

from __future__ import annotations

import os
import random
import signal
import time
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from evidence.soak.corpus.motions import small_motions
from evidence.soak.fuzz_formats import Target
from gambol.errors import MalformedFile
from gambol.motion import Motion

GOOD, BAD = b"good", b"bad"


def spoil_some(rng: random.Random, data: bytes, _: Sequence[bytes]) -> bytes:
    return BAD if rng.random() < 0.3 else data


def _raise() -> None:
    raise KeyError("a foreign error")


def _hang() -> None:
    time.sleep(60.0)


def _crash() -> None:
    os.kill(os.getpid(), signal.SIGSEGV)


def _hoard() -> None:
    bytearray(b"\1" * (512 << 20))  # more than compiling ever takes


def _babble() -> None:
    raise MalformedFile("far too long " * 1000)


def _target(name: str, misbehave: Callable[[], None]) -> Target:
    def parse(data: bytes) -> Motion:
        if data == BAD:
            misbehave()
        return small_motions()["chain"]

    limit_s = 1.0 if name == "hangs" else 20.0  # a busy machine must not make the others slow
    return Target(name, ".txt", 10, lambda: [GOOD], parse, {"spoil_some": spoil_some}, limit_s=limit_s, limit_mb=100.0)


TARGETS: Mapping[str, Target] = MappingProxyType({
    name: _target(name, misbehave)
    for name, misbehave in (
        ("raises", _raise), ("hangs", _hang), ("crashes", _crash), ("hoards", _hoard), ("babbles", _babble),
    )
})  # fmt: skip
