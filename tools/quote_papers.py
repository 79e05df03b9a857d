"""Quote measured items of papers in the docs: the tables between `<!-- papers: ITEM -->` and `<!-- end -->`.

`gambol papers ITEM -o docs/results` measures an item and writes what is quoted here.
"""

from __future__ import annotations

import re
from pathlib import Path

from gambol.io.files import write_atomically
from gambol.papers.markdown import read_report, report_markdown

DOCS = Path(__file__).parent.parent / "docs"
PAGES = (DOCS / "trees_evaluated.md",)
RESULTS = DOCS / "results"
BLOCK = re.compile(r"(<!-- papers: (\S+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def quoted(page: str) -> str:
    """Return a page with every block filled from its item's results; one without results stays as it is."""

    def fill(block: re.Match[str]) -> str:
        path = RESULTS / f"{block[2]}.json"
        text = report_markdown(read_report(path), pictures="results/") + "\n" if path.is_file() else block[3]
        return f"{block[1]}{text}{block[4]}"

    return BLOCK.sub(fill, page)


if __name__ == "__main__":
    for page in PAGES:
        write_atomically(page, quoted(page.read_text(encoding="utf-8")).encode("utf-8"))
