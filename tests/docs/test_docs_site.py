"""The documentation site: it builds strictly and without the network, and what tools write is what is there."""

from __future__ import annotations

import os
import pkgutil
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest
from evidence.reproductions import html
from evidence.reproductions.items import ITEMS
from evidence.reproductions.markdown import read_report, report_markdown
from evidence.reproductions.measure import collected

import gambol

ROOT = Path(__file__).parent.parent.parent
sys.path.insert(0, str(ROOT / "tools"))

sys.path.insert(0, str(ROOT / "tools" / "docs_site"))

import repository  # noqa: E402
import write_commands  # noqa: E402
import write_formats  # noqa: E402
import write_papers  # noqa: E402
import write_performance  # noqa: E402
import write_reference  # noqa: E402

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
CODE = re.compile(r"^ *```.*?^ *```|`[^`\n]+`", re.M | re.S)


def anchors(page: Path) -> set[str]:
    """Return the anchors of a page's headings, as the repository's page and the site make them."""
    text = re.sub(r"^ *```.*?^ *```", "", page.read_text(encoding="utf-8"), flags=re.M | re.S)
    titles = [re.sub(r"\]\([^)]*\)|[\[`*]", "", title) for title in re.findall(r"^#+ (.*)$", text, re.M)]
    return {re.sub(r"[^\w\- ]", "", title.strip().lower()).replace(" ", "-") for title in titles}


def test_links_lead_to_files_and_to_headings() -> None:
    for page in PAGES:
        for link in re.findall(r"\]\(([^)\s]+)\)", CODE.sub("", page.read_text(encoding="utf-8"))):
            target, _, anchor = link.partition("#")
            if not re.match(r"[a-z]+:", link):
                there = (page.parent / target) if target else page
                assert there.exists(), f"{page.name} links to {link}"
                assert not anchor or there.suffix != ".md" or anchor in anchors(there), f"{page.name} links to {link}"


def test_links_of_the_readme_lead_to_files_wherever_it_is_shown() -> None:
    readme = CODE.sub("", (ROOT / "README.md").read_text(encoding="utf-8"))
    for link in re.findall(r"\]\(([^)\s]+)\)", readme):
        assert link.startswith("https:"), f"{link}: package indexes show the README too, and know no other file"
        if repository.HOME.match(link):
            path, _, anchor = repository.HOME.sub("", link).partition("#")
            assert (ROOT / path).exists(), link
            assert not anchor or anchor in anchors(ROOT / path), link


def test_the_site_builds_strictly_and_fetches_nothing(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    settings = {**os.environ, "NO_MKDOCS_2_WARNING": "1"}
    done = subprocess.run(command, cwd=ROOT, env=settings, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for page in tmp_path.rglob("*.html"):
        fetched = re.findall(r"<(?:script|img|video|link)[^>]+(?:src|href)=\"?https?:[^\s>]*", page.read_text())
        assert not fetched, f"{page.name}: {fetched}"


@pytest.mark.parametrize("tool", [write_commands, write_reference, write_formats, write_papers, write_performance])
def test_written_pages_are_what_their_tools_write(tool: ModuleType) -> None:
    for path, text in tool.pages().items():
        assert path.read_text(encoding="utf-8") == text, f"run tools/{tool.__name__}.py"


def test_pages_of_published_items_say_what_was_measured_at_full_size() -> None:
    folder = ROOT / "docs" / "results"
    for item in ITEMS:
        report = read_report(folder / f"{item.name}.json")
        assert not report.quick
        assert (folder / f"{item.name}.md").read_text(encoding="utf-8") == report_markdown(report)
    assert (folder / "index.html").read_text(encoding="utf-8") == html.page(collected(ITEMS, folder, quick=False))
    assert {path.stem for path in folder.glob("*.json")} == {item.name for item in ITEMS}


def test_every_public_name_of_each_room_is_in_the_reference_and_can_be_imported() -> None:
    rooms = [part.name for part in pkgutil.iter_modules(gambol.__path__) if part.ispkg and part.name != "core"]
    public = {name: import_module(f"gambol.{name}") for name in rooms}
    listed = {name: room.__all__ for name, room in public.items() if hasattr(room, "__all__")}
    assert set(write_reference.GUIDES) == {*listed, "planners", "errors"}
    for room, names in listed.items():
        on_page = {name.shown.partition(".")[0] for name in write_reference.names_of(room)}
        assert on_page == set(names), room
        assert all(hasattr(public[room], name) for name in names), room
        modules = {name for name in names if isinstance(getattr(public[room], name), ModuleType)}
        assert modules <= {"climb_page", "edits", "planar", "quaternion"}, (
            f"{modules}: modules in the place of functions"
        )
    assert set(write_reference.listed("gambol")) == set(gambol.__all__)


def test_every_decision_is_listed() -> None:
    folder = ROOT / "docs" / "decisions"
    listed = (folder / "README.md").read_text(encoding="utf-8")
    assert all(f"]({path.name})" in listed for path in folder.glob("0*.md"))
