"""Words in the panel that may come from files: they are escaped, so that they are neither code nor markup."""

from __future__ import annotations

import html
from collections.abc import Sequence

INK = "#495057"  # color of plain words
RED = "#d63031"  # color of mistakes
INSET = "0.75em"  # distance from the edges of the panel, as of its other controls
BREAKS = "overflow-wrap:anywhere"  # style: breaks long names of files, which have no blanks


def paragraph(*lines: str, color: str = INK, title: str = "") -> str:
    """Return lines of plain text below a bold title."""
    head = [f"<b>{html.escape(title)}</b>"] if title else []
    return _framed("<br>".join([*head, *map(html.escape, lines)]), color)


def bullets(title: str, lines: Sequence[tuple[str, str]], *, color: str = RED) -> str:
    """Return a list below a title.  lines: for each the words in bold, and those after them."""
    listed = "".join(
        f"<li>{f'<b>{html.escape(name)}</b> – ' if name else ''}{html.escape(text)}</li>" for name, text in lines
    )
    head = f'<b style="color:{color}">{html.escape(title)}</b>'
    return _framed(f'{head}<ul style="margin:0.3em 0;padding-left:1.2em">{listed}</ul>', INK)


def hex_of(color: Sequence[float]) -> str:
    """Return a color from 0 to 1 as HTML has it."""
    return "#" + "".join(f"{round(255.0 * min(max(value, 0.0), 1.0)):02x}" for value in color)


def _framed(text: str, color: str) -> str:
    return f'<div style="padding:0.2em {INSET};font-size:0.8em;line-height:1.4;color:{color};{BREAKS}">{text}</div>'
