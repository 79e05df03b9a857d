"""Put the soak's results into the docs: wherever a page asks for a table, between two markers."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

import climb_tables
import soak_tables as tables
import variation_tables

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "evidence" / "soak" / "results"
BLOCK = re.compile(r"(<!-- soak results: (\S+) -->\n).*?(<!-- end of soak results -->)", re.DOTALL)

#: What pages may ask for: what all jobs found whose names begin so, finished or not, and what one job found.
OF_SEVERAL = {
    "damaged-files": ("mutated-", tables.damaged_files),
    "sequences": ("sequences-", tables.sequences),
    "random-scenes": ("random-scenes-", tables.random_scenes),
    "tree-scenes": ("tree-scenes", tables.tree_scenes),
    "crowd-regions": ("crowd-regions-", tables.crowd_regions),
}
OF_ONE = {
    "shipped-scenes": ("shipped-scenes", tables.shipped_scenes),
    "terrain": ("shipped-scenes", tables.terrain),
    "beside-lk05": ("shipped-scenes", tables.beside_lk05),
    "optimality": ("planner-optimality", tables.optimality),
    "search-variants": ("search-variants", tables.search_variants),
    "table-loss": ("table-loss", tables.table_loss),
    "tree-look-ups": ("tree-look-ups", tables.tree_look_ups),
    "crowd-scenes": ("crowd-scenes", tables.crowd_scenes),
    "crowd-hour": ("crowd-hour", tables.crowd_hour),
    "crowd-drops": ("crowd-drops", tables.crowd_drops),
    "crowd-doorways": ("crowd-doorways", tables.crowd_doorways),
    "crowd-arrivals": ("crowd-arrivals", tables.crowd_arrivals),
    "crowd-density": ("crowd-density", tables.crowd_density),
    "variation-told-apart": ("variation", variation_tables.told_apart),
    "variation-ranks": ("variation", variation_tables.ranks),
    "variation-repeats": ("variation", variation_tables.repeats),
    "variation-physical": ("variation", variation_tables.physical),
    "variation-screening": ("variation-screening", variation_tables.screening),
    "variation-crowd": ("variation-crowd", tables.variation_crowd),
    "climb-seeds": ("climb-seeds", climb_tables.seeds),
    "climb-judged": ("climb-seeds", climb_tables.judged),
    "climb-smoothing": ("climb-seeds", climb_tables.smoothing),
    "climb-random": ("climb-random", climb_tables.random),
    "climb-ablation": ("climb-ablation", climb_tables.ablation),
    "climb-carriage": ("climb-ablation", climb_tables.carriage),
    "climb-density": ("climb-density", climb_tables.density),
    "bake-survival": ("bake-survival", tables.bake_survival),
    "view-browsers": ("view-browsers", tables.view_browsers),
}
#: What is quoted from the code itself.
OF_CODE = {"climb-edges": climb_tables.edges, "climb-limbs": climb_tables.limbs, "climb-usage": climb_tables.usage}


def block(name: str) -> str:
    """Return what a page asks for by this name: nothing as long as its job has not finished."""
    if name in OF_CODE:
        return OF_CODE[name]()
    if name in OF_SEVERAL:
        prefix, show = OF_SEVERAL[name]
        paths = sorted(RESULTS.glob(f"{prefix}*.json"))
        return show({path.stem.removeprefix(prefix): json.loads(path.read_text()) for path in paths})
    job, show = OF_ONE[name]
    path = RESULTS / f"{job}.json"
    result = json.loads(path.read_text()) if path.is_file() else {"finished": False}
    return show(result) if result["finished"] else ""


def quoted(page: str) -> str:
    return BLOCK.sub(lambda match: match[1] + block(match[2]) + match[3], page)


def main() -> None:
    for path in sorted((ROOT / "docs").glob("*.md")):
        page = path.read_text()
        current = quoted(page)
        if "--check" in sys.argv and current != page:
            sys.exit(f"{path.name} does not quote evidence/soak/results; run tools/quote_soak.py")
        if current != page:
            path.write_text(current)


if __name__ == "__main__":
    main()
