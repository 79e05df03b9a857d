"""What the panel says about a climb: its outcome, holds and modes."""

from __future__ import annotations

import html
from collections.abc import Sequence

from gambol.climb.figure import FREE, LIMBS
from gambol.climb.modes import Mode
from gambol.pictures.climb_environment import HELD
from gambol.pictures.climb_figure import MODE_COLORS
from gambol.view.climb.diorama import HOLD_COLORS
from gambol.view.climb.played import Played, Stretch, label_of
from gambol.view.words import BREAKS, INK, INSET, RED, hex_of, paragraph

GREY = "#868e96"  # color of the way over the ground
BAND_PX = 18  # pixels, > 0: height of the band of modes, as in STYLE
FRAME = f"padding:0.2em {INSET};font-size:0.8em;line-height:1.4;color:{INK};{BREAKS}"  # style of all words
#: Style of the band and the list of modes.
STYLE = """
.gambol-mode { cursor: pointer; }
.gambol-mode:hover { filter: brightness(1.12); }
.gambol-band { display: flex; height: 18px; border-radius: 3px; overflow: hidden; }
.gambol-row { display: block; padding: 1px 4px; border-radius: 3px; }
.gambol-row:hover { background: #e7f5ff; }
"""


def color_of(mode: Mode | None) -> str:
    """Return the color of a mode as HTML has it."""
    return GREY if mode is None else hex_of(MODE_COLORS[mode])


def outcome_html(played: Played, took_s: float) -> str:
    """Return the outcome of a climb, and how long it took."""
    climbed = played.climbed
    climb = climbed.climb
    lines = [_sentence(climbed.reason)] if climbed.reason else []
    if climb.motion is not None and climbed.motion is not None:
        changes = len(climb.motion.path.grasp_changes)
        lines.append(f"{climbed.duration_s:.1f} s, {climbed.motion.frame_count} frames, {changes} changes of grasp")
    lines.append(
        f"{climb.plan_time_s:.2f} s of planning, {climb.smooth_time_s:.2f} s of smoothing, {took_s:.1f} s in all"
    )
    return paragraph(*lines, title=str(climbed.outcome), color=INK if climbed.found else RED)


def judged_html(played: Played) -> str:
    """Return what the judge found about the figure in the plane, and about the body."""
    if played.check is None:
        return paragraph("There is nothing to judge.")
    parts = []
    for about, report in (("Figure", played.check.plane), ("Body", played.check.body)):
        verdict, *lines = report.lines()
        parts.append(paragraph(*lines, title=f"{about}: {verdict}", color=INK if report.is_clean else RED))
    return "".join(parts)


def moment_html(played: Played, time_s: float) -> str:
    """Return the mode, and what each limb holds, at a time."""
    mode = played.mode(time_s)
    frame = played.frame(time_s)
    head = f'<b style="color:{color_of(mode)}">{label_of(mode)}</b>'
    points = played.climbed.climb.problem.environment.grasp_points
    rows = []
    for limb, hold in zip(LIMBS, played.holds(time_s), strict=True):
        held = "–"
        if hold != FREE:
            point = points[hold]
            held = f"{point.kind}{' bar' if point.is_bar else ''} at ({point.x:.2f}, {point.z:.2f})"
        rows.append(f"<tr><td>{limb.replace('_', ' ')}&ensp;</td><td>{html.escape(held)}</td></tr>")
    table = f'<table style="border-spacing:0">{"".join(rows)}</table>'
    total = 0 if played.motion is None else played.motion.frame_count
    return f'<div style="{FRAME}">{head}, frame {frame} of {total}{table}</div>'


def legend_html() -> str:
    """Return the color of each kind of grasp point."""
    held = tuple(round(255.0 * value) for value in HELD)
    colors = [*HOLD_COLORS.items(), ("held", held)]
    marks = "&ensp;".join(f'<span style="color:rgb{color}">■</span> {kind}' for kind, color in colors)
    return f'<div style="{FRAME}">{marks}</div>'


def band_html(stretches: Sequence[Stretch], buttons: Sequence[str]) -> str:
    """Return the modes as a band, and as a list below it.

    buttons: identities of buttons, at least one for each mode; a click on a mode presses its button, and all buttons
    are hidden.
    """
    hidden = ", ".join(f'div:has(> [id="{button}"])' for button in buttons)
    style = f"<style>{STYLE}{hidden + ' { display: none; }' if hidden else ''}</style>"
    parts, rows = [], []
    for stretch, button in zip(stretches, buttons, strict=False):
        color, label = color_of(stretch.mode), html.escape(stretch.label)
        name = f"{label} {stretch.start_s:.1f} s"
        share = max(stretch.end_s - stretch.start_s, 1e-3)
        parts.append(
            f'<label class="gambol-mode" for="{button}" title="{name}" style="flex:{share:.3f} 1 0;background:{color}">'
            "</label>"
        )
        rows.append(
            f'<label class="gambol-mode gambol-row" for="{button}"><span style="color:{color}">■</span> {label}'
            f'<span style="float:right">{stretch.start_s:.1f} – {stretch.end_s:.1f} s</span></label>'
        )
    band = f'<div class="gambol-band">{"".join(parts)}</div>'
    return f'{style}<div style="{FRAME}">{band}<div style="padding-top:4px">{"".join(rows)}</div></div>'


def mark_html(duration_s: float, now_s: float) -> str:
    """Return the mark at a time, over the band below."""
    place = 100.0 * min(now_s / max(duration_s, 1e-9), 1.0)
    line = f"position:absolute;top:0;height:{BAND_PX + 4}px;left:{place:.2f}%;border-left:2px solid #212529"
    over = f"position:absolute;left:{INSET};right:{INSET};top:0.1em;font-size:0.8em"
    return (
        f'<div style="position:relative;height:0;z-index:1;pointer-events:none"><div style="{over}">'
        f'<div class="gambol-mark" style="{line}"></div></div></div>'
    )


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:]
