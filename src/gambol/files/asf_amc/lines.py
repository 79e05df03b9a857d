"""Parse what ASF and AMC have in common: words in lines, lines in blocks, numbers."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from gambol.errors import MalformedFile, UnknownName
from gambol.files.bvh.hierarchy import MAX_VALUE, Token, parse_number, shown

_SEPARATORS = str.maketrans("(),", "   ")  # the format counts brackets and commas as white space


class Line(NamedTuple):
    number: int
    words: list[str]


class Section(NamedTuple):
    number: int  # number of its first line
    lines: list[Line]


def as_text(data: bytes | str, *, expected: str) -> str:
    """Decode a file's contents; an empty or a binary one is an error."""
    # Only comments and documentation hold other characters than ASCII, in any encoding: nothing is lost.
    text = data.decode("utf-8", "replace") if isinstance(data, bytes) else data
    text = text.removeprefix("\ufeff")
    if not text.strip():
        raise MalformedFile(f"the file is empty; expected {expected}", line=1)
    if "\0" in text:
        raise MalformedFile("this is a binary file, not text", line=text.count("\n", 0, text.index("\0")) + 1)
    return text


def lines_of(text: str) -> Iterator[Line]:
    """Split a text into the words of its lines, without comments and empty lines."""
    for number, line in enumerate(io.StringIO(text, newline=None), 1):
        words = line.partition("#")[0].translate(_SEPARATORS).split()
        if words:
            yield Line(number, words)


def numbers(words: Sequence[str], what: str, line: int) -> list[float]:
    """Turn words into finite numbers of plausible size."""
    try:
        values = list(map(float, words))
        if all(-MAX_VALUE <= value <= MAX_VALUE for value in values):
            return values
    except ValueError:
        pass
    return [parse_number(Token(word, line), what) for word in words]


def blocks(section: Section) -> Iterator[Section]:
    """Yield the lines between each begin and its end."""
    block: Section | None = None
    for number, words in section.lines:
        keyword = words[0].lower() if len(words) == 1 else ""
        if block is None:
            if keyword != "begin":
                raise MalformedFile(f"expected begin, found {shown(words[0])}", line=number)
            block = Section(number, [])
        elif keyword == "end":
            yield block
            block = None
        elif keyword == "begin":
            raise MalformedFile(f"expected end, found a second begin after that of line {block.number}", line=number)
        else:
            block.lines.append(Line(number, words))
    if block is not None:
        raise MalformedFile("a begin without an end", line=block.number)


def entries_of(lines: Sequence[Line], sizes: Mapping[str, int | None], where: str, notes: list[str]) -> dict[str, Line]:
    """Gather the words after each keyword; a line that starts with a number continues the line before."""
    entries: dict[str, Line] = {}
    keyword = ""
    for number, words in lines:
        if keyword and (words[0][0] in "+-.0123456789" or words[0].lower() == "inf"):
            entries[keyword].words.extend(words)
            continue
        keyword = words[0].lower()
        if keyword in entries:
            raise MalformedFile(f"a second {shown(words[0])} in {where}", line=number)
        if keyword not in sizes:
            notes.append(f"{shown(words[0])} in {where} is not known and was ignored")
        entries[keyword] = Line(number, words[1:])
    for keyword, size in sizes.items():
        if size is not None and keyword in entries and len(entries[keyword].words) != size:
            number, words = entries[keyword]
            raise MalformedFile(f"expected {size} values after {keyword}, found {len(words)}", line=number)
    return entries


def unknown_bone(name: str, known: Sequence[str], line: int) -> MalformedFile:
    """Describe a bone that the skeleton lacks, and suggest one with a near name."""
    message = str(UnknownName("bone", name, known)) if len(name) < 100 else f"no bone {shown(name)}"
    return MalformedFile(message, line=line)
