"""Changes of single values in a TOML text, which leave every other character of it as it is.

Tables may stand in any order, and comments anywhere: nothing is written anew but what is changed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any

from gambol.files.entries import parse_toml
from gambol.files.toml_lines import Key
from gambol.view.edit.toml_spans import Span, Spans

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_COMMA_AFTER = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+,")  # never one in a comment
_BLANK = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")
_COMMA_BEFORE = re.compile(r",\s*\Z")
LARGEST_WHOLE = 1e15  # whole numbers up to this are written without a point


def literal(value: object) -> str:
    """Write a value as TOML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        number = float(value)  # numpy's own are written in another way
        return str(int(number)) if number.is_integer() and abs(number) < LARGEST_WHOLE else repr(number)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        clean = value.encode("utf-8", "replace").decode()
        return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        pairs = ", ".join(f"{_key_text((name,))} = {literal(one)}" for name, one in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(literal(one) for one in value)}]"
    raise TypeError(f"a value of TOML is expected, not {value!r}")


def get(data: Any, key: Key, default: Any = None) -> Any:
    """Return the value at a key of plain data, or the default."""
    for part in key:
        try:
            data = data[part]
        except (KeyError, IndexError, TypeError):
            return default
    return data


def put(text: str, key: Key, value: object) -> str:
    """Return the text with a value at a key: in place of the one there, or added at the end of its table."""
    old = get(parse_toml(text), key)
    if type(old) is type(value) and old == value:
        return text
    if isinstance(old, list) and isinstance(value, list | tuple) and len(old) == len(value):
        for index, one in enumerate(value):
            text = put(text, (*key, index), one)
        return text
    if isinstance(old, dict) and isinstance(value, Mapping):
        for name, one in value.items():
            text = put(text, (*key, name), one)
        for name in old.keys() - value.keys():
            text = cut(text, (*key, name))
        return text
    spans = Spans.of(text)
    if key in spans.values:
        if isinstance(old, list) and isinstance(value, list | tuple) and old and value:
            return _put_list(text, key, old, value)
        start, end = spans.values[key]
        return text[:start] + literal(value) + text[end:]
    if old is not None:
        text = cut(text, key)
        spans = Spans.of(text)
    return _added(text, spans, key, value)


def cut(text: str, key: Key) -> str:
    """Return the text without what is at a key; comments around it stay."""
    spans = Spans.of(text)
    if key in spans.pairs:
        return _without_pair(text, spans, key)
    if key in spans.values:
        return _without_element(text, spans, spans.values[key])
    parts = [(block.start, block.end) for block in spans.own_blocks(key) if block.table]
    parts += [span for name, span in spans.pairs.items() if name[: len(key)] == key and not _is_inside(span, parts)]
    for start, end in sorted(parts, reverse=True):
        text = _without_lines(text, start, end)
    return text


def append(text: str, name: str, entry: Mapping[str, object]) -> str:
    """Return the text with one more table in an array of tables."""
    spans = Spans.of(text)
    if (name,) in spans.values:  # written as [{ … }, { … }]
        return _appended(text, spans, (name,), literal(entry))
    pairs = "".join(f"{_key_text((key,))} = {literal(value)}\n" for key, value in entry.items())
    return _pasted(text, spans, name, f"[[{_key_text((name,))}]]\n{pairs}")


def append_copy(text: str, key: Key) -> str:
    """Return the text with a copy of an element at the end of its array."""
    spans = Spans.of(text)
    if key in spans.values:
        start, end = spans.values[key]
        return _appended(text, spans, key[:-1], text[start:end])
    blocks = spans.own_blocks(key)
    copied = "\n".join(_whole_line(text, block.start, block.end).strip("\r\n") for block in blocks) + "\n"
    return _pasted(text, spans, str(key[0]), copied.replace("\r\n", "\n"))


def _added(text: str, spans: Spans, key: Key, value: object) -> str:
    parent = key[:-1]
    if parent in spans.values:
        if isinstance(key[-1], int):
            return _appended(text, spans, parent, literal(value))
        pair = f"{_key_text(key[-1:])} = {literal(value)}"
        return _appended(text, spans, parent, pair)
    block = next((block for block in spans.blocks if block.table == parent), None)
    if block is None and parent and get(parse_toml(text), parent) is None:  # there is no such table yet
        return put(text, parent, [value] if isinstance(key[-1], int) else {key[-1]: value})
    if block is None:  # a table made of dotted keys
        first = next(span for name, span in spans.pairs.items() if name[: len(parent)] == parent)
        block = next(one for one in spans.blocks if _is_inside(first, [(one.start, one.end)]))
    line = f"{_key_text(key[len(block.table) :])} = {literal(value)}"
    if block.table == () and block.end == 0:
        return f"{line}{_newline(text)}{text}"
    end = _line_end(text, block.end)
    return f"{text[:end]}{_newline(text)}{line}{text[end:]}"


def _put_list(text: str, key: Key, old: Sequence[object], new: Sequence[object]) -> str:
    """Change a list to one of another length; what is between equal elements stays."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next((at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head)
    kept = shorter - tail
    for index in range(head, kept):
        text = put(text, (*key, index), new[index])
    for index in reversed(range(kept, len(old) - tail)):
        text = cut(text, (*key, index))
    for index in range(kept, len(new) - tail):
        text = _inserted(text, key, index, literal(new[index]))
    return text


def _inserted(text: str, parent: Key, index: int, item: str) -> str:
    """Add an item at an index of an array that is not empty."""
    spans = Spans.of(text)
    if index > 0:
        return _after(text, spans.values[parent], spans.values[*parent, index - 1], item)
    start, _ = spans.values[*parent, 0]
    line = text[text.rfind("\n", 0, start) + 1 : start]
    gap = " " if line.strip() else f"{_newline(text)}{line}"
    return f"{text[:start]}{item},{gap}{text[start:]}"


def _appended(text: str, spans: Spans, parent: Key, item: str) -> str:
    """Add an item to an array or inline table that stands in the text."""
    start, end = spans.values[parent]
    inside = [one for name, one in {**spans.values, **spans.pairs}.items()
              if len(name) > len(parent) and name[: len(parent)] == parent]  # fmt: skip
    if not inside:
        opening, closing = text[start], text[end - 1]
        blank = " " if opening == "{" else ""
        return f"{text[:start]}{opening}{blank}{item}{blank}{closing}{text[end:]}"
    last = max(one[1] for one in inside)
    return _after(text, (start, end), (min(one[0] for one in inside if one[1] == last), last), item)


def _after(text: str, around: Span, before: Span, item: str) -> str:
    """Add an item behind another of an array or inline table: on a line of its own where that one has its own."""
    start, end = before
    comma = _COMMA_AFTER.match(text, end, around[1])
    behind = end if comma is None else comma.end()
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if text[around[0]] == "[" and not line.strip() and _is_last(text, behind):
        at = _line_end(text, behind)
        own = f"{_newline(text)}{line}{item}{'' if comma is None else ','}"
        return f"{text[:behind]}{',' if comma is None else ''}{text[behind:at]}{own}{text[at:]}"
    own = f", {item}" if comma is None else f" {item}{',' if _has_more(text, behind, around[1]) else ''}"
    return f"{text[:behind]}{own}{text[behind:]}"


def _pasted(text: str, spans: Spans, name: str, table: str) -> str:
    """Put the text of a table behind the last of its array, or at the end."""
    newline = _newline(text)
    table = table.replace("\n", newline)
    own = [block for block in spans.own_blocks((name,)) if block.table]
    if own:
        at = _line_end(text, max(block.end for block in own))
        return f"{text[:at]}{newline}{newline}{table.removesuffix(newline)}{text[at:]}"
    gap = "" if not text else newline if text.endswith("\n") else newline * 2
    return f"{text}{gap}{table}"


def _without_pair(text: str, spans: Spans, key: Key) -> str:
    """Take out a pair; a comment behind it stays, on its own."""
    start, end = spans.pairs[key]
    if any(key[:depth] in spans.values for depth in range(1, len(key))):
        return _without_element(text, spans, (start, end))
    rest = text[end : _line_end(text, end)]
    if not rest.strip():
        return _without_lines(text, start, end)
    return text[:start] + text[end + len(rest) - len(rest.lstrip()) :]


def _without_element(text: str, spans: Spans, span: Span) -> str:
    """Take out an item of an array or inline table, with the comma that belongs to it."""
    start, end = span
    comma = _COMMA_AFTER.match(text, end)
    behind = end if comma is None else comma.end()
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if not line.strip() and _is_last(text, behind) and (comma is None or "\n" not in comma[0]):
        return _without_lines(text, start, behind)
    if comma is not None:
        while behind < len(text) and text[behind] in " \t":
            behind += 1
        return text[:start] + text[behind:]
    before = _COMMA_BEFORE.search(text, 0, start)
    previous = max((one[1] for one in (*spans.values.values(), *spans.pairs.values()) if one[1] <= start), default=0)
    own = _COMMA_AFTER.match(text, previous, start)
    is_own = before is not None and own is not None and own.end() - 1 == before.start()
    return text[: before.start() if is_own and before is not None else start] + text[end:]


def _without_lines(text: str, start: int, end: int) -> str:
    """Take out whole lines, and one of two blank lines that then would meet."""
    first = text.rfind("\n", 0, start) + 1
    last = min(_line_end(text, end), len(text))
    rest = text[last:].removeprefix("\r\n").removeprefix("\n") if last < len(text) else ""
    head = text[:first]
    if re.search(r"(?:\A|\n)[ \t]*\r?\n\Z", head) and re.match(r"[ \t]*\r?\n", rest):
        rest = re.sub(r"\A[ \t]*\r?\n", "", rest)
    return head + rest


def _whole_line(text: str, start: int, end: int) -> str:
    return text[text.rfind("\n", 0, start) + 1 : _line_end(text, end)]


def _is_last(text: str, at: int) -> bool:
    """Tell whether nothing but a comment comes after a position on its line."""
    rest = text[at : _line_end(text, at)].strip()
    return not rest or rest.startswith("#")


def _has_more(text: str, at: int, end: int) -> bool:
    """Tell whether an item comes after a comma, and not the end of the array."""
    return _BLANK.match(text, at, end).end() < end - 1  # pyright: ignore[reportOptionalMemberAccess]


def _line_end(text: str, at: int) -> int:
    """Return where the line ends that a position is in, before its line break."""
    end = text.find("\n", at)
    if end < 0:
        return len(text)
    return end - 1 if text[end - 1] == "\r" and end - 1 >= at else end


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _key_text(key: Key) -> str:
    return ".".join(str(part) if _BARE.fullmatch(str(part)) else literal(str(part)) for part in key)


def _is_inside(span: Span, parts: list[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in parts)
