"""Put the soak's results into docs/files.md, between its two markers."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
PAGE = ROOT / "docs" / "files.md"
RESULTS = ROOT / "soak" / "results"
BLOCK = re.compile(r"(<!-- soak results -->\n).*?(<!-- end of soak results -->)", re.DOTALL)


def table() -> str:
    """Return the fuzzing results as a Markdown table."""
    lines = [
        "| damaged inputs | number | read | refused with a clear error | failures | slowest | most memory |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for path in sorted(RESULTS.glob("mutated-*.json")):
        result = json.loads(path.read_text())
        refused = sum(result["rejected"].values())
        name = path.stem.removeprefix("mutated-").upper()
        lines.append(
            f"| {name} | {result['inputs']:,} | {result['accepted']:,} | {refused:,} | "
            f"{len(result['failures'])} | {result['slowest_s']:.2f} s | {result['peak_mb']:.0f} MB |"
        )
    return "\n".join(lines) + "\n"


def quoted(page: str) -> str:
    return BLOCK.sub(lambda match: match[1] + table() + match[2], page)


if __name__ == "__main__":
    page = PAGE.read_text()
    if "--check" in sys.argv:
        sys.exit(0 if quoted(page) == page else "docs/files.md does not quote soak/results; run tools/quote_soak.py")
    PAGE.write_text(quoted(page))
