"""Words in the panel that files have a say in: whatever they say, it is neither code nor markup there."""

from __future__ import annotations

import html
from collections.abc import Sequence

INK, RED = "#495057", "#d63031"
INSET = "0.75em"  # from the edges of the panel, as its other controls
BREAKS = "overflow-wrap:anywhere"  # long names of files have no blanks


def paragraph(*lines: str, color: str = INK, title: str = "") -> str:
    """Return lines of plain text, the title before them and bold."""
    head = [f"<b>{html.escape(title)}</b>"] if title else []
    return _framed("<br>".join([*head, *map(html.escape, lines)]), color)


def bullets(title: str, lines: Sequence[tuple[str, str]], *, color: str = RED) -> str:
    """Return a list of plain lines, each with what is bold before the rest, below a title."""
    listed = "".join(
        f"<li>{f'<b>{html.escape(name)}</b> – ' if name else ''}{html.escape(text)}</li>" for name, text in lines
    )
    head = f'<b style="color:{color}">{html.escape(title)}</b>'
    return _framed(f'{head}<ul style="margin:0.3em 0;padding-left:1.2em">{listed}</ul>', INK)


def _framed(text: str, color: str) -> str:
    return f'<div style="padding:0.2em {INSET};font-size:0.8em;line-height:1.4;color:{color};{BREAKS}">{text}</div>'
