"""An item: a table or figure of a paper that one command measures again."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from evidence.reproductions.report import Report

Say = Callable[[str, float], None]  # what is being done, and which share of it is
Picture = NDArray[np.uint8]  # (H, W, 3)


def say_nothing(_what: str, _share: float) -> None:
    """Be told how far it is, and keep it to oneself."""


@dataclass(frozen=True, eq=False)
class Result:
    """What running an item gives: its numbers, and pictures by name where it has any."""

    report: Report
    pictures: Mapping[str, Picture] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """Something published, and how to measure it again.

    `run(quick, say)`: quick is a size of seconds that says nothing about the paper, only that all of it works.
    """

    name: str  # such as "l09-table-4.1"
    summary: str  # one line
    run: Callable[[bool, Say], Result]
