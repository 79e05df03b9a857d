"""Which cells a clip passes when it is played at a pose [L09 algorithm 2: Trace]."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from gambol.kernels.jit import allocation_free_kernel

OUTSIDE = -1


class Traces(NamedTuple):
    """Points along clips, in the frame of their start."""

    x: np.ndarray  # (P,) metres
    y: np.ndarray  # (P,) metres
    first: np.ndarray  # (C,) first point of each clip
    last: np.ndarray  # (C,) one after its last


class Plot(NamedTuple):
    """The cells of a region, with what is counted in them, and marks to count a cell once a clip."""

    x0: float
    y0: float
    cell: float
    rows: int
    columns: int
    inside: np.ndarray  # (rows * columns,) uint8, 1 in the region
    passed: np.ndarray  # (rows * columns,) int64, paths that pass
    mark: np.ndarray  # (rows * columns,) int64, the last trace that passed
    marks: np.ndarray  # (1,) int64, how many traces there were


@allocation_free_kernel
def trace(traces, plot, clip, x, y, cosine, sine, mark):
    """Return the number of cells that a clip passes, and the sum of their counts; OUTSIDE if it leaves the region.

    mark must differ from that of every other trace.
    """
    length, total, before = 0, 0, -1
    for point in range(traces.first[clip], traces.last[clip]):
        column = math.floor((x + cosine * traces.x[point] - sine * traces.y[point] - plot.x0) / plot.cell)
        row = math.floor((y + sine * traces.x[point] + cosine * traces.y[point] - plot.y0) / plot.cell)
        if row < 0 or row >= plot.rows or column < 0 or column >= plot.columns:
            return OUTSIDE, 0
        cell = row * plot.columns + column
        if cell == before:
            continue
        before = cell
        if plot.mark[cell] == mark:
            continue
        if plot.inside[cell] == 0:
            return OUTSIDE, 0
        plot.mark[cell] = mark
        length += 1
        total += plot.passed[cell]
    return length, total


@allocation_free_kernel
def add_trace(traces, plot, clip, x, y, cosine, sine, mark):
    """Count a clip in the cells of the region that it passes."""
    for point in range(traces.first[clip], traces.last[clip]):
        column = math.floor((x + cosine * traces.x[point] - sine * traces.y[point] - plot.x0) / plot.cell)
        row = math.floor((y + sine * traces.x[point] + cosine * traces.y[point] - plot.y0) / plot.cell)
        if row < 0 or row >= plot.rows or column < 0 or column >= plot.columns:
            continue
        cell = row * plot.columns + column
        if plot.inside[cell] == 1 and plot.mark[cell] != mark:
            plot.mark[cell] = mark
            plot.passed[cell] += 1


@allocation_free_kernel
def add_paths(traces, plot, pose, parent, clip, nodes):
    """Count the clips that lead to some nodes of a tree."""
    for node in nodes:
        before = parent[node]
        heading = np.float64(pose[before, 2])
        add_trace(
            traces, plot, clip[node], np.float64(pose[before, 0]), np.float64(pose[before, 1]),
            math.cos(heading), math.sin(heading), node,
        )  # fmt: skip


@allocation_free_kernel
def path_bounds(traces, pose, parent, clip, bounds):
    """Extend bounds (least x and y, greatest x and y) by the points of all clips of a tree."""
    for node in range(1, len(parent)):
        before = parent[node]
        heading = np.float64(pose[before, 2])
        cosine, sine = math.cos(heading), math.sin(heading)
        for point in range(traces.first[clip[node]], traces.last[clip[node]]):
            x = pose[before, 0] + cosine * traces.x[point] - sine * traces.y[point]
            y = pose[before, 1] + sine * traces.x[point] + cosine * traces.y[point]
            bounds[0], bounds[1] = min(bounds[0], x), min(bounds[1], y)
            bounds[2], bounds[3] = max(bounds[2], x), max(bounds[3], y)
