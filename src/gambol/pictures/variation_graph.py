"""Links that a model of variation has found between joints, as a graph on a ring."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gambol.motion.joint_names import common_name
from gambol.pictures.figure import LEFT, RIGHT
from gambol.pictures.lettering import INK, PALE_INK
from gambol.pictures.mesh import Color
from gambol.pictures.page import Page
from gambol.pictures.png import write_png
from gambol.pictures.quality_plots import SLATE, TEXT_PT
from gambol.pictures.variation_plots import MOST_BYTES
from gambol.variation.measures.links import Links, links_of
from gambol.variation.model import VariationModel

if TYPE_CHECKING:
    from matplotlib.axes import Axes

WIDE_PX = 984  # pixels: side of the page
MOST_LINKS = 50  # links drawn; weaker ones are left out
LEAST_CORRELATION = 0.35  # 0 to 1: with only a few motions, weaker correlations are chance
INWARD = 0.35  # 0 to 1: a link's middle lies at this share of its straight line's distance; smaller bends it more
NODE_PX = 9.0  # points: size of a joint's dot
TRUNK = "trunk"
TOGETHER: Color = (0.0, 0.52, 0.38)  # green and purple of Okabe and Ito's set, a little darker
AGAINST: Color = (0.72, 0.38, 0.58)
SIDE_COLORS: dict[str, Color] = {"left": LEFT, "right": RIGHT, TRUNK: SLATE}


def correlation_graph(path: Path | str, model: VariationModel, *, title: str = "") -> None:
    """Write a PNG of links between joints: parents in a network, else correlated deviations."""
    draw_links(path, links_of(model), title=title)


def draw_links(path: Path | str, links: Links, *, title: str = "") -> None:
    """Write a PNG of joints on a ring, left ones on the left, with the strongest links."""
    page = Page(WIDE_PX, WIDE_PX)
    axes = page.axes(0.0, 0.0, WIDE_PX, WIDE_PX)
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.set_xlim(-1.42, 1.42)
    axes.set_ylim(-1.22, 1.62)
    places = _places(links.joints)
    shown = strongest(links)
    for one, other in shown:
        _draw_link(axes, links, places, one, other)
    for name, (x, y) in zip(links.joints, places, strict=True):
        color = SIDE_COLORS[side_of(name)]
        axes.plot([x], [y], "o", color=color, markersize=NODE_PX, zorder=4)
        along = "left" if x > 0.05 else "right" if x < -0.05 else "center"
        axes.text(
            1.07 * x, 1.07 * y, name, fontsize=TEXT_PT + 2, color=color, ha=along, zorder=5, parse_math=False,
            va="center" if abs(x) > 0.3 else "bottom" if y > 0 else "top",
        )  # fmt: skip
    axes.text(-1.36, 1.52, title or _title(links), fontsize=TEXT_PT + 2, color=INK, va="center")
    axes.text(-1.36, 1.42, _legend(links, len(shown)), fontsize=TEXT_PT, color=PALE_INK, va="center")
    write_png(page.pixels(), path, most_bytes=MOST_BYTES)


def strongest(links: Links) -> list[tuple[int, int]]:
    """Return the strongest links between different joints, the weakest first."""
    size = np.abs(links.strength)
    pairs = [
        (one, other)
        for one in range(len(links.joints))
        for other in range(len(links.joints) if links.directed else one)
        if one != other and size[one, other] > (0.0 if links.directed else LEAST_CORRELATION)
    ]
    return sorted(pairs, key=lambda pair: size[pair])[-MOST_LINKS:]


def side_of(name: str) -> str:
    """Return the side of the body on which a joint is."""
    common = common_name(name)
    if common.startswith(("Left", "LHip", "LThumb")):
        return "left"
    return "right" if common.startswith(("Right", "RHip", "RThumb")) else TRUNK


def _places(joints: tuple[str, ...]) -> np.ndarray:
    """Return the places of joints on the ring (N, 2): the trunk at the top, sides as seen from behind."""
    sides = [side_of(name) for name in joints]
    trunk, left, right = ([n for n, side in enumerate(sides) if side == one] for one in (TRUNK, "left", "right"))
    # Clockwise from the top: half of the trunk, the right side down, the left side up, the rest of the trunk.
    half = len(trunk) // 2
    order = [*trunk[half:], *right, *reversed(left), *trunk[:half]]
    places = np.empty((len(joints), 2))
    for seat, joint in enumerate(order):
        angle = 0.5 * np.pi - 2.0 * np.pi * (seat + 0.5) / len(order)
        places[joint] = np.cos(angle), np.sin(angle)
    return places


def _draw_link(axes: Axes, links: Links, places: np.ndarray, one: int, other: int) -> None:
    """Draw a link that bends toward the middle; an arrow leads from a parent."""
    from matplotlib.patches import FancyArrowPatch
    from matplotlib.path import Path as Curve

    size = float(links.strength[one, other])
    most = float(np.abs(links.strength - np.diag(np.diag(links.strength))).max())
    share = abs(size) / max(most, 1e-9)
    start, end = places[other], places[one]
    middle = INWARD * 0.5 * (start + end)
    style = "-|>,head_width=1.6,head_length=3.2" if links.directed else "-"
    color = SIDE_COLORS[side_of(links.joints[other])] if links.directed else TOGETHER if size > 0.0 else AGAINST
    curve = Curve(np.array([start, middle, end]), [Curve.MOVETO, Curve.CURVE3, Curve.CURVE3])
    patch = FancyArrowPatch(
        path=curve, arrowstyle=style, color=color, lw=0.5 + 2.2 * share, alpha=0.25 + 0.6 * share, mutation_scale=1.6
    )
    axes.add_patch(patch)


def _title(links: Links) -> str:
    return "which joints go by which" if links.directed else "which joints' deviations go together"


def _legend(links: Links, count: int) -> str:
    if links.directed:
        return f"{count} strongest: an arrow leads from a parent; the wider, the more of its numbers are parents"
    return f"{count} strongest: green rises together, purple against each other; the wider, the more"
