"""The report of a run as one page of HTML: what came of every claim, then item by item; pictures lie beside it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from importlib.resources import files
from itertools import groupby
from pathlib import Path

from markdown_it import MarkdownIt

from evidence.reproductions.claim import PAPERS, Claim, Verdict, claims
from evidence.reproductions.comparison import Compared, compare, compared_in, verdicts
from evidence.reproductions.item import Item
from evidence.reproductions.measure import Collection
from evidence.reproductions.report import Entry, Report, Table, shown
from gambol.files import write_atomically

PAGE = "index.html"
NAMES = {
    "lk05": "Lau and Kuffner 2005, Behavior Planning for Character Animation",
    "lk06": "Lau and Kuffner 2006, Precomputed Search Trees",
    "kp00": "Kalisiak and van de Panne 2000, A Grasp-based Motion Planning Algorithm",
    "l09": "Lau 2009, Modeling Behavior and Variation for Crowd Animation",
    "c20": "Canales, Character Motion Planning",
}
COUNTED = (Verdict.BETTER, Verdict.SAME, Verdict.DIFFERS, Verdict.WORSE, Verdict.SETTING, Verdict.UNKNOWN)
_MARKDOWN = MarkdownIt("commonmark", {"html": False})


def write_page(collection: Collection, folder: Path) -> Path:
    """Write the page of a run into the folder that has its pictures."""
    path = folder / PAGE
    write_atomically(path, page(collection).encode("utf-8"))
    return path


def page(collection: Collection) -> str:
    """Return the page of a run; items that it has not measured are named."""
    items, compared = collection.items, compare(collection.reports)
    reports = {report.item: report for report in collection.reports}
    style = (files("evidence.reproductions") / "page.css").read_text(encoding="utf-8")
    body = [
        "<h1>The papers, measured again</h1>",
        *_head(collection, items, compared),
        _counts_table(compared),
        *_worse(compared),
        *_failed(collection.failures),
        *_contents(items, reports),
        *(_section(reports[item.name]) for item in items if item.name in reports),
        *_all_claims(compared, items),
    ]
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Gambol: the papers, measured again</title><style>{style}</style></head>\n"
        "<body><main>\n" + "\n".join(body) + "\n</main></body></html>\n"
    )


def _head(collection: Collection, items: Sequence[Item], compared: Mapping[str, Compared]) -> list[str]:
    done, minutes = len(collection.reports), collection.seconds / 60.0
    text = (
        f"{done} of {len(items)} items, {len(compared)} of {len(claims())} published numbers beside ours; "
        f"{minutes:.0f} minutes of measuring."
    )
    parts = [f"<p>{text}</p>"]
    if collection.quick:
        parts.append(
            '<p class="quick">A quick run: it shows that all of it works. Its numbers are of small sizes, and say '
            "nothing about the papers.</p>"
        )
    machines = sorted({report.machine for report in collection.reports if report.machine})
    if machines:
        parts.append(f"<p class=dim>Measured on {escape('; '.join(machines[:1]))}.</p>")
    parts.append(
        "<p class=dim>In the tables our number comes first, the published one behind it in brackets. Colours tell how "
        "they compare where one is better: <span class=better>better</span>, <span class=same>the same</span> (to "
        "5 %), <span class=differs>different</span>, <span class=worse>worse</span>. Times are of other machines and "
        "other years: ratios say more.</p>"
    )
    return parts


def _counts_table(compared: Mapping[str, Compared]) -> str:
    head = "".join(f"<th>{verdict}</th>" for verdict in COUNTED)
    rows: list[str] = []
    for paper in PAPERS:
        of_paper = [one for one in claims().values() if one.paper == paper]
        counts = verdicts(one for one in compared.values() if one.claim.paper == paper)
        cells = "".join(f"<td class={_class(verdict)}>{counts[verdict]}</td>" for verdict in COUNTED)
        missing = len(of_paper) - counts.total()
        name = f"{paper.upper()}: {escape(NAMES[paper])}"
        rows.append(f"<tr><th>{name}</th><td>{len(of_paper)}</td>{cells}<td>{missing}</td></tr>")
    return (
        "<h2>What came of it</h2><div class=wide><table><tr><th>paper</th><th>numbers</th>"
        f"{head}<th>not measured</th></tr>{''.join(rows)}</table></div>"
        "<p class=dim>Setting: a fact of what they used. No number: the paper or we have only a word.</p>"
    )


def _worse(compared: Mapping[str, Compared]) -> list[str]:
    worse = [one for one in compared.values() if one.verdict == Verdict.WORSE]
    if not worse:
        return ["<h2>Where ours is worse</h2><p>Nowhere.</p>"]
    rows: list[str] = []
    for why, alike in groupby(worse, key=lambda one: one.why):
        of_reason = list(alike)
        for number, one in enumerate(of_reason):
            reason = f"<td rowspan={len(of_reason)}>{_inline(why)}</td>" if number == 0 else ""
            rows.append(
                f"<tr><td>{_link(one.claim)}</td><td>{escape(one.claim.what)}</td>"
                f"<td>{_with_unit(one.claim.value, one.claim)}</td>"
                f"<td class=worse>{_with_unit(one.ours, one.claim)}</td>{reason}</tr>"
            )
    return [
        f"<h2>Where ours is worse</h2><p>{len(worse)} numbers.</p><div class=wide><table class=text><tr><th>where</th>"
        f"<th>what</th><th>published</th><th>ours</th><th>why</th></tr>{''.join(rows)}</table></div>"
    ]


def _failed(failures: Mapping[str, str]) -> list[str]:
    if not failures:
        return []
    rows = "".join(f"<li><b>{escape(name)}</b>: {escape(why)}</li>" for name, why in failures.items())
    return [f"<h2>What failed</h2><ul class=worse>{rows}</ul>"]


def _contents(items: Sequence[Item], reports: Mapping[str, Report]) -> list[str]:
    rows = "".join(
        f'<li><a href="#{item.name}">{escape(item.name)}</a>: {escape(item.summary)}</li>'
        if item.name in reports
        else f"<li>{escape(item.name)}: {escape(item.summary)} <i>(not measured)</i></li>"
        for item in items
    )
    return [f"<h2>Items</h2><ul>{rows}</ul>"]


def _section(report: Report) -> str:
    command = f"python -m evidence.reproductions {report.item}{' --quick' if report.quick else ''}"
    parts = [
        f'<section id="{report.item}"><h2>{escape(report.title)}</h2>',
        f"<p class=dim><code>{command}</code>, {report.seconds:.0f} s.</p>",
        *(f"<p>{_inline(sentence)}</p>" for sentence in report.setting),
        *(_table(table, {one.claim.key: one for one in compared_in(report)}) for table in report.tables),
        *(
            f'<a href="{escape(name)}"><img loading=lazy src="{escape(name)}" alt="{escape(report.title)}"></a>'
            for name in report.pictures
        ),
    ]
    if report.differences:
        parts.append("<ul>" + "".join(f"<li>{_inline(sentence)}</li>" for sentence in report.differences) + "</ul>")
    return "\n".join([*parts, "</section>"])


def _table(table: Table, compared: Mapping[str, Compared]) -> str:
    head = "".join(f"<th>{_inline(column)}</th>" for column in table.columns)
    rows: list[str] = []
    for row in table.rows:
        cells = "".join(_cell(entry, compared.get(entry.claim)) for entry in row.entries)
        rows.append(f"<tr><th>{_inline(row.label)}</th>{cells}</tr>")
    notes = [table.note, *(f"*{row.label}*: {row.note}" for row in table.rows if row.note)]
    told = "".join(f"<p class=dim>{_inline(note)}</p>" for note in notes if note)
    return f"<div class=wide><table><tr><th>{_inline(table.title)}</th>{head}</tr>{''.join(rows)}</table></div>{told}"


def _cell(entry: Entry, compared: Compared | None) -> str:
    kind = "text" if isinstance(entry.ours, str) else "number"
    if entry.published is None:
        return f"<td class={kind}>{escape(shown(entry.ours))}</td>"
    where = f' title="{escape(f"{compared.claim.where}: {compared.claim.what}")}"' if compared else ""
    verdict = _class(compared.verdict) if compared else "setting"
    published = f"<span class=paper>({escape(shown(entry.published))})</span>"
    return f'<td class="{kind} {verdict}"{where}>{escape(shown(entry.ours))} {published}</td>'


def _all_claims(compared: Mapping[str, Compared], items: Iterable[Item]) -> list[str]:
    known = {item.name for item in items}
    rows: list[str] = []
    for one in claims().values():
        found = compared.get(one.key)
        ours = _with_unit(found.ours, one) if found else "not measured"
        verdict = str(found.verdict) if found else "–"
        kind = _class(found.verdict) if found else "unknown"
        item = f'<a href="#{one.item}">{one.item}</a>' if one.item in known else escape(one.item)
        rows.append(
            f"<tr><td>{one.paper.upper()} {escape(one.where)}</td><td>{escape(one.what)}</td>"
            f"<td>{_with_unit(one.value, one)}</td><td>{ours}</td><td class={kind}>{verdict}</td><td>{item}</td></tr>"
        )
    return [
        "<h2 id=claims>Every published number</h2><div class=wide><table class=text><tr><th>where</th><th>what</th>"
        f"<th>published</th><th>ours</th><th></th><th>item</th></tr>{''.join(rows)}</table></div>"
    ]


def _link(claim: Claim) -> str:
    return f'<a href="#{claim.item}">{claim.paper.upper()} {escape(claim.where)}</a>'


def _with_unit(value: float | int | str | None, claim: Claim) -> str:
    text = shown(value).replace("..", " to ") if not isinstance(value, str) else value.replace("..", " to ")
    number = value is not None and (not isinstance(value, str) or claim.bounds is not None)
    return escape(f"{text} {claim.unit}".strip() if number else text)


def _inline(text: str) -> str:
    return _MARKDOWN.renderInline(text)


def _class(verdict: Verdict) -> str:
    return "unknown" if verdict == Verdict.UNKNOWN else str(verdict)
