"""Plots of motions and their variants: numbers over time, against each other, and in principal directions.

As in figure 5.6 of L09, motions learned from are blue and new ones gray.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from gambol.errors import InvalidInput, UnknownName
from gambol.geometry.arrays import FloatArray
from gambol.pictures.figure import LEFT, RIGHT
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.page import Page
from gambol.pictures.pixels import Pixels
from gambol.pictures.png import write_png
from gambol.pictures.quality_plots import RULE, SMALL_PT, TEXT_PT
from gambol.variation.encoding import ROOT_COUNT, Encoding
from gambol.variation.measures.principal import ENERGY, PrincipalDirections, principal_directions
from gambol.variation.screening import Screening

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PANEL_PX = (470, 330)  # pixels: width and height of a plot
NEW = (0.20, 0.20, 0.22)
NEW_ALPHA = 0.45  # 0 to 1: opacity of variants' lines
SCORE_BINS = 24  # bars of a histogram at most
MOST_TIMES = 5  # lengths of the longest input that are drawn of a variant over time
MOST_BYTES = 900_000  # bytes of a picture, many because thin lines do not get much smaller with fewer colors


class Chosen(NamedTuple):
    """Which numbers are drawn."""

    over_time: tuple[int, int]
    pairs: tuple[tuple[int, int], tuple[int, int]]


def variation_plots(
    path: Path | str,
    encoding: Encoding,
    inputs: Sequence[FloatArray],
    variants: Sequence[FloatArray],
    *,
    over_time: Sequence[str] = (),
    title: str = "",
) -> None:
    """Write a PNG of inputs and variants (F, D): see `draw_variation_plots`."""
    pixels = draw_variation_plots(encoding, inputs, variants, over_time=over_time, title=title)
    write_png(pixels, path, most_bytes=MOST_BYTES)


def draw_variation_plots(
    encoding: Encoding,
    inputs: Sequence[FloatArray],
    variants: Sequence[FloatArray],
    *,
    over_time: Sequence[str] = (),
    title: str = "",
) -> Pixels:
    """Return plots of inputs and variants (F, D): over time, against each other, in principal directions.

    over_time: two names of numbers, such as "LeftArm x"; by default two that vary much, of separate limbs.
    """
    if not inputs or encoding.count < ROOT_COUNT + 4:
        raise InvalidInput("plots of variation need an input, and at least four numbers of joints that move")
    chosen = choose_numbers(encoding, inputs, over_time)
    parts = principal_directions(encoding, inputs)
    page = _page(3, 2, title)
    for row in range(2):
        first, second, third = (page.canvas.add_subplot(2, 3, 3 * row + column + 1) for column in range(3))
        _draw_over_time(first, encoding, inputs, variants, chosen.over_time[row])
        _draw_pair(second, encoding, inputs, variants, chosen.pairs[row])
        _draw_principal(third, parts, inputs, variants, (0, 1) if row == 0 else (1, 2))
        if row == 0:
            _legend(first, len(inputs), len(variants))
            needed = parts.needed()
            third.set_title(
                f"{needed} of {len(parts.mean)} dimensions keep {100 * ENERGY:.0f} %",
                fontsize=TEXT_PT,
                color=INK,
                loc="left",
                pad=5,
            )
    return page.pixels()


def choose_numbers(encoding: Encoding, inputs: Sequence[FloatArray], over_time: Sequence[str] = ()) -> Chosen:
    """Choose numbers that spread much, and pairs that vary together, each from separate limbs."""
    spread = np.concatenate(list(inputs)).std(axis=0)
    spread[:ROOT_COUNT] = 0.0
    order = [int(column) for column in np.argsort(-spread, kind="stable")]
    first = order[0]
    second = next((column for column in order if _is_unlike(encoding, first, column)), order[1])
    shown = tuple(_column(encoding, name) for name in over_time) or (first, second)
    if len(shown) != 2:
        raise InvalidInput(f"two numbers are drawn over time, not {len(shown)}")
    return Chosen((shown[0], shown[1]), _pairs(encoding, inputs, spread))


def _pairs(
    encoding: Encoding, inputs: Sequence[FloatArray], spread: FloatArray
) -> tuple[tuple[int, int], tuple[int, int]]:
    """Return two pairs of numbers from four limbs, with the largest covariances over the inputs' frames."""
    together = np.abs(np.cov(np.concatenate(list(inputs)), rowvar=False))
    found: list[tuple[int, int]] = []
    for flat in np.argsort(-together, axis=None, kind="stable"):
        a, b = (int(column) for column in divmod(int(flat), encoding.count))
        others = [column for pair in found for column in pair]
        if a < b and all(_is_unlike(encoding, *pair) for pair in ((a, b), *product((a, b), others))):
            found.append((a, b))
        if len(found) == 2:
            return found[0], found[1]
    widest = [int(column) for column in np.argsort(-spread, kind="stable")]
    return (widest[0], widest[1]), (widest[2], widest[3])


def screening_plot(path: Path | str, screening: Screening) -> None:
    """Write a PNG of a screening: see `draw_screening`."""
    write_png(draw_screening(screening), path, most_bytes=MOST_BYTES)


def draw_screening(screening: Screening) -> Pixels:
    """Return plots of the likelihoods of known good motions and of new ones, with the threshold [L09 figure 5.9]."""
    from matplotlib.ticker import MaxNLocator

    judged, threshold = screening.judged, screening.threshold
    page = _page(2, 1, "")
    usual = "log-likelihood a frame and number"
    if screening.by_parts:
        usual = "score of the worst part\n0 is usual of it, -1 its tenth percentile"
    known, new = (page.canvas.add_subplot(1, 2, place) for place in (1, 2))
    _style(known)
    known.hist(screening.known, bins=min(SCORE_BINS, max(5, len(screening.known) // 2)), color=LEFT, alpha=0.7)
    known.margins(y=0.15)  # room for the words above the bars
    known.annotate(
        f" threshold {threshold:.2f}",
        (threshold, 0.99),
        xycoords=("data", "axes fraction"),
        va="top",
        fontsize=SMALL_PT,
        color=INK,
    )
    known.set_ylabel("likelihoods", fontsize=SMALL_PT, color=PALE_INK)
    known.yaxis.set_major_locator(MaxNLocator(integer=True))
    known.set_title("known to fit, each by models of others", fontsize=TEXT_PT, color=INK, loc="left", pad=5)
    _style(new)
    places = np.arange(len(judged))[::-1]
    new.scatter(
        [one.score for one in judged], places, color=[LEFT if one.kept else RIGHT for one in judged], s=26, zorder=3
    )
    words = [one.name if one.kept else f"{one.name}: {one.part}" for one in judged]
    new.set_yticks(places, words, fontsize=SMALL_PT)
    for one, tick in zip(judged, new.get_yticklabels(), strict=True):
        tick.set_color(INK if one.kept else RIGHT)
        tick.set_parse_math(False)
    new.set_title(
        f"the new set: {len(screening.kept)} of {len(judged)} fit", fontsize=TEXT_PT, color=INK, loc="left", pad=5
    )
    for axes in (known, new):
        axes.axvline(threshold, color=INK, linewidth=1.2, linestyle=(0, (4, 3)))
        axes.set_xlabel(usual, fontsize=SMALL_PT, color=PALE_INK)
    return page.pixels()


def _draw_over_time(
    axes: Axes, encoding: Encoding, inputs: Sequence[FloatArray], variants: Sequence[FloatArray], column: int
) -> None:
    _style(axes)
    most = MOST_TIMES * max(len(values) for values in inputs)
    for values in (variant[:most] for variant in variants):
        axes.plot(np.arange(len(values)) / encoding.rate_hz, _shown(values, column), color=NEW, lw=0.8, alpha=NEW_ALPHA)
    for values in inputs:
        axes.plot(np.arange(len(values)) / encoding.rate_hz, _shown(values, column), color=LEFT, lw=1.6)
    axes.set_xlabel("time, s", fontsize=SMALL_PT, color=PALE_INK)
    axes.set_ylabel(_label(encoding, column), fontsize=SMALL_PT, color=INK)


def _draw_pair(
    axes: Axes, encoding: Encoding, inputs: Sequence[FloatArray], variants: Sequence[FloatArray], pair: tuple[int, int]
) -> None:
    _style(axes)
    for motions, color, width, alpha in ((variants, NEW, 0.8, NEW_ALPHA), (inputs, LEFT, 1.6, 1.0)):
        for values in motions:
            axes.plot(*(_shown(values, column) for column in pair), color=color, lw=width, alpha=alpha)
    axes.set_xlabel(_label(encoding, pair[0]), fontsize=SMALL_PT, color=INK)
    axes.set_ylabel(_label(encoding, pair[1]), fontsize=SMALL_PT, color=INK)


def _draw_principal(
    axes: Axes,
    parts: PrincipalDirections,
    inputs: Sequence[FloatArray],
    variants: Sequence[FloatArray],
    pair: tuple[int, int],
) -> None:
    _style(axes)
    for motions, color, width, alpha in ((variants, NEW, 0.8, NEW_ALPHA), (inputs, LEFT, 1.6, 1.0)):
        for values in motions:
            places = parts.project(values, max(pair) + 1)
            axes.plot(places[:, pair[0]], places[:, pair[1]], color=color, lw=width, alpha=alpha)
    for side, number in zip((axes.set_xlabel, axes.set_ylabel), pair, strict=True):
        side(f"direction {number + 1}: {100 * parts.energies[number]:.0f} %", fontsize=SMALL_PT, color=INK)


def _legend(axes: Axes, inputs: int, variants: int) -> None:
    from matplotlib.lines import Line2D

    lines = [Line2D([], [], color=LEFT, lw=1.6), Line2D([], [], color=NEW, lw=0.8, alpha=2 * NEW_ALPHA)]
    words = [f"{inputs} inputs" if inputs != 1 else "1 input", f"{variants} variants" if variants != 1 else "1 variant"]
    axes.legend(lines, words, fontsize=SMALL_PT, frameon=False, labelcolor=INK, loc="lower left",
                bbox_to_anchor=(-0.02, 1.0), ncols=2, borderaxespad=0.0)  # fmt: skip


def _shown(values: FloatArray, column: int) -> FloatArray:
    """Return a column of values, angles in degrees."""
    return values[:, column] if column < ROOT_COUNT else np.degrees(values[:, column])


def _label(encoding: Encoding, column: int) -> str:
    return encoding.names[column] + ("" if column < ROOT_COUNT else ", °")


def _column(encoding: Encoding, name: str) -> int:
    if name not in encoding.names:
        raise UnknownName("degree of freedom", name, encoding.names)
    return encoding.names.index(name)


def _is_unlike(encoding: Encoding, a: int, b: int) -> bool:
    """Tell whether two numbers belong to different joints, neither of which is below the other."""
    if a < ROOT_COUNT or b < ROOT_COUNT:
        return False
    one, two = (int(encoding.joints[column]) for column in (a, b))
    return not (encoding.skeleton.is_below(one)[two] or encoding.skeleton.is_below(two)[one])


def _style(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(RULE)
    axes.tick_params(labelsize=SMALL_PT, colors=PALE_INK, length=3, color=RULE)
    axes.grid(color=RULE, linewidth=0.5)
    axes.set_axisbelow(True)


def _page(columns: int, rows: int, title: str) -> Page:
    """Return an empty page for columns and rows of plots."""
    page = Page(PANEL_PX[0] * columns, PANEL_PX[1] * rows)
    page.canvas.set_layout_engine("constrained", w_pad=0.10, h_pad=0.08)
    if title:
        page.canvas.suptitle(title, fontsize=TEXT_PT + 2, color=INK, x=0.01, ha="left")
    return page
