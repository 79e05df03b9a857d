"""Put the soak's results into the docs, between their two markers."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "soak" / "results"
BLOCK = re.compile(r"(<!-- soak results -->\n).*?(<!-- end of soak results -->)", re.DOTALL)


def damaged_files() -> str:
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


def sequences() -> str:
    """Return what random sequences of behaviors measured, worst of all, as a Markdown table."""
    results = {path.stem: json.loads(path.read_text()) for path in sorted(RESULTS.glob("sequences-*.json"))}
    measures = list(dict.fromkeys(name for result in results.values() for name in result["worst"]))
    names = {stem: stem.removeprefix("sequences-") for stem in results}
    lines = [
        "| worst of all sequences | "
        + " | ".join(f"{names[stem]}, {results[stem]['inputs']:,}" for stem in results)
        + " | limit |",
        "|---|" + "--:|" * (len(results) + 1),
    ]
    for measure in measures:
        limited = [stem for stem, result in results.items() if measure in result["limits"]]
        limit = f"{results[limited[0]]['limits'][measure]}" if limited else ""
        if limited and len(limited) < len(results):
            limit += f" ({', '.join(names[stem] for stem in limited)})"
        values = [f"{r['worst'][measure]:.3g}" if measure in r["worst"] else "" for r in results.values()]
        lines.append(f"| {measure} | " + " | ".join(values) + f" | {limit} |")
    for stem, result in results.items():
        if "plain_slide_mean_cm_s" in result.get("mean", {}):
            ours, plain = result["mean"]["slide_mean_cm_s"], result["mean"]["plain_slide_mean_cm_s"]
            lines += ["", f"{names[stem]}: planted feet slide {ours:.2f} cm/s on average over all sequences, "
                          f"{plain:.2f} cm/s with plain blending: {ours / plain:.0%}."]  # fmt: skip
    return "\n".join(lines) + "\n"


PAGES = {ROOT / "docs" / "files.md": damaged_files, ROOT / "docs" / "character.md": sequences}


def quoted(page: str, table: str) -> str:
    return BLOCK.sub(lambda match: match[1] + table + match[2], page)


def main() -> None:
    for path, table in PAGES.items():
        page = path.read_text()
        current = quoted(page, table())
        if "--check" in sys.argv and current != page:
            sys.exit(f"{path.name} does not quote soak/results; run tools/quote_soak.py")
        if current != page:
            path.write_text(current)


if __name__ == "__main__":
    main()
