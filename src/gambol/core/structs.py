"""Lay arrays out as the core's structs: once for each table, then handed over by its address."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np

from gambol.core.library import ffi

#: What elements of an array may be, by the C type that points to them.
ELEMENTS = {
    "double": "f8",
    "float": "f4",
    "int64_t": "i8",
    "int32_t": "i4",
    "int16_t": "i2",
    "uint64_t": "u8",
    "uint32_t": "u4",
    "uint16_t": "u2",
    "uint8_t": "u1",
}


class Struct:
    """A struct of the core; keeps alive the arrays that it points to.

    c: its address, to be handed to functions; `c.field` reads and writes.
    """

    __slots__ = ("c", "kept")

    def __init__(self, c: Any, kept: dict[str, Any]) -> None:
        self.c, self.kept = c, kept

    def set(self, name: str, value: Any) -> None:
        """Put another array, struct or number into a field."""
        setattr(self.c, name, _converted(_fields(ffi.typeof(self.c).item.cname)[name], value, name))
        self.kept[name] = value


def struct(kind: str, /, **values: Any) -> Struct:
    """Return a struct of the core, all of its fields given: numbers, arrays or None, structs in it or pointed to."""
    fields = _fields(kind)
    if values.keys() != fields.keys():
        wrong = sorted(values.keys() ^ fields.keys())
        raise TypeError(f"{kind} has the fields {', '.join(fields)}; too many or missing are {', '.join(wrong)}")
    made = ffi.new(f"{kind} *")
    for name, value in values.items():
        setattr(made, name, _converted(fields[name], value, name))
    return Struct(made, values)


def struct_of(kind: str, table: Any, /, **others: Any) -> Struct:
    """Return a struct of the core whose fields are a table's attributes of the same names, but for those given."""
    values = {name: others[name] if name in others else getattr(table, name) for name in _fields(kind)}
    return struct(kind, **{**values, **others})


def pointer(array: np.ndarray, kind: str) -> Any:
    """Return the address of an array's elements, which have to be of a C type and side by side."""
    return _address(array, kind, "argument")


@cache
def _fields(kind: str) -> dict[str, Any]:
    return {name: field.type for name, field in ffi.typeof(kind).fields}


def _converted(kind: Any, value: Any, name: str) -> Any:
    """Return what cffi puts into a field of a C type."""
    if kind.kind == "pointer":
        if value is None:
            return ffi.NULL
        return value.c if isinstance(value, Struct) else _address(value, kind.item.cname, name)
    if kind.kind == "struct":
        return value.c[0]
    if kind.kind == "array":
        return [_converted(kind.item, element, name) for element in value]
    return _number(kind, value)


def _number(kind: Any, value: Any) -> float | int:
    return float(value) if kind.cname in ("double", "float") else int(value)


def rows(kind: str, count: int, *, filled: bool = True) -> np.ndarray:
    """Return `count` structs of numbers side by side, all 0 if filled, with the struct's fields as columns."""
    columns = row_type(kind)
    line = 64  # bytes: a struct that fits into a line of the cache does not lie in two
    room = (np.zeros if filled else np.empty)(count * columns.itemsize + line, np.uint8)
    begins = -room.ctypes.data % line
    return room[begins : begins + count * columns.itemsize].view(columns)


@cache
def row_type(kind: str) -> np.dtype:
    """Return the type of rows that are structs of numbers."""
    fields = ffi.typeof(kind).fields
    layout: Any = {
        "names": [name for name, _ in fields],
        "formats": [ELEMENTS[field.type.cname] for _, field in fields],
        "offsets": [field.offset for _, field in fields],
        "itemsize": ffi.sizeof(kind),
    }
    return np.dtype(layout)


def _address(array: np.ndarray, element: str, name: str) -> Any:
    expected = ELEMENTS.get(element) or row_type(element)
    if array.dtype != expected and not (expected == "u1" and array.dtype == np.bool_):
        raise TypeError(f"{name} must be an array of {expected}, not of {array.dtype}")
    if not array.flags.c_contiguous:
        raise TypeError(f"the elements of {name} must lie side by side")
    return ffi.from_buffer(f"{element}[]", array)  # keeps the array alive
