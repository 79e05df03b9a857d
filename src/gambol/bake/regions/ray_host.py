"""Regions of a crowd in Ray actors, one each.

Neighbours hand their messages to each other through Ray's object store: whoever drives the crowd only passes on
promises of them, and does so for several frames ahead.
"""

from __future__ import annotations

import copyreg
import io
import os
import pickle
from collections import deque
from collections.abc import Callable, Sequence
from types import MappingProxyType
from typing import Any

from gambol.crowd.split import Opening
from gambol.errors import InvalidInput, MissingExtra

LOCAL = "127.0.0.1"  # where a cluster that is started here listens
AHEAD = 8  # frames that are asked for before the first of them has passed


class RayHost:
    """Regions in Ray actors, each with a processor of its own where there are as many."""

    def __init__(self, opening: Opening, *, address: str | None = None) -> None:
        """Join a cluster at an address ("auto": the one that runs on this machine), or start one here."""
        self._ray = ray = import_ray()
        self._started = not ray.is_initialized()
        regions = len(opening.strips)
        if self._started:
            options: dict[str, Any] = {"include_dashboard": False, "log_to_driver": False, "logging_level": "error"}
            if address is None:
                options |= {"num_cpus": regions, "_node_ip_address": LOCAL}
            else:
                options = {"log_to_driver": False}
            try:
                ray.init(address=address or "local", **options)
            except (ConnectionError, ValueError, RuntimeError) as error:
                raise InvalidInput(f"no Ray cluster at {address or 'this machine'}: {error}") from error
        actor = ray.remote(num_cpus=1, max_restarts=0)(_RegionActor)
        packed = ray.put(packed_opening(opening))
        self._actors = [actor.remote(packed, number) for number in range(regions)]
        self._pending: deque[Any] = deque()
        self.fetch([self.call(number, "figures") for number in range(regions)])

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
        if self._started and self._ray.is_initialized():
            self._ray.shutdown()


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


def import_ray() -> Any:
    """Return Ray, or say how to get it."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    try:
        import ray
    except ImportError:
        raise MissingExtra("a crowd over Ray actors", "cluster") from None
    return ray
