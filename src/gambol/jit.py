"""Compile a numba kernel, cached on disk where that is possible."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from numba import njit

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def kernel(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile a serial kernel on its first call, and keep the machine code for the next process.

    Where no cache folder is writable (a read-only install, a locked-down home), numba refuses at
    decoration; the kernel then compiles anew in each process instead of failing the import.
    """
    try:
        return njit(cache=True)(function)
    except RuntimeError:
        return njit(function)
