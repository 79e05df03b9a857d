"""Compile numba kernels, cached on disk where that is possible."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Any, ParamSpec, TypeVar

from numba import njit

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def kernel(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile a serial kernel on its first call, and keep the machine code for the next process.

    Where no cache folder is writable (a read-only install, a locked-down home), numba refuses at
    decoration; the kernel then compiles anew in each process instead of failing the import.
    """
    return _compiled(function)


def allocation_free_kernel(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile a kernel that makes no arrays, without counting references to those it is handed.

    For look-ups in inner loops: with a table of twenty arrays the counting, two atomic operations an
    array and call, costs several times the look-up.  A kernel that does make an array fails to compile.
    What calls it in a loop should be one too, or it counts on its side.
    """
    return _compiled(function, _nrt=False)


def inlined_kernel(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile an allocation-free kernel into whatever calls it.

    A table of many arrays is passed by value: where that costs more than the call does, have none.
    """
    return _compiled(function, _nrt=False, forceinline=True)


def merged_kernel(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile an allocation-free kernel as if it were written out where it is called.

    For pieces of a large kernel that read tables of a hundred arrays: handing these over, even to a kernel that is
    inlined later, takes seconds to compile.  Best called from one place only.
    """
    return _compiled(function, _nrt=False, inline="always")


def threaded_kernel(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile an allocation-free kernel that lets other threads run while it does."""
    return _compiled(function, _nrt=False, nogil=True)


def _compiled(function: Callable[Arguments, Result], **options: Any) -> Callable[Arguments, Result]:
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
