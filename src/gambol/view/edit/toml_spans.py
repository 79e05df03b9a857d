"""Where the values, pairs and tables of a TOML text begin and end."""

from __future__ import annotations

from typing import NamedTuple

from gambol.files.toml_lines import Key, Scanner

Span = tuple[int, int]  # of characters: the first, and the one after the last


class Block(NamedTuple):
    """A header and the pairs below it, up to the next header; of the file as a whole it has no header."""

    table: Key
    start: int  # of the header
    end: int  # of its last pair, or of the header; comments after that may belong to what follows


class Spans(NamedTuple):
    """Positions in a text that is valid TOML."""

    values: dict[Key, Span]  # of all that stands right of an equals sign, and of what is in it
    pairs: dict[Key, Span]  # from the key to the end of its value
    blocks: list[Block]  # in the order of the text; the first is the file's own

    @classmethod
    def of(cls, text: str) -> Spans:
        return _SpanScanner(text).found()

    def own_blocks(self, key: Key) -> list[Block]:
        """Return the blocks of a table and of the tables in it."""
        return [block for block in self.blocks if block.table[: len(key)] == key]


class _SpanScanner(Scanner):
    """Notes ends as well as beginnings."""

    def __init__(self, text: str) -> None:
        super().__init__(text)
        self.values: dict[Key, Span] = {}
        self.pairs: dict[Key, Span] = {}
        self.blocks = [Block((), 0, 0)]
        self.depth = 0  # of inline tables and arrays

    def found(self) -> Spans:
        self.scan()
        return Spans(self.values, self.pairs, self.blocks)

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
        if self.depth == 0:
            self.blocks[-1] = self.blocks[-1]._replace(end=self.at)

    def value(self, key: Key) -> None:
        self.skip_blank()
        start = self.at
        self.depth += 1
        super().value(key)
        self.depth -= 1
        self.values[key] = (start, self.at)
