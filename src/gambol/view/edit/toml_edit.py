"""Changes of single values in a TOML text, which leave every other character of it as it is.

Tables may stand in any order, and comments anywhere: only what is changed is written anew.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from gambol.files.entries import parse_toml
from gambol.files.toml_lines import Key, Scanner

Span = tuple[int, int]  # positions of characters: the first, and the one after the last
LARGEST_WHOLE = 1e15  # whole numbers below this are written without a decimal point
_BARE = re.compile(r"[A-Za-z0-9_-]+")  # a key without quotes
_BLANK = re.compile(r"(?:[ \t\r\n]++|#[^\n]*+)*+")  # blanks, line breaks and comments
_COMMA = re.compile(rf"{_BLANK.pattern},")  # the comma behind an item, never one in a comment
_LINE = re.compile(r"[^\r\n]*")  # the rest of a line


class Block(NamedTuple):
    """A header and the pairs below it, up to the next header; the file's own block has no header."""

    table: Key
    start: int  # where the header starts
    end: int  # where its last pair, or the header, ends; comments after that may belong to the next block


class Spans(Scanner):
    """Where the values, pairs and tables of a valid TOML text begin and end."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.values: dict[Key, Span] = {}  # everything right of an equals sign, and the items in it
        self.pairs: dict[Key, Span] = {}  # from the key to the end of its value
        self.blocks = [Block((), 0, 0)]  # in the order of the text; the first is the file's own
        self._depth = 0  # number of inline tables and arrays around the position
        self.scan()

    def own_blocks(self, key: Key) -> list[Block]:
        """Return the blocks of a table and of the tables in it."""
        return [block for block in self.blocks if block.table[: len(key)] == key]

    def header(self) -> Key:
        start = self.at
        table = super().header()
        self.blocks.append(Block(table, start, self.at))
        return table

    def pair(self, table: Key) -> None:
        start = self.at
        key = (*table, *self.dotted_key())
        self.at = start
        super().pair(table)
        self.pairs[key] = (start, self.at)
        if self._depth == 0:
            self.blocks[-1] = self.blocks[-1]._replace(end=self.at)

    def value(self, key: Key) -> None:
        self.skip_blank()
        start = self.at
        self._depth += 1
        super().value(key)
        self._depth -= 1
        self.values[key] = (start, self.at)


def literal(value: object) -> str:
    """Write a value as TOML on one line."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float):
        number = float(value)  # numbers of numpy are written in another way
        return str(int(number)) if number.is_integer() and abs(number) < LARGEST_WHOLE else repr(number)
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        clean = value.encode("utf-8", "replace").decode()
        return json.dumps(clean, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, Mapping):
        pairs = ", ".join(_pair((name,), one) for name, one in value.items())
        return f"{{ {pairs} }}" if pairs else "{}"
    if isinstance(value, Sequence):
        return f"[{', '.join(literal(one) for one in value)}]"
    raise TypeError(f"expected a value of TOML, not {value!r}")


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
    spans = Spans(text)
    if key in spans.values:
        if isinstance(old, list) and isinstance(value, list | tuple) and old and value:
            return _put_list(text, key, old, value)
        start, end = spans.values[key]
        return text[:start] + literal(value) + text[end:]
    return _added(text if old is None else cut(text, key), key, value)


def cut(text: str, key: Key) -> str:
    """Return the text without what is at a key; comments around it stay."""
    spans = Spans(text)
    span = spans.pairs.get(key) or spans.values.get(key)
    if span is not None and any(key[:depth] in spans.values for depth in range(1, len(key))):
        return _without_item(text, spans, *span)
    if span is not None:
        comment = text[span[1] : _line_end(text, span[1])].lstrip()
        return text[: span[0]] + text[text.index(comment, span[1]) :] if comment else _without_lines(text, *span)
    parts = [(block.start, block.end) for block in spans.own_blocks(key) if block.table]
    parts += [pair for name, pair in spans.pairs.items() if name[: len(key)] == key and not _is_inside(pair, parts)]
    for start, end in sorted(parts, reverse=True):
        text = _without_lines(text, start, end)
    return text


def append(text: str, name: str, entry: Mapping[str, object]) -> str:
    """Return the text with one more table in an array of tables."""
    spans = Spans(text)
    if (name,) in spans.values:  # written as [{ … }, { … }]
        return _appended(text, spans, (name,), literal(entry))
    pairs = "".join(f"{_pair((key,), value)}\n" for key, value in entry.items())
    return _pasted(text, spans, name, f"[[{_key_text((name,))}]]\n{pairs}")


def append_copy(text: str, key: Key) -> str:
    """Return the text with a copy of an element at the end of its array."""
    spans = Spans(text)
    if key in spans.values:
        start, end = spans.values[key]
        return _appended(text, spans, key[:-1], text[start:end])
    lines = [text[_line_start(text, block.start) : _line_end(text, block.end)] for block in spans.own_blocks(key)]
    return _pasted(text, spans, str(key[0]), "".join(f"{line}\n" for line in lines).replace("\r\n", "\n"))


def _added(text: str, key: Key, value: object) -> str:
    """Add a key to its table or array."""
    spans, parent = Spans(text), key[:-1]
    if parent in spans.values:
        item = literal(value) if isinstance(key[-1], int) else _pair(key[-1:], value)
        return _appended(text, spans, parent, item)
    block = next((block for block in spans.blocks if block.table == parent), None)
    if block is None and parent and get(parse_toml(text), parent) is None:  # there is no such table yet
        return put(text, parent, [value] if isinstance(key[-1], int) else {key[-1]: value})
    if block is None:  # a table made of dotted keys
        first = next(span for name, span in spans.pairs.items() if name[: len(parent)] == parent)
        block = next(one for one in spans.blocks if _is_inside(first, [(one.start, one.end)]))
    line = _pair(key[len(block.table) :], value)
    if block.table == () and block.end == 0:
        return f"{line}{_newline(text)}{text}"
    end = _line_end(text, block.end)
    return f"{text[:end]}{_newline(text)}{line}{text[end:]}"


def _put_list(text: str, key: Key, old: Sequence[object], new: Sequence[object]) -> str:
    """Change a list to one of another length; everything between equal elements stays."""
    shorter = min(len(old), len(new))
    head = next((at for at in range(shorter) if old[at] != new[at]), shorter)
    tail = next((at for at in range(shorter - head) if old[-1 - at] != new[-1 - at]), shorter - head)
    kept = shorter - tail
    for index in range(head, kept):
        text = put(text, (*key, index), new[index])
    for index in reversed(range(kept, len(old) - tail)):
        text = cut(text, (*key, index))
    for index in range(kept, len(new) - tail):
        spans, item = Spans(text), literal(new[index])
        if index > 0:
            text = _after(text, spans.values[key], spans.values[*key, index - 1], item)
            continue
        start, _ = spans.values[*key, 0]
        indent = text[_line_start(text, start) : start]
        text = f"{text[:start]}{item},{' ' if indent.strip() else _newline(text) + indent}{text[start:]}"
    return text


def _appended(text: str, spans: Spans, parent: Key, item: str) -> str:
    """Add an item to an array or inline table."""
    start, end = spans.values[parent]
    items = [*spans.values.items(), *spans.pairs.items()]
    inside = [span for name, span in items if len(name) > len(parent) and name[: len(parent)] == parent]
    if not inside:
        blank = " " if text[start] == "{" else ""
        return f"{text[: start + 1]}{blank}{item}{blank}{text[end - 1 :]}"
    last = max(one[1] for one in inside)
    return _after(text, (start, end), (min(one[0] for one in inside if one[1] == last), last), item)


def _after(text: str, around: Span, before: Span, item: str) -> str:
    """Add an item behind another of an array or inline table, on a line of its own if the other one has its own."""
    start, end = before
    comma = _COMMA.match(text, end, around[1])
    behind = end if comma is None else comma.end()
    indent, line_end = text[_line_start(text, start) : start], _line_end(text, behind)
    if text[around[0]] == "[" and not indent.strip() and _BLANK.fullmatch(text, behind, line_end):
        own = f"{_newline(text)}{indent}{item}{'' if comma is None else ','}"
        return f"{text[:behind]}{',' if comma is None else ''}{text[behind:line_end]}{own}{text[line_end:]}"
    is_last = _BLANK.fullmatch(text, behind, around[1] - 1)
    own = f", {item}" if comma is None else f" {item}{'' if is_last else ','}"
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


def _without_item(text: str, spans: Spans, start: int, end: int) -> str:
    """Take out an item of an array or inline table, with its comma."""
    comma = _COMMA.match(text, end)
    behind = end if comma is None else comma.end()
    is_alone = not text[_line_start(text, start) : start].strip()
    is_alone = is_alone and _BLANK.fullmatch(text, behind, _line_end(text, behind)) is not None
    if is_alone and (comma is None or "\n" not in comma[0]):
        return _without_lines(text, start, behind)
    if comma is not None:
        return text[:start] + text[behind:].lstrip(" \t")
    previous = max((one[1] for one in (*spans.values.values(), *spans.pairs.values()) if one[1] <= start), default=0)
    comma = _COMMA.match(text, previous, start)
    has_own = comma is not None and not text[comma.end() : start].strip()
    return text[: comma.end() - 1 if comma is not None and has_own else start] + text[end:]


def _without_lines(text: str, start: int, end: int) -> str:
    """Take out whole lines, and one of two blank lines that would then meet."""
    head, rest = text[: _line_start(text, start)], text[_line_end(text, end) :]
    rest = re.sub(r"\A\r?\n", "", rest)
    if re.search(r"(?:\A|\n)[ \t]*\r?\n\Z", head):
        rest = re.sub(r"\A[ \t]*\r?\n", "", rest)
    return head + rest


def _line_start(text: str, at: int) -> int:
    return text.rfind("\n", 0, at) + 1


def _line_end(text: str, at: int) -> int:
    """Return the end of the line of a position, before its line break."""
    match = _LINE.match(text, at)
    assert match is not None
    return match.end()


def _newline(text: str) -> str:
    return "\r\n" if "\r\n" in text else "\n"


def _pair(key: Key, value: object) -> str:
    return f"{_key_text(key)} = {literal(value)}"


def _key_text(key: Key) -> str:
    return ".".join(str(part) if _BARE.fullmatch(str(part)) else literal(str(part)) for part in key)


def _is_inside(span: Span, parts: list[Span]) -> bool:
    return any(start <= span[0] and span[1] <= end for start, end in parts)
