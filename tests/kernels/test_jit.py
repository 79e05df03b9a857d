"""Kernels run wherever they can be compiled, whether or not they can be kept."""

from __future__ import annotations

import errno
from typing import Any

import pytest
from numba.core import caching

from gambol.kernels.jit import kernel


def twice(number: int) -> int:
    return 2 * number


def test_a_disk_that_is_full_keeps_no_kernel_from_running(monkeypatch: pytest.MonkeyPatch):
    def full(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(caching.FunctionCache, "save_overload", full)
    monkeypatch.setattr(caching.FunctionCache, "load_overload", lambda *_: None)
    assert kernel(twice)(21) == 42
