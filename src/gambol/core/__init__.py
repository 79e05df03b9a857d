"""The core: a library in C99 that decides while a program runs; its header is core/include/gambol.h."""

from __future__ import annotations

from gambol.core.library import ffi, lib
from gambol.core.structs import Struct, pointer, rows, struct, struct_of

__all__ = ["Struct", "ffi", "lib", "pointer", "rows", "struct", "struct_of"]
