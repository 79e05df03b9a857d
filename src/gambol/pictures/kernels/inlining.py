"""Compile helpers into their callers."""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from numba import njit

Arguments = ParamSpec("Arguments")
Result = TypeVar("Result")


def inlined(function: Callable[Arguments, Result]) -> Callable[Arguments, Result]:
    """Compile a helper into each of its callers.

    Views and scenes are tuples of dozens of scalars.  Passing them in a call costs more than most helpers do: without
    this, painting a floor takes twice the time.
    """
    return njit(inline="always")(function)
