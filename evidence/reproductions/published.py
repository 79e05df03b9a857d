"""Tables of the papers as claims by row and column.

[LK06] tables 1 and 2 and figure 13; [L09] tables 4.1, 4.2 and 4.3.  Times are of machines of that time (L09: 2.4 GHz).
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from evidence.reproductions.claim import Claim, claim
from gambol.errors import InvalidInput

TRIVIAL, WORST = "trivial", "worst"

L09_SIZES_KB = (250, 100, 50, 25, 10, 5)
L09_DENSITY_SIZES_KB = (50, 25, 10, 5)
L09_BYTES_A_NODE = 56  # the exhaustive tree of depth 5, about 37,000 nodes, took about 2 MB
L09_CELLS = (270, 540, 1080)  # along a side of table 4.3's grids
#: The ways to grow trees of table 4.1, by their names in keys.
L09_METHODS = {
    "diverse": "diverse",
    "pruned": "pruned",
    "inner product": "inner-product",
    "inclusion-exclusion": "inclusion-exclusion",
    "Green and Kelly": "green-kelly",
}


class Lk06Column(NamedTuple):
    """A column of LK06's tables 1 and 2."""

    runtime: Claim  # µs
    output: Claim  # µs
    speed_up: Claim  # against real time
    frame: Claim  # µs
    cost: Claim


class Lk06Case(NamedTuple):
    """The one case of a table that the text tells: the trivial one (table 1) or the worst (table 2)."""

    name: str
    tree: tuple[Claim, Claim]  # runtime and a frame of it, µs
    search: tuple[Claim, Claim]
    times_faster: Claim


class Lk06Table(NamedTuple):
    tree: Lk06Column
    search: Lk06Column
    times_faster: Claim
    states: Claim
    grow: Claim  # seconds
    executions: Claim
    case: Lk06Case


@cache
def lk06_table(which: int) -> Lk06Table:
    """Return LK06's table 1 or 2."""
    start = f"lk06.t{which}"
    name = TRIVIAL if which == 1 else WORST
    runtime, frame = (
        {who: claim(f"{start}.{name}.{who}.{what}") for who in ("tree", "search")} for what in ("runtime", "frame")
    )
    tree, search = (
        Lk06Column(*(claim(f"{start}.{who}.{field}") for field in Lk06Column._fields)) for who in ("tree", "search")
    )
    return Lk06Table(
        tree=tree,
        search=search,
        times_faster=claim(f"{start}.times_faster"),
        states=claim(f"{start}.states"),
        grow=claim(f"{start}.grow"),
        executions=claim(f"{start}.executions"),
        case=Lk06Case(
            name, (runtime["tree"], frame["tree"]), (runtime["search"], frame["search"]),
            claim(f"{start}.{name}.times_faster"),
        ),
    )  # fmt: skip


@cache
def lk06_figure_13_mb() -> tuple[Claim, ...]:
    """Return the sizes of figure 13, which has no numbers; its text: from 324 MB by halves to 10 MB."""
    return tuple(claim(f"lk06.fig13.mb.{name}") for name in ("whole", *(f"half{halving}" for halving in range(1, 6))))


class L09Method(NamedTuple):
    """A row of L09's table 4.1, by the size in KB (densities from 50 KB on)."""

    success: dict[int, Claim]  # percent
    seconds: dict[int, Claim]
    density: dict[int, Claim]
    cost: tuple[Claim, Claim]  # mean and deviation, percent of the exhaustive tree's


@cache
def l09_table_4_1() -> dict[str, L09Method]:
    """Return the rows of table 4.1 by the names of the ways to grow a tree."""

    def by_size(name: str, what: str, sizes_kb: tuple[int, ...]) -> dict[int, Claim]:
        return {kb: claim(f"l09.t4.1.{name}.{what}.{kb}kb") for kb in sizes_kb}

    return {
        label: L09Method(
            by_size(name, "success", L09_SIZES_KB),
            by_size(name, "seconds", L09_SIZES_KB),
            by_size(name, "density", L09_DENSITY_SIZES_KB),
            (claim(f"l09.t4.1.{name}.cost.mean"), claim(f"l09.t4.1.{name}.cost.std")),
        )
        for label, name in L09_METHODS.items()
    }


class L09Search(NamedTuple):
    """A row of L09's table 4.2: percentages of A*'s on random queries."""

    runtime: Claim
    checks: Claim
    success: Claim
    cost: Claim


class L09Shape(NamedTuple):
    """A row of the lower part of table 4.2: microseconds, counts and costs in the C-shape."""

    runtime: Claim
    checks: Claim
    cost: Claim


def l09_search(name: str) -> L09Search:
    """Return a row of table 4.2 by its name in keys: search, weighted, tree25mb or tree50mb."""
    return L09Search(*(claim(f"l09.t4.2.{name}.{field}") for field in L09Search._fields))


def l09_shape(name: str) -> L09Shape:
    """Return a row of the C-shape by its name in keys: search, weighted or tree25mb."""
    return L09Shape(*(claim(f"l09.t4.2.shape.{name}.{field}") for field in L09Shape._fields))


class L09Grid(NamedTuple):
    """What table 4.3 says of A* or of the tree of 25 MB at one resolution."""

    percent: Claim  # time, of A*'s
    runtime: Claim  # µs
    success: Claim


def l09_grid(who: str, cells: int) -> L09Grid:
    """Return an entry of table 4.3: of "search" or "tree", by the cells along a side."""
    return L09Grid(*(claim(f"l09.t4.3.{who}.{field}.{cells}") for field in L09Grid._fields))


def number(published: Claim) -> float:
    """Return the one number that a claim says, to compute with."""
    if not isinstance(published.value, (int, float)):
        raise InvalidInput(f"claim {published.key!r} is no single number: {published.value!r}")
    return float(published.value)
