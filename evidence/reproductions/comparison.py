"""Every claim beside what the reports found: how ours compare, and why they differ."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from evidence.reproductions.claim import Claim, Verdict, claims
from evidence.reproductions.report import Report, Value


@dataclass(frozen=True)
class Compared:
    """A claim and the number of ours that stands beside it in a report."""

    claim: Claim
    ours: Value
    label: str  # of the row and column
    why: str  # the sentence beside it
    verdict: Verdict


def compared_in(report: Report) -> Iterator[Compared]:
    """Return every claim that a report names, once, in its order."""
    known, seen = claims(), set[str]()
    for table in report.tables:
        for row in table.rows:
            for column, entry in zip(table.columns, row.entries, strict=True):
                one = known.get(entry.claim)
                if one is None or one.key in seen:
                    continue
                seen.add(one.key)
                why = row.note or table.note
                yield Compared(one, entry.ours, f"{row.label}, {column}", why, one.verdict(entry.ours))


def compare(reports: Iterable[Report]) -> dict[str, Compared]:
    """Return what the items that claims name have found, by the claims' keys, in the order of the claims."""
    found = {one.claim.key: one for report in reports for one in compared_in(report) if one.claim.item == report.item}
    return {key: found[key] for key in claims() if key in found}


def verdicts(compared: Iterable[Compared]) -> Counter[Verdict]:
    """Return how often ours are better, the same, worse."""
    return Counter(one.verdict for one in compared)
