"""Put the soak's results into the docs: wherever a page asks for a table, between two markers."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
RESULTS = ROOT / "soak" / "results"
BENCHMARKS = ROOT / "docs" / "benchmarks.md"
BLOCK = re.compile(r"(<!-- soak results: (\S+) -->\n).*?(<!-- end of soak results -->)", re.DOTALL)


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


def shipped_scenes() -> str:
    """Return what became of every scene that ships, as a Markdown table."""
    result = _result("shipped-scenes")
    if result is None:
        return ""
    lines = [
        "| scene | arrive | expansions | planned in, each | lasts | collisions | touches |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, row in sorted(result["rows"].items()):
        lines.append(
            f"| {name} | {row['found']} of {row['characters']} | {row['expansions']:,} "
            f"| {_duration(row['plan_s_each'])} | {row['duration_s']:.1f} s | {row['collisions']} | {row['touches']} |"
        )
    return "\n".join(lines) + "\n"


def terrain() -> str:
    """Return how feet stand on the ground of the hilly scenes, as a Markdown table."""
    result = _result("shipped-scenes")
    if result is None:
        return ""
    lines = [
        "| worst of a scene | planted points off the ground | soles off the slope | swinging feet in the ground |",
        "|---|--:|--:|--:|",
    ]
    for name, row in sorted(result["rows"].items()):
        if "height_error_cm" in row:
            lines.append(
                f"| {name} | {10.0 * row['height_error_cm']:.2f} mm | {row['tilt_deg']:.2f}° "
                f"| {10.0 * row['swing_depth_cm']:.2f} mm |"
            )
    return "\n".join(lines) + "\n"


#: Scenes after LK05's, and what section 4 of the paper says of them.
LK05 = {
    "falling-tree": ("three people, a tree that falls", "under 1 s for about 10 s"),
    "skateboarder": ("a skateboarder and a hook", "about 1 s for 20 s"),
    "horses": ("three horses among movers", "about 0.5 s for 16 s"),
    "crossing": ("one hundred people", "about 4 s for 40 s"),
}


def beside_lk05() -> str:
    """Return LK05's planning times beside ours, for each character, as a Markdown table."""
    result = _result("shipped-scenes")
    if result is None:
        return ""
    lines = ["| scene | LK05 | Gambol |", "|---|---|---|"]
    for name, (what, published) in LK05.items():
        if name in result["rows"]:
            row = result["rows"][name]
            ours = f"{_duration(row['plan_s_each'])} for up to {row['duration_s']:.0f} s"
            lines.append(f"| {what} (`{name}`) | {published} | {ours} |")
    database = re.search(
        r"^\| a database of ([\d,]+) clips, [^|]*\| ([^|]+) \| ([^|]+) \|", BENCHMARKS.read_text(), re.M
    )
    if database is not None:
        clips, large, small = database.groups()
        lines.append(f"| a database of {clips} clips | 2 s become 4 s | {small} become {large} |")
    return "\n".join(lines) + "\n"


def random_scenes() -> str:
    """Return what random scenes showed, as a Markdown table."""
    stems = [path.stem for path in sorted(RESULTS.glob("random-scenes-*.json"))]
    results = {stem: result for stem in stems if (result := _result(stem)) is not None}
    if not results:
        return ""
    lines = [
        "| random scenes | number | all arrive | characters that arrive | collisions | touches | illegal transitions "
        "| run over at a start without a way out |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for stem, result in results.items():
        counts = result["counts"]
        found = counts.get("characters_found", 0) / counts["characters"]
        lines.append(
            f"| {stem.removeprefix('random-scenes-')} | {result['inputs']:,} "
            f"| {result['accepted'] / result['inputs']:.0%} "
            f"| {found:.0%} of {counts['characters']:,} | {counts.get('collisions', 0)} | {counts.get('touches', 0)} "
            f"| {counts.get('illegal_transitions', 0)} | {counts.get('run_over_without_a_plan', 0)} |"
        )
    return "\n".join(lines) + "\n"


def optimality() -> str:
    """Return how the search compares with brute force, as a sentence."""
    result = _result("planner-optimality")
    if result is None:
        return ""
    counts = result["counts"]
    return (
        f"Of {result['inputs']:,} random small problems brute force solves {counts['brute force: solved']:,}, proves "
        f"{counts['brute force: no plan']:,} to have no plan and leaves {counts['brute force: undecided']:,} "
        f"undecided; {len(result['failures'])} disagree with the search, and no bound is exceeded by any of "
        f"{len(result['variants'])} variants. With the table of states "
        f"{counts['table: dearer than the best']:,} plans are dearer than the best.\n"
    )


def search_variants() -> str:
    """Return the three searches of LK05 section 4, the paper's scene beside the mean of ours, as a Markdown table."""
    result = _result("search-variants")
    if result is None:
        return ""
    mean = result["mean"]
    lines = [
        f"| mean of {result['inputs']} scenes | nodes | expansions | cost | time | LK05, one scene |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    published = {"astar": ("A*", "2,241"), "truncated": ("truncated", "1,977"), "inflated": ("inflated", "1,421")}
    for key, (name, nodes) in published.items():
        if key == "truncated":
            name += f" ({result['open_nodes_kept']:,} open nodes kept)"
        lines.append(
            f"| {name} | {mean[f'{key}_nodes']:,.0f} | {mean[f'{key}_expansions']:,.0f} | {mean[f'{key}_cost']:.2f} "
            f"| {_duration(mean[f'{key}_ms'] / 1000.0)} | {nodes} nodes, under 0.4 s |"
        )
    return "\n".join(lines) + "\n"


def table_loss() -> str:
    """Return what the table of visited states costs the human, as a sentence."""
    result = _result("table-loss")
    if result is None:
        return ""
    mean, worst = result["mean"], result["worst"]
    return (
        f"On {result['inputs']} short scenes of the human the table of states makes plans {mean['loss']:.2%} dearer "
        f"than the best on average and {worst['loss']:.1%} at most, with {mean['table_expansions']:,.0f} expansions in "
        f"place of {mean['exact_expansions']:,.0f}.\n"
    )


def tree_look_ups() -> str:
    """Return how look-ups compare with going through all of a tree, as a sentence."""
    result = _result("tree-look-ups")
    if result is None:
        return ""
    found = sum(count for what, count in result["counts"].items() if what.endswith(": found"))
    return (
        f"In {result['inputs']:,} small random trees of {len(result['builders'])} builders, worlds and queries, with "
        f"hills, movers, annotated obstacles, other weights and other cells among them, {found:,} have an answer by "
        f"brute force over all paths; {len(result['failures'])} look-ups disagree with it.\n"
    )


def tree_scenes() -> str:
    """Return what trees make of the scenes that ship, as Markdown tables."""
    parts: list[str] = []
    for job, whose in (
        ("tree-scenes", "their own casts"),
        ("tree-scenes-cmu-108", "CMU subject 108 in place of humans"),
    ):
        result = _result(job)
        if result is None:
            continue
        lines = [
            f"| scenes with {whose} | trees alone | with the fallback | search | look-ups | cost, trees alone "
            "| cost, search |",
            "|---|--:|--:|--:|--:|--:|--:|",
        ]
        for name, row in sorted(result["rows"].items()):
            count = row["characters"]
            lines.append(
                f"| {name} | {row['alone']} of {count} | {row['fallback']} of {count} | {row['search']} of {count} "
                f"| {row['alone_look_ups']:,} | {_cost(row, 'alone')} | {_cost(row, 'search')} |"
            )
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


def crowd_scenes() -> str:
    """Return how the crowds that ship fared, left alone and edited, as a Markdown table."""
    return _crowd_courses("crowd-scenes")


def crowd_hour() -> str:
    """Return how a crowd fared in an hour, and its first and last ten minutes beside each other."""
    result = _result("crowd-hour")
    if result is None:
        return ""
    rows = [row for _, row in sorted(result["rows"].items())]
    ten = max(len(rows) // 6, 1)
    lines = ["| minutes | a frame | at the 95th percentile | resident |", "|---|--:|--:|--:|"]
    for begin in range(0, len(rows), ten):
        some = rows[begin : begin + ten]
        lines.append(
            f"| {begin + 1} to {begin + len(some)} | {_mean(some, 'ms'):.2f} ms | {_mean(some, 'ms_p95'):.2f} ms "
            f"| {some[-1]['resident_mb']:,.0f} MB |"
        )
    return _crowd_courses("crowd-hour") + "\n" + "\n".join(lines) + "\n"


def crowd_drops() -> str:
    """Return how soon people are out of what is dropped onto them, as a Markdown table."""
    result = _result("crowd-drops")
    if result is None:
        return ""
    courses: dict[str, list[dict[str, Any]]] = {}
    for name, row in sorted(result["rows"].items()):
        courses.setdefault(name.partition(",")[0], []).append(row)
    lines = [
        "| crowd | characters | crates dropped | people hit | out within 2 s | median | 99th percentile | longest "
        "| touches | collisions |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, rows in courses.items():
        times = sorted(end - begin for row in rows for _, _, begin, end in row["hit"])
        if not times:
            continue
        soon = sum(seconds <= 2.0 for seconds in times) / len(times)
        lines.append(
            f"| {name} | {max(row['present'] for row in rows):,} | {rows[-1]['edits']['drop']:,} | {len(times):,} "
            f"| {soon:.1%} | {times[len(times) // 2]:.2f} s | {times[int(0.99 * (len(times) - 1))]:.2f} s "
            f"| {times[-1]:.2f} s | {_sum(rows, 'touches')} | {_sum(rows, 'collisions')} |"
        )
    return "\n".join(lines) + "\n"


def crowd_doorways() -> str:
    """Return how long doorways and a crossing take over many seeds, as a Markdown table."""
    result = _result("crowd-doorways")
    if result is None:
        return ""
    lines = [
        "| scene | seeds | arrive | all through: median | slowest | stands: 99th percentile | longest | mean speed |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for scene in result["limits_s"]:
        rows = [row for name, row in sorted(result["rows"].items()) if name.startswith(f"{scene}, seed")]
        times = sorted(row["all_through_s"] for row in rows if row["all_through_s"] is not None)
        middle = f"{times[len(times) // 2]:.0f} s" if times else "–"
        slowest = f"{times[-1]:.0f} s" if len(times) == len(rows) else f"not all in {len(rows) - len(times)} runs"
        lines.append(
            f"| {scene} | {len(rows)} | {_sum(rows, 'arrived'):,} of {_sum(rows, 'characters'):,} | {middle} "
            f"| {slowest} | {max(row['stand_p99_s'] for row in rows):.0f} s "
            f"| {max(row['longest_stand_s'] for row in rows):.0f} s | {_mean(rows, 'mean_speed_m_s'):.2f} m/s |"
        )
    return "\n".join(lines) + "\n"


def crowd_density() -> str:
    """Return how a crowd flows by its density, as a Markdown table."""
    result = _result("crowd-density")
    if result is None:
        return ""
    alone = result["rows"]["alone"]["mean_speed_m_s"]
    lines = [
        "| per m² | characters | mean speed | of unhindered | arrivals a minute | for each | stands: 99th percentile "
        "| longest | a frame | touches |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, row in sorted(result["rows"].items(), key=lambda one: one[1]["characters"]):
        lines.append(
            f"| {name} | {row['characters']:,} | {row['mean_speed_m_s']:.2f} m/s "
            f"| {row['mean_speed_m_s'] / alone:.0%} | {row['arrivals_per_minute']:.0f} "
            f"| {row['arrivals_per_minute_each']:.2f} | {row['stand_p99_s']:.0f} s | {row['longest_stand_s']:.0f} s "
            f"| {row['ms']:.2f} ms | {row['touches'] + row['collisions']} |"
        )
    return "\n".join(lines) + "\n"


def _crowd_courses(job: str) -> str:
    """Return a row for each crowd of a job that is judged in slices."""
    result = _result(job)
    if result is None:
        return ""
    courses: dict[str, list[dict[str, Any]]] = {}
    for name, row in sorted(result["rows"].items()):
        courses.setdefault(name.rpartition(", ")[0], []).append(row)
    lines = [
        "| crowd | characters | minutes | touches | collisions | hits by edits | longest hit | goals reached "
        "| who could arrived | stands: 99th percentile | longest | mean speed | a frame |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, rows in courses.items():
        last = rows[-1]
        hits = [hit for row in rows for hit in row["hit"]]
        longest = f"{max(end - begin for _, _, begin, end in hits):.2f} s" if hits else "–"
        lines.append(
            f"| {name} | {max(row['present'] for row in rows):,} | {last['until_s'] / 60.0:.0f} "
            f"| {_sum(rows, 'touches')} | {_sum(rows, 'collisions')} | {len(hits)} | {longest} "
            f"| {_sum(rows, 'arrivals'):,} | {last['arrived']:,} of {last['reachable']:,} "
            f"| {last['stand_p99_s']:.0f} s | {last['longest_stand_s']:.0f} s | {last['mean_speed_m_s']:.2f} m/s "
            f"| {_mean(rows, 'ms'):.2f} ms |"
        )
    return "\n".join(lines) + "\n"


def _sum(rows: list[dict[str, Any]], name: str) -> int:
    return sum(row[name] for row in rows)


def _mean(rows: list[dict[str, Any]], name: str) -> float:
    return sum(row[name] for row in rows) / len(rows)


BLOCKS = {
    "damaged-files": damaged_files,
    "sequences": sequences,
    "shipped-scenes": shipped_scenes,
    "terrain": terrain,
    "beside-lk05": beside_lk05,
    "random-scenes": random_scenes,
    "optimality": optimality,
    "search-variants": search_variants,
    "table-loss": table_loss,
    "tree-look-ups": tree_look_ups,
    "tree-scenes": tree_scenes,
    "crowd-scenes": crowd_scenes,
    "crowd-hour": crowd_hour,
    "crowd-drops": crowd_drops,
    "crowd-doorways": crowd_doorways,
    "crowd-density": crowd_density,
}


def _cost(row: dict[str, Any], way: str) -> str:
    """Return what a scene's plans cost together; sums over fewer characters are not compared."""
    return f"{row[f'{way}_cost']:.1f}" if row[way] == row["characters"] else "–"


def _result(job: str) -> dict[str, Any] | None:
    """Return what a job found, or None as long as it has not run to its end."""
    path = RESULTS / f"{job}.json"
    result = json.loads(path.read_text()) if path.is_file() else None
    return result if result is not None and result["finished"] else None


def _duration(seconds: float) -> str:
    if seconds >= 1.0:
        return f"{seconds:.1f} s"
    return f"{1000.0 * seconds:.{0 if seconds >= 0.01 else 1}f} ms"


def quoted(page: str) -> str:
    return BLOCK.sub(lambda match: match[1] + BLOCKS[match[2]]() + match[3], page)


def main() -> None:
    for path in sorted((ROOT / "docs").glob("*.md")):
        page = path.read_text()
        current = quoted(page)
        if "--check" in sys.argv and current != page:
            sys.exit(f"{path.name} does not quote soak/results; run tools/quote_soak.py")
        if current != page:
            path.write_text(current)


if __name__ == "__main__":
    main()
