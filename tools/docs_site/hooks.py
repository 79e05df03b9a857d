"""What mkdocs asks for while it builds the site: pages from elsewhere, navigation by patterns, Markdown."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import flavour
import repository
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

REFERENCE = re.compile(r"^<!-- reference: (\S+) -->$", re.M)
SOURCE = re.compile(r"\[`(?P<name>\w+)`\]\(\.\./\.\./src/(?P<module>[\w/]+?)(?:/__init__)?\.py\)")
WIDE = ("results/", "reproduced.md", "benchmarks.md", "performance.md")  # pages of tables, which need the room
FORMULAS: dict[str, list[str]] = {}


def expanded(entry: Any, folder: Path) -> Any:
    """Return an entry of the navigation with pages in place of their patterns; sections without pages are left out."""
    if isinstance(entry, list):
        kept = [expanded(item, folder) for item in entry]
        return [page for item in kept if item for page in (item if isinstance(item, list) else [item])]
    if isinstance(entry, dict):
        ((title, inside),) = entry.items()
        pages = expanded([inside] if isinstance(inside, str) and "*" in inside else inside, folder)
        return {title: pages} if pages else None
    if "*" in entry:
        paths = sorted(path.relative_to(folder).as_posix() for path in folder.glob(entry))
        return sorted(paths, key=lambda path: not path.endswith(("README.md", "index.md")))
    return entry


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    config.nav = expanded(config.nav, Path(config.docs_dir))
    return config


def on_files(files: Files, config: MkDocsConfig) -> Files:
    texts = {
        file.src_uri: file.content_string
        for file in files.documentation_pages()
        if not file.src_uri.startswith("reference/")
    }
    for page, path in repository.BROUGHT.items():
        texts[page] = (repository.ROOT / path).read_text(encoding="utf-8")
        files.append(File.generated(config, page, content=texts[page]))
    for path in sorted(set().union(*(repository.shown_files(page, text) for page, text in texts.items()))):
        file = File.generated(config, f"shown/{path}.md", content=repository.shown(path))
        file.inclusion = file.inclusion.NOT_IN_NAV
        files.append(file)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    uri = page.file.src_uri
    if uri.startswith(WIDE):
        page.meta["hide"] = ["toc"]
    if uri.startswith("shown/"):
        return markdown
    if uri.startswith("reference/"):  # names lead to their descriptions below, not to their files
        markdown = SOURCE.sub(
            lambda name: f"[`{name['name']}`][{name['module'].replace('/', '.')}.{name['name']}]", markdown
        )
        markdown = REFERENCE.sub(r"::: \1", markdown)
    markdown = flavour.with_stars_kept(flavour.with_videos(repository.rewritten(uri, markdown)))
    markdown, FORMULAS[uri] = flavour.with_formulas_held(flavour.with_lists_apart(markdown))
    return markdown


def on_page_content(html: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    return flavour.with_formulas(html, FORMULAS.get(page.file.src_uri, []))
