"""L09 figure 5.9: likelihoods of walks known to fit, the threshold, and which of eight others are kept."""

from __future__ import annotations

from collections.abc import Mapping

from evidence.reproductions.claim import claim
from evidence.reproductions.item import Item, Result, Say
from evidence.reproductions.report import Report, Row, Table, row
from evidence.reproductions.screened_walks import (
    BY_PARTS,
    KNOWN,
    PRINTED,
    UNLIKE,
    high_arms,
    judged,
    slower,
    sound_walks,
    veering,
)
from evidence.reproductions.variation_inputs import inputs_of, said_of
from evidence.reproductions.variation_tables import setting_table
from gambol.pictures import draw_screening
from gambol.variation import Screening
from gambol.variation.screening import LEFT_OUT, MARGIN, PERCENTILE

NAME = "l09-figure-5.9"
TITLE = "L09 figure 5.9: which walks fit"
UNLIKE_COUNT = 3
COUNTS, WALKS = "kept and dropped", "walks"


def run(quick: bool, say: Say) -> Result:
    """Judge five walks as they are and three made unlike, by eight that are known to fit."""
    walks = sound_walks()
    fifth = inputs_of("walk").others[KNOWN]
    test = [*walks.similar, fifth, high_arms(walks.known[0]), veering(walks.known[1]), slower(walks.known[2])]
    found: dict[str, Screening] = {}
    for number, way in enumerate((BY_PARTS, PRINTED)):
        say(f"judging {way}", number / 2)
        found[way] = judged(walks.known, test, by_parts=way == BY_PARTS, quick=quick)
    pictures = {
        f"{NAME}.png": draw_screening(found[BY_PARTS]),
        f"{NAME}-printed.png": draw_screening(found[PRINTED]),
    }
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            said_of(["walk"]),
            f"The test set is five walks as they are and three made unlike: {'; '.join(UNLIKE)}. Likelihoods are "
            f"those of the preset `registered` ({'one round' if quick else 'all'} of the splits, seed 0): networks of "
            "28 splits would take minutes each time.",
        ),
        tables=(_settings(found), _counts_table(found), _walks_table(found)),
        differences=_differences(found),
        pictures=tuple(pictures),
    )
    return Result(report, pictures)


def _settings(found: Mapping[str, Screening]) -> Table:
    one = found[BY_PARTS]
    return setting_table([
        ("walks known to fit", KNOWN, "l09.c5.screen.known"),
        ("walks of a split that are learned from", KNOWN - LEFT_OUT, "l09.c5.screen.learned"),
        ("walks of a split that are judged", LEFT_OUT, "l09.c5.screen.left"),
        ("percentile of the threshold", round(PERCENTILE), "l09.c5.screen.percentile"),
        ("walks of the test set", len(one.judged), "l09.c5.screen.tested"),
        ("left after the first is dropped", len(one.judged) - min(1, len(one.order)), "l09.c5.screen.next"),
    ], note=f"By parts the threshold is {MARGIN:g} times as far below the usual as the tenth percentile.")  # fmt: skip


def _counts_table(found: Mapping[str, Screening]) -> Table:
    rows: list[Row] = []
    for way, one in found.items():
        unlike = one.judged[-UNLIKE_COUNT:]
        values = [
            len(one.kept), sum(not this.kept for this in unlike),
            sum(not this.kept for this in one.judged[:-UNLIKE_COUNT]), len(one.known), one.threshold,
        ]  # fmt: skip
        note = "Our set was made so that five fit; the thesis's were what they were." if way == PRINTED else ""
        published = [claim("l09.c5.screen.kept"), *[None] * 4] if way == PRINTED else None
        rows.append(row(way, values, published, note=note))
    columns = ("kept", f"unlike dropped, of {UNLIKE_COUNT}", "others dropped, of 5", "likelihoods", "threshold")
    return Table(COUNTS, columns, tuple(rows))


def _walks_table(found: Mapping[str, Screening]) -> Table:
    one, printed = found[BY_PARTS], found[PRINTED]
    rows = [
        row(this.name, [this.score, this.part, "kept" if this.kept else "dropped", other.score,
                        "kept" if other.kept else "dropped"])
        for this, other in zip(one.judged, printed.judged, strict=True)
    ]  # fmt: skip
    columns = ("score by parts", "least like", "by parts", "log-likelihood as printed", "as printed")
    return Table(WALKS, columns, tuple(rows), "Scores when a walk was dropped, or at the end.")


def _differences(found: Mapping[str, Screening]) -> tuple[str, ...]:
    said = []
    for way, one in found.items():
        kept = [not this.kept for this in one.judged[-UNLIKE_COUNT:]]
        missed = [this.name for this in one.judged[-UNLIKE_COUNT:] if this.kept]
        said.append(
            f"Judged {way}, {len(one.kept)} of {len(one.judged)} walks are kept (the thesis: 5 of 8); of the three "
            f"made unlike {sum(kept)} are dropped. In order went "
            f"{'; '.join(one.judged[index].name for index in one.order) or 'none'}. Unlike and kept: "
            f"{'; '.join(missed) or 'none'}."
        )
    ways = [way for way, one in found.items() if not one.judged[-1].kept]
    said.append(
        "Our likelihoods are told by speeds and angles a frame, and motions are laid over each other in time. The "
        f"slower walk, whose poses are another's, is dropped {' and '.join(ways) or 'in neither way'}."
    )
    return tuple(said)


ITEM = Item(NAME, "likelihoods of walks, the threshold, and which of eight walks are kept", run)
