"""Pages as the repository shows them, for a site whose Markdown is stricter: lists, formulas, videos."""

from __future__ import annotations

import re

from latex2mathml.converter import convert
from repository import outside_code

ITEM = re.compile(r"(?P<indent> *)(?:[-*+]|\d+[.)]) +\S")
FENCE = re.compile(r" *(```|~~~)")
MATH_FENCE = re.compile(r"^```math\n(.*?)\n```$", re.M | re.S)
DISPLAY = re.compile(r"\$\$(.+?)\$\$", re.S)
INLINE = re.compile(r"(?<![\\$\w])\$(?![\s$])([^$\n]+?)(?<![\s\\])\$(?![\w$])")
VIDEO = re.compile(r"\[!\[(?P<about>[^\]]*)\]\((?P<poster>[^)\s]+)\)\]\((?P<video>[^)\s]+\.mp4)\)")
STAR = re.compile(r"\bA\*(?=[\s,.;:)'|]|$)")
HELD = "GAMBOLFORMULA{}END"


def with_lists_apart(markdown: str) -> str:
    """Return a page with an empty line before lists and tables that follow text, and deeper indents in lists."""
    lines: list[str] = []
    before, in_list, fenced = "", False, False
    for line in markdown.split("\n"):
        if FENCE.match(line):
            fenced = not fenced
        item = None if fenced else ITEM.match(line)
        table = not fenced and line.startswith("|")
        text = bool(before.strip()) and not FENCE.match(before)
        if (item and text and not in_list) or (table and text and not before.startswith("|")):
            lines.append("")
        if item:
            in_list = True
        elif not line.strip():
            in_list = in_list and fenced
        elif not line.startswith(" "):
            in_list = False
        if item and item["indent"]:  # two or three spaces begin a list within a list
            line = " " * (4 * ((len(item["indent"]) + 1) // 2)) + line.lstrip()
        lines.append(line)
        before = line
    return "\n".join(lines)


def with_stars_kept(markdown: str) -> str:
    """Return a page on which A* is A*: two of them would else be taken for emphasis."""
    return outside_code(markdown, lambda text: STAR.sub(r"A\\*", text))


def with_formulas_held(markdown: str) -> tuple[str, list[str]]:
    """Return a page with names in place of its formulas, and the formulas as MathML, which browsers show."""
    formulas: list[str] = []

    def hold(latex: str, display: str) -> str:
        formulas.append(convert(latex.strip(), display=display))
        return HELD.format(len(formulas) - 1)

    def within(text: str) -> str:
        text = DISPLAY.sub(lambda match: hold(match[1], "block"), text)
        return INLINE.sub(lambda match: hold(match[1], "inline"), text)

    markdown = MATH_FENCE.sub(lambda match: hold(match[1], "block"), markdown)
    return outside_code(markdown, within), formulas


def with_formulas(html: str, formulas: list[str]) -> str:
    """Return a page's HTML with its formulas in their places."""
    for number, formula in enumerate(formulas):
        html = html.replace(HELD.format(number), formula)
    return html


def with_videos(markdown: str) -> str:
    """Return a page on which pictures that link to videos are those videos."""
    video = '<video controls preload="none" poster="{poster}" src="{video}" title="{about}"></video>'
    return outside_code(markdown, lambda text: VIDEO.sub(lambda match: video.format(**match.groupdict()), text))
