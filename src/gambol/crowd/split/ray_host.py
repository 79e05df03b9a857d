"""Regions of a crowd in Ray actors, one each.

Neighbours hand their messages to each other through Ray's object store: whoever drives the crowd only passes on
promises of them, and does so for several frames ahead.
"""

from __future__ import annotations

import copyreg
import io
import pickle
from collections import deque
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from types import MappingProxyType
from typing import Any

from gambol.crowd.split.cluster import imported_ray, joined, started
from gambol.crowd.split.split_crowd import Opening

AHEAD = 8  # frames that are asked for before the first of them has passed


class RayHost:
    """Regions in Ray actors, over all nodes that there are; one that dies ends the run."""

    def __init__(self, opening: Opening, *, address: str | None = None) -> None:
        """Join a cluster at an address ("auto": the one that runs on this machine), or start one here.

        A cluster that this process is part of already is used as it is, and stays.
        """
        self._ray = ray = imported_ray()
        self._stack, self._actors, self._pending = ExitStack(), [], deque()
        regions = len(opening.strips)
        if not ray.is_initialized():
            self._stack.enter_context(started(regions) if address is None else joined(address))
        try:
            # Where there are too few processors, they are shared: an actor that waits for one would wait for ever.
            processors = 1 if ray.available_resources().get("CPU", 0) >= regions else 0
            options = {"num_cpus": processors, "max_restarts": 0, "scheduling_strategy": "SPREAD"}
            actor = ray.remote(**options)(_RegionActor)
            packed = ray.put(packed_opening(opening))
            self._actors = [actor.remote(packed, number) for number in range(regions)]
            self.fetch([self.call(number, "figures") for number in range(regions)])
        except BaseException:
            self.close()
            raise

    def call(self, region: int, method: str, *arguments: Any) -> Any:
        return self._actors[region].call.remote(method, *arguments)

    def tell(self, region: int, method: str, *arguments: Any) -> tuple[Any, Any]:
        below, above = self._actors[region].tell.options(num_returns=2).remote(method, *arguments)
        self._pending.append(below)
        if len(self._pending) > AHEAD * len(self._actors):
            self._ray.wait([self._pending.popleft()])
        return below, above

    def fetch(self, promises: Sequence[Any]) -> list[Any]:
        try:
            return self._ray.get(list(promises))
        except self._ray.exceptions.RayTaskError as error:
            raise error.cause from error

    def close(self) -> None:
        for actor in self._actors:
            self._ray.kill(actor)
        self._actors, self._pending = [], deque()
        self._stack.close()


class _RegionActor:
    """A region, in a process of its own."""

    def __init__(self, packed: bytes, number: int) -> None:
        self.region = pickle.loads(packed).region(number)

    def call(self, method: str, *arguments: Any) -> Any:
        return getattr(self.region, method)(*arguments)

    def tell(self, method: str, *arguments: Any) -> Any:
        return getattr(self.region, method)(*arguments)


def packed_opening(opening: Opening) -> bytes:
    """Return an opening as bytes; characters hold read-only mappings, which nothing packs as they are."""
    packed = io.BytesIO()
    _Packer(packed, protocol=5).dump(opening)
    return packed.getvalue()


def read_only(mapping: dict[Any, Any]) -> MappingProxyType[Any, Any]:
    return MappingProxyType(mapping)


def _reduced(mapping: MappingProxyType[Any, Any]) -> tuple[Callable[..., Any], tuple[Any, ...]]:
    return read_only, (dict(mapping),)


class _Packer(pickle.Pickler):
    dispatch_table = {**copyreg.dispatch_table, MappingProxyType: _reduced}  # noqa: RUF012
