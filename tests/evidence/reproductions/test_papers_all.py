"""Many published items at once: claims, runs that go on where they were, and the page of what came of them."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from evidence.reproductions import command as command_line
from evidence.reproductions import items
from evidence.reproductions.claim import Better, Claim, Verdict, claim, claims, parse_claims
from evidence.reproductions.comparison import compare
from evidence.reproductions.html import page, write_page
from evidence.reproductions.item import Item, Result, Say, say_nothing
from evidence.reproductions.items import ITEMS, items_named
from evidence.reproductions.measure import Collection, Measured, collected, measure_into
from evidence.reproductions.report import Report, Table, row
from tests.support.command_line import runner

from gambol.errors import InvalidInput, MalformedFile, UnknownName

HEADER = "key,where,what,value,unit,better,item\n"


def one_claim(value: float | str, better: Better) -> Claim:
    return Claim("lk05.x", "section 1", "a number", value, "s", better, "lk05-x")


# Claims


def test_every_claim_has_an_item_and_every_paper_has_claims():
    names = {item.name for item in ITEMS}
    homeless = {one.key: one.item for one in claims().values() if one.item not in names}
    assert not homeless
    assert {one.paper for one in claims().values()} == {"lk05", "lk06", "kp00", "l09", "c20"}


def test_every_item_shows_what_a_claim_says_and_its_name_begins_with_its_paper():
    shown = {one.item for one in claims().values()}
    assert {item.name for item in ITEMS} == shown
    assert len({item.name for item in ITEMS}) == len(ITEMS)
    assert all(one.item.startswith(f"{one.paper}-") or one.paper == "l09" for one in claims().values())


@pytest.mark.parametrize(
    ("better", "value", "ours", "verdict"),
    [
        (Better.LOWER, 10, 5.0, Verdict.BETTER),
        (Better.LOWER, 10, 10.4, Verdict.SAME),
        (Better.LOWER, 10, 20, Verdict.WORSE),
        (Better.HIGHER, 10, 20, Verdict.BETTER),
        (Better.HIGHER, 10, 5, Verdict.WORSE),
        (Better.NEAR, 10, 5, Verdict.DIFFERS),
        (Better.NEAR, "10..15", 12, Verdict.SAME),
        (Better.LOWER, "10..15", 1, Verdict.BETTER),
        (Better.LOWER, "10..15", 99, Verdict.WORSE),
        (Better.SETTING, 10, 5, Verdict.SETTING),
        (Better.LOWER, "real time", 5, Verdict.UNKNOWN),
        (Better.LOWER, 10, None, Verdict.UNKNOWN),
        (Better.LOWER, 10, "few", Verdict.UNKNOWN),
    ],
)
def test_a_number_of_ours_is_better_the_same_or_worse(
    better: Better, value: float | str, ours: float | str | None, verdict: Verdict
):
    assert one_claim(value, better).verdict(ours) == verdict


def test_claims_are_read_with_numbers_as_numbers():
    (one, other) = parse_claims(
        f"{HEADER}lk05.a,figure 1,frames,1_0,,near,lk05-x\nlk05.b,4,a time,-0.5,s,lower,lk05-x\n", paper="lk05"
    )
    assert one.value == "1_0"
    assert other.value == -0.5
    assert isinstance(parse_claims(f"{HEADER}lk05.a,f,w,7,,near,i\n", paper="lk05")[0].value, int)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("key,value\nlk05.a,1\n", "columns"),
        (f"{HEADER}lk05.a,figure 1,,10,,near,lk05-x\n", "'what'"),
        (f"{HEADER}lk05.a,figure 1\n", "'what'"),
        (f"{HEADER}lk06.a,figure 1,frames,10,,near,lk05-x\n", "does not begin"),
        (f"{HEADER}lk05.a,figure 1,frames,10,,bigger,lk05-x\n", "lower, higher, near, setting"),
    ],
)
def test_a_claim_that_is_not_whole_is_refused(text: str, message: str):
    with pytest.raises(MalformedFile, match=message):
        parse_claims(text, paper="lk05")


def test_an_unknown_claim_is_an_error():
    with pytest.raises(UnknownName, match="claim"):
        claim("lk05.no-such-number")


# Runs


class Counting:
    """An item that counts how often it is run."""

    def __init__(self, name: str, *, ours: Sequence[float] = (1.0,), failure: Exception | None = None) -> None:
        self.name, self.ours, self.failure, self.runs = name, ours, failure, 0

    def item(self) -> Item:
        return Item(self.name, "counts", self.run)

    def run(self, quick: bool, say: Say) -> Result:
        self.runs += 1
        say("counting", 0.5)
        if self.failure is not None:
            raise self.failure
        table = Table("counts", tuple("abcd"[: len(self.ours)]), (row("row", list(self.ours)),), "A *note*.")
        picture = f"{self.name}.png"
        report = Report(self.name, f"<{self.name}>", quick, ("Seed 1.",), (table,), ("`They` differ.",), (picture,))
        return Result(report, {picture: np.zeros((4, 4, 3), np.uint8)})


def run(folder: Path, counting: Sequence[Counting], *, quick: bool = True, again: bool = False) -> list[Measured]:
    chosen = [one.item() for one in counting]
    return list(measure_into(chosen, folder, quick=quick, again=again, say=say_nothing))


def test_what_a_folder_has_is_kept_and_the_rest_is_measured(tmp_path: Path):
    first, second = Counting("lk05-a"), Counting("lk05-b")
    assert [one.kept for one in run(tmp_path, [first])] == [False]
    assert [one.kept for one in run(tmp_path, [first, second])] == [True, False]
    assert (first.runs, second.runs) == (1, 1)
    run(tmp_path, [first], quick=False)
    assert first.runs == 2, "another size is another measurement"
    run(tmp_path, [first], quick=False, again=True)
    assert first.runs == 3
    (tmp_path / "lk05-b.png").unlink()
    run(tmp_path, [second])
    assert second.runs == 2, "half a result is none"
    (tmp_path / "lk05-b.json").write_text('{"item": "lk05-b"}')
    run(tmp_path, [second])
    assert second.runs == 3


def test_what_was_measured_before_a_claim_was_known_is_measured_again(tmp_path: Path):
    older = Counting(next(iter(claims().values())).item)
    assert [one.kept for one in run(tmp_path, [older]) + run(tmp_path, [older])] == [False, False]


def test_one_that_fails_says_why_and_the_others_go_on(tmp_path: Path):
    broken, fine = Counting("lk05-a", failure=InvalidInput("no such thing")), Counting("lk05-b")
    one, other = run(tmp_path, [broken, fine])
    assert "no such thing" in one.failure
    assert one.report is None
    assert other.report is not None
    assert other.report.seconds >= 0.0
    assert "processors" in other.report.machine
    collection = collected([broken.item(), fine.item()], tmp_path, quick=True, failures={"lk05-a": one.failure})
    assert [report.item for report in collection.reports] == ["lk05-b"]
    assert "no such thing" in page(collection)


def test_all_and_papers_are_names_of_many_items():
    assert items_named("all") == ITEMS
    assert all(item.name.startswith("lk06-") for item in items_named("lk06"))
    assert len(items_named("lk06")) > 3
    assert [item.name for item in items_named("l09-table-4.1")] == ["l09-table-4.1"]
    with pytest.raises(UnknownName):
        items_named("lk07")


# The page


class Outline(HTMLParser):
    """Which elements are open, what is linked and shown; an element that is closed wrongly is noted."""

    VOID = frozenset({"meta", "img", "br", "link"})

    def __init__(self, text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.wrong: list[str] = []
        self.links: list[str] = []
        self.ids: set[str] = set()
        self.pictures: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = dict(attrs)
        self.ids.add(values.get("id") or "")
        self.links += [values["href"] or ""] if tag == "a" else []
        self.pictures += [values["src"] or ""] if tag == "img" else []
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.wrong.append(tag)


def test_the_page_is_whole_and_everything_it_links_is_there(tmp_path: Path):
    run(tmp_path, [Counting("lk05-a", ours=(1.0, 2.0)), Counting("lk05-b")])
    chosen = [Counting("lk05-a").item(), Counting("lk05-b").item(), Counting("lk05-c").item()]
    text = page(collected(chosen, tmp_path, quick=True))
    outline = Outline(text)
    assert not outline.wrong
    assert not outline.open
    assert outline.pictures == ["lk05-a.png", "lk05-b.png"]
    assert all((tmp_path / name).is_file() for name in outline.pictures)
    assert {"#lk05-a", "#lk05-b"} <= set(outline.links)
    assert "#lk05-c" not in outline.links
    assert {link[1:] for link in outline.links if link.startswith("#")} <= outline.ids
    assert "A quick run" in text
    assert "&lt;lk05-a&gt;" in text
    assert "<code>They</code>" in text
    assert not re.search(r"(src|href)=\"?https?:", text), "it needs no network"


def report_with(key: str, ours: float, *, note: str = "") -> Report:
    one = claim(key)
    table = Table("numbers", ("ours",), (row("row", [ours], [one], note=note),))
    return Report(one.item, "Title", False, ("Seed 1.",), (table,), ("They differ.",))


def test_where_ours_is_worse_the_page_says_so_and_why():
    one = next(one for one in claims().values() if one.better == Better.LOWER and one.bounds is not None)
    assert one.bounds is not None
    worse, better = 10.0 * one.bounds[1], 0.1 * one.bounds[0]
    text = page(Collection(ITEMS, (report_with(one.key, worse, note="A slow machine."),)))
    part = text.partition("Where ours is worse")[2].partition("<h2>")[0]
    assert "A slow machine." in part
    text = page(Collection(ITEMS, (report_with(one.key, better),)))
    assert "Nowhere." in text.partition("Where ours is worse")[2].partition("<h2>")[0]


def test_a_claim_counts_only_where_its_own_item_shows_it():
    one = next(iter(claims().values()))
    report = report_with(one.key, 1.0)
    assert set(compare([report])) == {one.key}
    stray = Report("other", "Title", False, (), report.tables, ())
    assert not compare([stray])


# The command


def test_the_command_measures_several_and_goes_on(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
):
    counting = [Counting("lk05-a"), Counting("lk05-b"), Counting("lk06-a", failure=InvalidInput("no such thing"))]
    stand_ins = tuple(one.item() for one in counting)
    monkeypatch.setattr(items, "ITEMS", stand_ins)
    monkeypatch.setattr(command_line, "ITEMS", stand_ins)
    command = runner(monkeypatch, capsys, command_line.app)
    code, out, _ = command("all", "--quick", "-o", tmp_path, "--json")
    assert code == 1
    said = json.loads(out)
    assert said["items"] == ["lk05-a", "lk05-b"]
    assert list(said["failures"]) == ["lk06-a"]
    assert (tmp_path / "index.html").is_file()
    code, out, _ = command("lk05", "--quick", "-o", tmp_path)
    assert code == 0
    assert out.count("kept") == 2
    assert [one.runs for one in counting] == [1, 1, 1]
    assert command("lk05", "--quick", "--again", "-o", tmp_path)[0] == 0
    assert [one.runs for one in counting] == [2, 2, 1]
    assert command("lk05-a", "--quick", "--again")[0] == 2
    target = tmp_path / "lk05-a.json"
    code, _, errors = command("lk05", "-o", target)
    assert code == 2
    assert "is a file" in errors


def test_the_page_is_written_whole(tmp_path: Path):
    path = write_page(Collection((), ()), tmp_path)
    assert path.read_text(encoding="utf-8").endswith("</html>\n")
