"""Where files of the repository are in the site, and links between them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent.parent
DOCS = "docs/"

#: Pages that live outside docs/, by where they are in the site.
BROUGHT = {
    "index.md": "README.md",
    "architecture.md": "ARCHITECTURE.md",
    "conventions.md": "CONVENTIONS.md",
    "contributing.md": "CONTRIBUTING.md",
    "changelog.md": "CHANGELOG.md",
    "roadmap.md": "ROADMAP.md",
    "soak.md": "evidence/soak/README.md",
}
IN_SITE = {path: page for page, path in BROUGHT.items()}

#: Files that are shown as pages of their own where a page links to them, with how their text is coloured.
SHOWN = {".py": "python", ".toml": "toml", ".txt": "text", ".yml": "yaml", ".mjs": "javascript", "": "text"}

LINK = re.compile(r"(?P<before>\]\(\s*)(?P<target>[^)\s]+)(?P<after>(?:\s+\"[^\"]*\")?\s*\))")
CODE = re.compile(
    r"^(?P<fence> *(`{3,}|~{3,})).*?^(?P=fence)`*~* *$|(?P<ticks>`+)(?!`).+?(?<!`)(?P=ticks)(?!`)", re.M | re.S
)
#: How the README, which other sites show too, names files of the repository: as pages, and as pictures.
HOME = re.compile(
    r"https://(?:github\.com/gambol-animation/gambol/blob|raw\.githubusercontent\.com/gambol-animation/gambol)/main/"
)
ELSEWHERE = re.compile(r"[a-z][a-z0-9+.-]*:|//|#")


def outside_code(markdown: str, change: Callable[[str], str]) -> str:
    """Return a page whose text was changed, but not its code."""
    pieces, end = [], 0
    for code in CODE.finditer(markdown):
        pieces += [change(markdown[end : code.start()]), code[0]]
        end = code.end()
    return "".join([*pieces, change(markdown[end:])])


def repository_path(page: str) -> str:
    """Return where a page of the site comes from, from the root of the repository."""
    return BROUGHT.get(page, DOCS + page)


def site_path(path: str) -> str | None:
    """Return where a file of the repository is in the site, from the site's root; None if there is no such file."""
    if path in IN_SITE:
        return IN_SITE[path]
    if (ROOT / path).is_dir():
        return site_path(posixpath.join(path, "README.md"))
    if not (ROOT / path).is_file():
        return None
    if path.startswith(DOCS):
        return path.removeprefix(DOCS)
    return f"shown/{path}.md" if Path(path).suffix in SHOWN else None


def resolved(page: str, target: str) -> str | None:
    """Return what a link on a page of the site means, from the root of the repository; None: elsewhere."""
    if HOME.match(target):
        return HOME.sub("", target)
    if ELSEWHERE.match(target):
        return None
    return posixpath.normpath(posixpath.join(posixpath.dirname(repository_path(page)), target))


def rewritten(page: str, markdown: str) -> str:
    """Return a page of the repository whose links lead to where their targets are in the site."""

    def link(match: re.Match[str]) -> str:
        target, hash_, anchor = match["target"].partition("#")
        path = resolved(page, target)
        found = None if path is None else site_path(path)
        if found is None:
            return match[0]
        there = posixpath.relpath(found, posixpath.dirname(page) or ".")
        return match["before"] + there + hash_ + anchor + match["after"]

    return outside_code(markdown, lambda text: LINK.sub(link, text))


def shown_files(page: str, markdown: str) -> set[str]:
    """Return the files that a page links to and that are no pages themselves, from the root of the repository."""
    found: set[str] = set()

    def look(text: str) -> str:
        for match in LINK.finditer(text):
            path = resolved(page, match["target"].partition("#")[0])
            if path is not None and (site_path(path) or "").startswith("shown/"):
                found.add(path)
        return text

    outside_code(markdown, look)
    return found


def shown(path: str) -> str:
    """Return a page that shows a file of the repository."""
    text = (ROOT / path).read_text(encoding="utf-8")
    return f"# {path}\n\n````{SHOWN[Path(path).suffix]}\n{text.rstrip()}\n````\n"
