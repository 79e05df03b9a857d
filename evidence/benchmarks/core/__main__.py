"""Measure the parts of the core's benchmark, and write their section of docs/benchmarks.md."""

from __future__ import annotations

import argparse
from pathlib import Path

from evidence.benchmarks.core.parts import PARTS, RESULTS, WORLDS, run, setting
from evidence.benchmarks.page import PAGE, with_section

parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--parts", nargs="+", default=[], choices=list(PARTS), help="these, though they were measured")
parser.add_argument("--worlds", type=int, default=WORLDS, help=f"a density ({WORLDS}: 400 trips)")
parser.add_argument("--into", type=Path, default=RESULTS, help="results; the page is written from the usual ones only")
options = parser.parse_args()
rows = run(worlds=options.worlds, parts=options.parts, into=options.into)
for row in rows:
    print(row.what, row.ours, row.other, row.ratio, row.wanted, row.note, sep=" | ")
if options.into == RESULTS:
    PAGE.write_text(with_section(PAGE.read_text(), "core", rows, setting()))
