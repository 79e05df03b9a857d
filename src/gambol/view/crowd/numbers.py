"""What the panel of a crowd says: counts, the chosen characters, and how long plans take."""

from __future__ import annotations

import html
from collections.abc import Sequence

import numpy as np

from gambol.crowd.glance import glance_at
from gambol.view.crowd.run import CrowdRun

BARS = 24  # >= 1: bars of the plot; larger: finer
LONG = 8.0  # > 1: plans that take this many medians or longer are in the last bar
WIDTH, HEIGHT = 260, 56  # pixels, > 0: size of the plot without its axis
FRAMES = 30  # >= 1: the time of planning is the mean over the last frames, up to this number
MOST_NAMED = 4  # >= 1: chosen characters that are described
STANDS_S = 1.0  # s, >= 0: a character that stands longer is said to wait
SMALL = "font-size:0.8em;line-height:1.45;padding:0.1em 0.9em 0.4em 0.9em"  # style of all words
GRAY, BLUE, RED = "#777", "#4a86c5", "#d0342c"  # colors of labels, bars and problems
SIZE = f'font-size="11" fill="{GRAY}"'  # size and color of letters in the plot


def counters_html(run: CrowdRun) -> str:
    """Return the number of characters, and counts of what has happened."""
    crowd, counts = run.crowd, run.counts
    frame_ms = float(np.mean(list(run.frame_ms)[-FRAMES:])) if run.frame_ms else 0.0
    bad = f' style="color:{RED};font-weight:bold"' if counts.unexplained else ""
    rows = [
        ("characters", f"{len(crowd)}", ""),
        ("arrivals", f"{crowd.statistics.arrivals:,}", ""),
        ("touches not by an edit", f"{counts.unexplained}", bad),
        ("hits by edits", f"{len(counts.hits)}", ""),
        ("time", f"{crowd.time_s:.1f} s" if run.is_running else f"{crowd.time_s:.1f} s, paused", ""),
        ("planning a frame", f"{frame_ms:.1f} ms, {run.plans} plans", ""),
    ]
    cells = "".join(
        f'<tr><td style="color:{GRAY};padding-right:1em">{label}</td><td{style}>{value}</td></tr>'
        for label, value, style in rows
    )
    waiting = "".join(
        f'<div style="color:{RED}">{html.escape(name)} waits until all are out of its way</div>' for name in run.waiting
    )
    return f'<div style="{SMALL}"><table style="border-spacing:0">{cells}</table>{waiting}</div>'


def chosen_html(run: CrowdRun) -> str:
    """Return what the chosen characters do."""
    if not run.chosen:
        return f'<div style="{SMALL};color:{GRAY}">No character. Click one, or hold shift and drag a rectangle.</div>'
    parts = []
    for who in run.chosen[:MOST_NAMED]:
        glance = glance_at(run.crowd, who)
        left = "" if glance.left_m is None else f", {glance.left_m:.1f} m to go"
        lines = [
            f"<b>{html.escape(glance.name)}</b> · {html.escape(glance.behavior)}",
            f"{glance.condition}, goal ({glance.goal[0]:.1f}, {glance.goal[1]:.1f}){left}",
        ]
        if who in run.last_plans:
            frame, plan_us = run.last_plans[who]
            lines.append(f"last plan {plan_us:.0f} µs, {(run.crowd.frame - frame) / run.crowd.rate_hz:.1f} s ago")
        if glance.stands_s > STANDS_S and glance.condition != "arrived":
            lines.append(f"waits here for {glance.stands_s:.0f} s")
        if glance.before is not None:
            lines.append(f"queues, {glance.before} before it")
        parts.append("<br>".join(lines))
    if len(run.chosen) > MOST_NAMED:
        parts.append(f"and {len(run.chosen) - MOST_NAMED} more")
    return f'<div style="{SMALL}">' + '<div style="height:0.4em"></div>'.join(parts) + "</div>"


def histogram_html(plan_us: Sequence[float]) -> str:
    """Return bars for the times of plans in microseconds, and their median and 99th percentile."""
    if len(plan_us) < 2:
        return f'<div style="{SMALL};color:{GRAY}">No plans yet.</div>'
    times = np.asarray(plan_us)
    middle, slow = np.quantile(times, (0.5, 0.99))
    most = max(1.1 * min(float(slow), LONG * float(middle)), 1e-3)
    counts, _ = np.histogram(np.minimum(times, most), bins=BARS, range=(0.0, most))
    wide = WIDTH / BARS
    bars = "".join(
        f'<rect x="{n * wide:.1f}" y="{HEIGHT - high:.1f}" width="{wide - 1.0:.1f}" height="{high:.1f}" fill="{BLUE}"/>'
        for n, high in enumerate(HEIGHT * counts / counts.max())
    )
    axis = f'<line x1="0" x2="{WIDTH}" y1="{HEIGHT}" y2="{HEIGHT}" stroke="{GRAY}"/>'
    labels = ((0.0, "start", "0"), (0.5, "middle", f"{0.5 * most:.0f}"), (1.0, "end", f"{most:.0f} µs and more"))
    ticks = "".join(
        f'<text x="{share * WIDTH:.0f}" y="{HEIGHT + 13}" {SIZE} text-anchor="{anchor}">{label}</text>'
        for share, anchor, label in labels
    )
    box = f"0 0 {WIDTH} {HEIGHT + 16}"
    return (
        f'<div style="{SMALL}"><div style="color:{GRAY}">one plan: half within {middle:.0f} µs, 99% within '
        f'{slow:.0f} µs</div><svg viewBox="{box}" width="100%">{bars}{axis}{ticks}</svg></div>'
    )
