"""The curves of a quality report in the panel, one above the other, with a mark at the present time."""

from __future__ import annotations

import html
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gambol.geometry.arrays import FloatArray
from gambol.motion.contacts import runs
from gambol.pictures.mesh import Color
from gambol.pictures.quality_plots import SIDE_COLORS, SLATE
from gambol.pictures.quality_tracks import Tracks
from gambol.view.play.measured import Measured
from gambol.view.words import INK, INSET, hex_of

WIDTH = 300  # > 0: width of the curves, in units of the drawing
CURVE = 40  # units, > 0: height of a curve
STANCE = 9  # units, > 0: height of a row of stances
TITLE = 14  # units, > 0: height of a title
MOST_POINTS = 300  # >= 2: points of a curve; larger: finer than the screen, longer texts
PALE = "#868e96"  # color of numbers beside titles


@dataclass(frozen=True)
class _Curve:
    title: str
    unit: str
    lines: tuple[tuple[FloatArray, Color], ...]


def curves_html(measured: Measured, duration_s: float) -> str:
    """Return all curves; their width is the whole duration."""
    tracks = measured.tracks
    times = (tracks.times_s + measured.start_s) / max(duration_s, 1e-9)
    parts = list(_stances(measured, times))
    top = STANCE * len(tracks.feet) + (TITLE if tracks.feet else 0)
    for curve in _curves(tracks):
        parts.append(_drawn(curve, times, top))
        top += TITLE + CURVE
    return (
        f'<div style="padding:0 {INSET}"><svg viewBox="0 0 {WIDTH} {curves_height(tracks)}" class="gambol-curves" '
        f'style="display:block;width:100%;font-size:9px">{"".join(parts)}</svg></div>'
    )


def curves_height(tracks: Tracks) -> int:
    """Return the height of all curves in units of the drawing."""
    count = len(tuple(_curves(tracks)))
    return STANCE * len(tracks.feet) + (TITLE if tracks.feet else 0) + (TITLE + CURVE) * count + 2


def mark_html(measured: Measured, duration_s: float, now_s: float) -> str:
    """Return the mark at a time, which lies over the curves below; it is short, since each frame sends it."""
    place = 100.0 * min(now_s / max(duration_s, 1e-9), 1.0)
    line = f"position:absolute;top:0;bottom:0;left:{place:.2f}%;border-left:1.5px solid #e03131"
    over = f"position:absolute;left:{INSET};right:{INSET};top:0;aspect-ratio:{WIDTH}/{curves_height(measured.tracks)}"
    return (
        f'<div style="position:relative;height:0;z-index:1"><div style="{over}">'
        f'<div class="gambol-mark" style="{line}"></div></div></div>'
    )


def numbers(measured: Measured, now_s: float) -> str:
    """Return the numbers at a time, in words."""
    frame, tracks = measured.frame(now_s), measured.tracks
    resting = ", ".join(measured.resting(now_s)) or "nothing"
    return (
        f"frame {frame} of {measured.motion.frame_count}, root {tracks.root_speed_m_s[frame]:.2f} m/s, "
        f"on the ground: {resting}"
    )


def _curves(tracks: Tracks) -> Iterator[_Curve]:
    feet = tracks.feet
    if feet:
        yield _Curve("foot height", "cm", tuple((foot.height_cm, SIDE_COLORS[foot.side]) for foot in feet))
        yield _Curve("planted slide", "cm/s", tuple((foot.slide_cm_s, SIDE_COLORS[foot.side]) for foot in feet))
    else:
        yield _Curve("lowest joint", "cm", ((tracks.lowest_cm, SLATE),))
    yield _Curve("root speed", "m/s", ((tracks.root_speed_m_s, SLATE),))
    yield _Curve("fastest turn", "°/s", ((tracks.turn_deg_s, SLATE),))


def _stances(measured: Measured, times: FloatArray) -> Iterator[str]:
    feet = measured.tracks.feet
    if feet:
        yield _title("feet on the ground", "", 0.0)
    for row, foot in enumerate(feet):
        color, top = hex_of(SIDE_COLORS[foot.side]), TITLE + STANCE * row
        for first, last in runs(foot.planted):
            left, right = WIDTH * times[first], WIDTH * times[last]
            size = f'width="{max(right - left, 0.7):.1f}" height="{STANCE - 2}"'
            yield f'<rect x="{left:.1f}" y="{top}" {size} fill="{color}"/>'


def _drawn(curve: _Curve, times: FloatArray, top: float) -> str:
    values = np.concatenate([line for line, _ in curve.lines])
    known = values[np.isfinite(values)]
    low, high = (min(float(known.min()), 0.0), float(known.max())) if len(known) else (0.0, 0.0)
    bottom, scale = top + TITLE + CURVE - 2, (CURVE - 4) / max(high - low, 1e-9)
    parts = [_title(f"{curve.title}, {curve.unit}", f"up to {_short(high)}", top)]
    zero = bottom + low * scale
    parts.append(f'<line x1="0" x2="{WIDTH}" y1="{zero:.1f}" y2="{zero:.1f}" stroke="#dee2e6"/>')
    for line, color in curve.lines:
        for first, last in runs(np.isfinite(line)):
            x, y = _thinned(WIDTH * times[first : last + 1], line[first : last + 1])
            points = " ".join(f"{a:.1f},{bottom - (b - low) * scale:.1f}" for a, b in zip(x, y, strict=True))
            parts.append(f'<polyline points="{points}" fill="none" stroke="{hex_of(color)}" stroke-width="1.2"/>')
    return "".join(parts)


def _thinned(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return at most MOST_POINTS of a curve: the highest of each piece, so that no spike is lost."""
    if len(x) <= MOST_POINTS:
        return x, y
    edges = np.linspace(0, len(x), MOST_POINTS + 1).astype(int)
    kept = [first + int(np.argmax(y[first:after])) for first, after in pairwise(edges.tolist())]
    return x[kept], y[kept]


def _short(number: float) -> str:
    return f"{number:,.0f}" if abs(number) >= 100.0 else f"{number:.3g}"


def _title(left: str, right: str, top: float) -> str:
    y = top + TITLE - 4
    words = f'<text x="0" y="{y}" fill="{INK}">{html.escape(left)}</text>'
    return words + f'<text x="{WIDTH}" y="{y}" fill="{PALE}" text-anchor="end">{html.escape(right)}</text>'
