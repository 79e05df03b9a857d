"""Open the core's library, and refuse one that is not of this version."""

from __future__ import annotations

import platform
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent
SUFFIXES = {"Windows": ".dll", "Darwin": ".dylib"}
HOW_TO_BUILD = (
    "it is built when Gambol is installed; in a clone: pip install --editable . (or python core/build.py), with a C "
    "compiler (Debian: apt install gcc; macOS: xcode-select --install) or, without one, with ziglang from PyPI"
)


def open_library() -> tuple[Any, Any]:
    """Return cffi's view of the header and the library."""
    path = FOLDER / f"libgambol{SUFFIXES.get(platform.system(), '.so')}"
    try:
        from gambol.core import _binding
    except ImportError as error:
        raise ImportError(f"Gambol's core, {path.name}, is not there: {HOW_TO_BUILD}") from error
    try:
        library: Any = _binding.ffi.dlopen(str(path))
    except OSError as error:
        raise ImportError(f"Gambol's core cannot be loaded ({error}): {HOW_TO_BUILD}") from error
    told: Any = _binding.ffi.string(library.gb_header_hash())
    found = told.decode()
    if found != _binding.HEADER_HASH:
        raise ImportError(
            f"Gambol's core, {path}, was built of another header ({found}) than this version's "
            f"({_binding.HEADER_HASH}): {HOW_TO_BUILD}"
        )
    return _binding.ffi, library


ffi, lib = open_library()
