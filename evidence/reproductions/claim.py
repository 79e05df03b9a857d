"""Claims: every number that a paper published, a row each in `claims/PAPER.csv`, and how ours compare."""

from __future__ import annotations

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from importlib.resources import files
from types import MappingProxyType

from gambol.errors import MalformedFile, UnknownName

PAPERS = ("lk05", "lk06", "kp00", "l09", "c20")
COLUMNS = ("key", "where", "what", "value", "unit", "better", "item")
SAME = 0.05  # of the published number: as near as that, two are the same
_NUMBER = r"-?\d+(?:\.\d+)?"
_RANGE = re.compile(rf"({_NUMBER})\.\.({_NUMBER})")


class Better(StrEnum):
    """What would be better than the published number."""

    LOWER = "lower"
    HIGHER = "higher"
    NEAR = "near"  # neither: one expects the same
    SETTING = "setting"  # a fact of what they used, not a result


class Verdict(StrEnum):
    """How a number of ours compares with the published one."""

    BETTER = "better"
    SAME = "same"
    WORSE = "worse"
    DIFFERS = "differs"
    SETTING = "setting"
    UNKNOWN = "no number"


@dataclass(frozen=True)
class Claim:
    """A published number, where it stands, and the item that measures it again."""

    key: str  # such as "lk05.fig5.nodes.astar": the paper, the place, the number
    where: str  # section, table or figure
    what: str  # a phrase, our own words
    value: float | int | str  # text where it is a range ("10..15")
    unit: str
    better: Better
    item: str

    @property
    def paper(self) -> str:
        return self.key.partition(".")[0]

    @property
    def bounds(self) -> tuple[float, float] | None:
        """Return the least and the greatest number published; nothing where it is a word."""
        if isinstance(self.value, str):
            match = _RANGE.fullmatch(self.value)
            return (float(match[1]), float(match[2])) if match else None
        return float(self.value), float(self.value)

    def verdict(self, ours: float | int | str | None) -> Verdict:
        """Return how a number of ours compares."""
        if self.better == Better.SETTING:
            return Verdict.SETTING
        if self.bounds is None or ours is None or isinstance(ours, str):
            return Verdict.UNKNOWN
        least, greatest = self.bounds
        if least - SAME * abs(least) <= ours <= greatest + SAME * abs(greatest):
            return Verdict.SAME
        if self.better == Better.NEAR:
            return Verdict.DIFFERS
        return Verdict.BETTER if (ours < least) == (self.better == Better.LOWER) else Verdict.WORSE


@cache
def claims() -> Mapping[str, Claim]:
    """Return every claim of every paper, by its key, in the order of the files."""
    known: dict[str, Claim] = {}
    for paper in PAPERS:
        name = f"{paper}.csv"
        text = (files("evidence.reproductions") / "claims" / name).read_text(encoding="utf-8")
        for one in parse_claims(text, paper=paper):
            if one.key in known:
                raise MalformedFile(f"claim {one.key!r} is there twice", path=name)
            known[one.key] = one
    return MappingProxyType(known)


def parse_claims(text: str, *, paper: str) -> list[Claim]:
    """Return the claims of a table with the columns COLUMNS."""
    rows = csv.DictReader(text.splitlines())
    if tuple(rows.fieldnames or ()) != COLUMNS:
        raise MalformedFile(f"the columns are {rows.fieldnames}, expected {list(COLUMNS)}", path=f"{paper}.csv")
    return [_claim(row, paper=paper, line=rows.line_num) for row in rows]


def claim(key: str) -> Claim:
    """Return a claim by its key; an unknown one is an error that suggests a near one."""
    known = claims()
    if key not in known:
        raise UnknownName("claim", key, tuple(known))
    return known[key]


def _claim(row: Mapping[str, str | None], *, paper: str, line: int) -> Claim:
    path = f"{paper}.csv"
    missing = [column for column in COLUMNS if row.get(column) is None or (column != "unit" and not row[column])]
    if missing:
        raise MalformedFile(f"no {missing[0]!r}; every claim has {list(COLUMNS)}", path=path, line=line)
    values = {column: (row[column] or "").strip() for column in COLUMNS}
    if not values["key"].startswith(f"{paper}."):
        raise MalformedFile(f"claim {values['key']!r} does not begin with {paper!r}", path=path, line=line)
    if values["better"] not in list(Better):
        expected = ", ".join(Better)
        raise MalformedFile(f"better is {values['better']!r}, expected one of {expected}", path=path, line=line)
    return Claim(
        values["key"], values["where"], values["what"], _value(values["value"]), values["unit"],
        Better(values["better"]), values["item"],
    )  # fmt: skip


def _value(text: str) -> float | int | str:
    if not re.fullmatch(_NUMBER, text):
        return text
    return float(text) if "." in text else int(text)
