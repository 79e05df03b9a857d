"""Kernels: functions over arrays that numba compiles on their first call and keeps on disk for the next process.

A clock beside them stands still while they compile, so that what is timed is the work.
"""

from __future__ import annotations

import functools
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar, cast

from gambol.errors import MissingExtra

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def kernel(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile a serial kernel on its first call, and keep the machine code for the next process."""
    return _lazily(function)


def allocation_free_kernel(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile a kernel that makes no arrays, without counting references to those it is handed.

    For look-ups in inner loops: with a table of twenty arrays the counting, two atomic operations an
    array and call, costs several times the look-up.  A kernel that does make an array fails to compile.
    What calls it in a loop should be one too, or it counts on its side.
    """
    return _lazily(function, _nrt=False)


def inlined_kernel(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile an allocation-free kernel into whatever calls it.

    A table of many arrays is passed by value: where that costs more than the call does, have none.
    """
    return _lazily(function, _nrt=False, forceinline=True)


def merged_kernel(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile an allocation-free kernel as if it were written out where it is called.

    For pieces of a large kernel that read tables of a hundred arrays: handing these over, even to a kernel that is
    inlined later, takes seconds to compile.  Best called from one place only.
    """
    return _lazily(function, _nrt=False, inline="always")


def threaded_kernel(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile an allocation-free kernel that lets other threads run while it does."""
    return _lazily(function, _nrt=False, nogil=True)


def _lazily(function: Callable[Arguments, Result], **options: Any) -> Callable[Arguments, Result]:
    return cast(Callable[Arguments, Result], Kernel(function, options))


class Kernel:
    """A function that numba is shown when it is first needed.

    Of three hundred kernels a plan calls twenty from Python.  The others are compiled into these and come from the
    cache with them, so a process that finds them there never needs to set them up, which takes longer than loading.
    """

    def __init__(self, function: Callable[..., Any], options: dict[str, Any]) -> None:
        functools.update_wrapper(self, function)
        self._function, self._options = function, options

    def __call__(self, *arguments: Any) -> Any:
        return self.dispatcher(*arguments)

    def __getattr__(self, name: str) -> Any:  # what numba asks a dispatcher for
        if name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.dispatcher, name)

    def __reduce__(self) -> str:  # pickled by its name
        return self._function.__qualname__

    @functools.cached_property
    def dispatcher(self) -> Any:
        """What numba makes of the function."""
        with _deciding:
            made = self.__dict__.get("dispatcher")
            return made if made is not None else _compiled(self._function, **self._options)


_deciding = threading.RLock()


@functools.cache
def _meet_numba() -> None:
    """Tell numba that a kernel called by another kernel is the dispatcher behind it; have it tell when it compiles."""
    from numba.core.types import Dispatcher
    from numba.extending import typeof_impl

    _watch_numba()

    @typeof_impl.register(Kernel)
    def _(one: Kernel, _context: Any) -> Any:
        return Dispatcher(one.dispatcher) if hasattr(one.dispatcher, "targetoptions") else None


def _compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Return numba's dispatcher for a function.

    Where no cache folder is writable (a read-only install, a locked-down home), numba refuses at decoration; the
    kernel then compiles anew in each process.
    """
    try:
        from numba import njit
    except ImportError as error:
        raise MissingExtra("what crowds, climbs and variants compute", "crowds") from error
    _meet_numba()
    try:
        compiled: Any = njit(cache=True, **options)(function)
    except RuntimeError:
        return njit(**options)(function)
    cache = getattr(compiled, "_cache", None)  # none where compiling is switched off
    if cache is not None:
        save, load = cache.save_overload, cache.load_overload

        def load_if_it_can_be_read(signature: Any, target: Any) -> Any:
            try:
                return load(signature, target)
            except Exception:  # what an older version kept names classes that have moved: compile anew
                return None

        def save_if_there_is_room(signature: Any, data: Any) -> None:
            with suppress(OSError):  # a disk that is full: the next process compiles anew
                try:
                    save(signature, data)
                except (ImportError, AttributeError):  # the index of an older version names them as well: begin anew
                    cache.flush()
                    save(signature, data)

        cache.save_overload, cache.load_overload = save_if_there_is_room, load_if_it_can_be_read
    return compiled


class _Compiling:
    """Adds up the time that numba spends compiling, which it does under one lock."""

    def __init__(self) -> None:
        self.spent_s = 0.0
        self.tell: Callable[[], None] | None = None
        self._depth, self._begun = 0, 0.0

    def start(self) -> None:
        if self.tell is not None:
            tell, self.tell = self.tell, None
            with suppress(ValueError, OSError):  # where it was to be written is closed: compiling goes on
                tell()
        if self._depth == 0:
            self._begun = time.perf_counter()
        self._depth += 1

    def end(self) -> None:
        self._depth -= 1
        if self._depth == 0:
            self.spent_s += time.perf_counter() - self._begun


_compiling = _Compiling()


def _watch_numba() -> None:
    """Have numba tell when it compiles; called once, when it is imported."""
    from numba.core import event

    class Listener(event.Listener):
        def on_start(self, event: Any) -> None:
            _compiling.start()

        def on_end(self, event: Any) -> None:
            _compiling.end()

    event.register("numba:compile", Listener())


def seconds() -> float:
    """Return a time in seconds that goes on while a program works, and not while it compiles."""
    return time.perf_counter() - _compiling.spent_s


def when_compiling(tell: Callable[[], None]) -> None:
    """Call a function once, when a kernel is compiled for the first time from now on."""
    _compiling.tell = tell
