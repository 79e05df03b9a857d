"""What the soak found, in Markdown: a function for each block that a page of the docs may ask for."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from statistics import median
from typing import Any

BENCHMARKS = Path(__file__).parent.parent / "docs" / "benchmarks.md"

Result = dict[str, Any]  # of a job
Results = dict[str, Result]  # of several jobs, by the ends of their names
Row = dict[str, Any]


def damaged_files(results: Results) -> str:
    """Return the fuzzing results as a Markdown table."""
    return table(
        "damaged inputs | number | read | refused with a clear error | failures | slowest | most memory",
        (
            f"{name.upper()} | {result['inputs']:,} | {result['accepted']:,} | {sum(result['rejected'].values()):,} "
            f"| {len(result['failures'])} | {result['slowest_s']:.2f} s | {result['peak_mb']:.0f} MB"
            for name, result in results.items()
        ),
    )


def sequences(results: Results) -> str:
    """Return what random sequences of behaviors measured, worst of all, as a Markdown table."""
    rows = []
    for measure in dict.fromkeys(measure for result in results.values() for measure in result["worst"]):
        limited = [name for name, result in results.items() if measure in result["limits"]]
        limit = f"{results[limited[0]]['limits'][measure]}" if limited else ""
        if limited and len(limited) < len(results):
            limit += f" ({', '.join(limited)})"
        values = [f"{r['worst'][measure]:.3g}" if measure in r["worst"] else "" for r in results.values()]
        rows.append(" | ".join((measure, *values, limit)))
    counts = [f"{name}, {result['inputs']:,}" for name, result in results.items()]
    found = table(" | ".join(("worst of all sequences", *counts, "limit")), rows)
    for name, result in results.items():
        if "plain_slide_mean_cm_s" in result.get("mean", {}):
            ours, plain = result["mean"]["slide_mean_cm_s"], result["mean"]["plain_slide_mean_cm_s"]
            found += (
                f"\n{name}: planted feet slide {ours:.2f} cm/s on average over all sequences, "
                f"{plain:.2f} cm/s with plain blending: {ours / plain:.0%}.\n"
            )
    return found


def random_scenes(results: Results) -> str:
    """Return what random scenes showed, as a Markdown table."""
    rows = []
    for name, result in results.items():
        if not result["finished"]:
            continue
        counts = result["counts"]
        found = counts.get("characters_found", 0) / counts["characters"]
        rows.append(
            f"{name} | {result['inputs']:,} | {result['accepted'] / result['inputs']:.0%} "
            f"| {found:.0%} of {counts['characters']:,} | {counts.get('collisions', 0)} | {counts.get('touches', 0)} "
            f"| {counts.get('illegal_transitions', 0)} | {counts.get('run_over_without_a_plan', 0)}"
        )
    columns = (
        "random scenes | number | all arrive | characters that arrive | collisions | touches | illegal transitions "
        "| run over at a start without a way out"
    )
    return table(columns, rows) if rows else ""


def shipped_scenes(result: Result) -> str:
    """Return what became of every scene that ships, as a Markdown table."""
    return table(
        "scene | arrive | expansions | planned in, each | lasts | collisions | touches",
        (
            f"{name} | {row['found']} of {row['characters']} | {row['expansions']:,} "
            f"| {_duration(row['plan_s_each'])} | {row['duration_s']:.1f} s | {row['collisions']} | {row['touches']}"
            for name, row in sorted(result["rows"].items())
        ),
    )


def terrain(result: Result) -> str:
    """Return how feet stand on the ground of the hilly scenes, as a Markdown table."""
    return table(
        "worst of a scene | planted points off the ground | soles off the slope | swinging feet in the ground",
        (
            f"{name} | {10.0 * row['height_error_cm']:.2f} mm | {row['tilt_deg']:.2f}° "
            f"| {10.0 * row['swing_depth_cm']:.2f} mm"
            for name, row in sorted(result["rows"].items())
            if "height_error_cm" in row
        ),
    )


#: Scenes after LK05's, and what section 4 of the paper says of them.
LK05 = {
    "falling-tree": ("three people, a tree that falls", "under 1 s for about 10 s"),
    "skateboarder": ("a skateboarder and a hook", "about 1 s for 20 s"),
    "horses": ("three horses among movers", "about 0.5 s for 16 s"),
    "crossing": ("one hundred people", "about 4 s for 40 s"),
}


def beside_lk05(result: Result) -> str:
    """Return LK05's planning times beside ours, for each character, as a Markdown table."""
    rows = []
    for name, (what, published) in LK05.items():
        if (row := result["rows"].get(name)) is not None:
            ours = f"{_duration(row['plan_s_each'])} for up to {row['duration_s']:.0f} s"
            rows.append(f"{what} (`{name}`) | {published} | {ours}")
    database = re.compile(r"^\| a database of ([\d,]+) clips, [^|]*\| ([^|]+) \| ([^|]+) \|", re.MULTILINE)
    if (found := database.search(BENCHMARKS.read_text())) is not None:
        clips, large, small = found.groups()
        rows.append(f"a database of {clips} clips | 2 s become 4 s | {small} become {large}")
    return table("scene | LK05 | Gambol", rows, numbers=False)


def optimality(result: Result) -> str:
    """Return how the search compares with brute force, as a sentence."""
    counts = result["counts"]
    return (
        f"Of {result['inputs']:,} random small problems brute force solves {counts['brute force: solved']:,}, proves "
        f"{counts['brute force: no plan']:,} to have no plan and leaves {counts['brute force: undecided']:,} "
        f"undecided; {len(result['failures'])} disagree with the search, and no bound is exceeded by any of "
        f"{len(result['variants'])} variants. With the table of states "
        f"{counts['table: dearer than the best']:,} plans are dearer than the best.\n"
    )


def search_variants(result: Result) -> str:
    """Return the three searches of LK05 section 4, the paper's scene beside the mean of ours, as a Markdown table."""
    ours = result["mean"]
    truncated = f"truncated ({result['open_nodes_kept']:,} open nodes kept)"
    published = {"astar": ("A*", "2,241"), "truncated": (truncated, "1,977"), "inflated": ("inflated", "1,421")}
    return table(
        f"mean of {result['inputs']} scenes | nodes | expansions | cost | time | LK05, one scene",
        (
            f"{name} | {ours[f'{key}_nodes']:,.0f} | {ours[f'{key}_expansions']:,.0f} | {ours[f'{key}_cost']:.2f} "
            f"| {_duration(ours[f'{key}_ms'] / 1000.0)} | {nodes} nodes, under 0.4 s"
            for key, (name, nodes) in published.items()
        ),
    )


def table_loss(result: Result) -> str:
    """Return what the table of visited states costs the human, as a sentence."""
    ours, worst = result["mean"], result["worst"]
    return (
        f"On {result['inputs']} short scenes of the human the table of states makes plans {ours['loss']:.2%} dearer "
        f"than the best on average and {worst['loss']:.1%} at most, with {ours['table_expansions']:,.0f} expansions in "
        f"place of {ours['exact_expansions']:,.0f}.\n"
    )


def tree_look_ups(result: Result) -> str:
    """Return how look-ups compare with going through all of a tree, as a sentence."""
    found = sum(count for what, count in result["counts"].items() if what.endswith(": found"))
    return (
        f"In {result['inputs']:,} small random trees of {len(result['builders'])} builders, worlds and queries, with "
        f"hills, movers, annotated obstacles, other weights and other cells among them, {found:,} have an answer by "
        f"brute force over all paths; {len(result['failures'])} look-ups disagree with it.\n"
    )


def tree_scenes(results: Results) -> str:
    """Return what trees make of the scenes that ship, as Markdown tables."""
    parts = []
    for cast, whose in (("", "their own casts"), ("-cmu-108", "CMU subject 108 in place of humans")):
        if cast not in results or not results[cast]["finished"]:
            continue
        rows = (
            f"{name} | {row['alone']} of {row['characters']} | {row['fallback']} of {row['characters']} "
            f"| {row['search']} of {row['characters']} | {row['alone_look_ups']:,} | {_cost(row, 'alone')} "
            f"| {_cost(row, 'search')}"
            for name, row in sorted(results[cast]["rows"].items())
        )
        ways = "trees alone | with the fallback | search | look-ups | cost, trees alone | cost, search"
        parts.append(table(f"scenes with {whose} | {ways}", rows))
    return "\n".join(parts)


def crowd_scenes(result: Result) -> str:
    """Return how crowds fared that are judged in slices, as a Markdown table."""
    lines = []
    for name, rows in _courses(result).items():
        last = rows[-1]
        hits = [end - begin for row in rows for _, _, begin, end in row["hit"]]
        longest = f"{max(hits):.2f} s" if hits else "–"
        lines.append(
            f"{name} | {max(row['present'] for row in rows):,} | {last['until_s'] / 60.0:.0f} "
            f"| {_sum(rows, 'touches')} | {_sum(rows, 'collisions')} | {len(hits)} | {longest} "
            f"| {_sum(rows, 'arrivals'):,} | {last['arrived']:,} of {last['reachable']:,} "
            f"| {last['stand_p99_s']:.0f} s | {last['longest_stand_s']:.0f} s | {last['mean_speed_m_s']:.2f} m/s "
            f"| {median(row['ms'] for row in rows):.2f} ms"
        )
    return table(
        "crowd | characters | minutes | touches | collisions | hits by edits | longest hit | goals reached "
        "| who could arrived | stands: 99th percentile | longest | mean speed | a frame",
        lines,
    )


def crowd_hour(result: Result) -> str:
    """Return how a crowd fared in an hour, and its first and last ten minutes beside each other."""
    rows = [row for _, row in sorted(result["rows"].items())]
    ten = max(len(rows) // 6, 1)
    parts = [(begin, rows[begin : begin + ten]) for begin in range(0, len(rows), ten)]
    minutes = table(
        "minutes | a frame | at the 95th percentile | resident",
        (
            f"{begin + 1} to {begin + len(some)} | {_mean(some, 'ms'):.2f} ms | {_mean(some, 'ms_p95'):.2f} ms "
            f"| {some[-1]['resident_mb']:,.0f} MB"
            for begin, some in parts
        ),
    )
    return crowd_scenes(result) + "\n" + minutes


def crowd_regions(results: Results) -> str:
    """Return what was found in crowds that are split in space, as a Markdown table."""
    lines = []
    for result in sorted((one for one in results.values() if one["finished"]), key=lambda one: -one["people"]):
        rows, counts = [row for _, row in sorted(result["rows"].items())], result["counts"]
        ghosts = sum(sum(row["ghosts"]) for row in rows) / len(rows)
        held = [max(row["resident_mb"][1:]) for row in (rows[0], rows[-1])]
        lines.append(
            f"{result['people']:,} | {result['regions']} | {result['seconds_simulated'] / 60.0:g} "
            f"| {counts['frames']:,} | {counts['touches']} | {counts['collisions']} | {counts['illegal_transitions']} "
            f"| {counts['handed_over']:,} | {ghosts:,.0f} | {counts['arrivals']:,} | {held[0]:,.0f}, {held[1]:,.0f} MB"
        )
    columns = (
        "characters | Ray actors | minutes | frames judged | touches | collisions | illegal transitions "
        "| borders crossed | ghosts at a time | goals reached | an actor holds at most: first minute, last"
    )
    return table(columns, lines) if lines else ""


def bake_survival(result: Result) -> str:
    """Return what bakes went through and what came of it, as a Markdown table."""
    rows, full = result["rows"], result["rows"]["disks that are full"]
    pool, ray = rows["pool"], rows["ray"]
    lines = [
        f"{pool['tasks']} tasks in a pool, and by Ray, {result['workers']} workers each "
        f"| the same {pool['files']:,} and {ray['files']:,} files, byte for byte"
    ]
    for engine in ("the pool", "ray"):
        row = rows[f"workers killed on {engine}"]
        name = engine.removeprefix("the ")
        lines.append(
            f"{row['workers_killed']} workers killed at random ({name}, {row['tasks']} tasks) | the same files"
        )
    for engine in ("the pool", "ray"):
        row = rows[f"driver killed on {engine}"]
        lines.append(
            f"the driver killed {row['kills']} times at random and started again ({engine.removeprefix('the ')}, "
            f"{row['tasks']} tasks) | nothing lost, repeated or half there; the same files; all processes gone after "
            f"{row['all_gone_after_s']:g} s"
        )
    sizes = ", ".join(size for size in full if size != "seconds")
    lines.append(f"disks that get full ({sizes}) | told; what was done is kept; with room the same files")
    lines.append("a read-only disk | told; nothing changed")
    lines.append("a pool and Ray at once in one folder | the same files")
    return table("what happened | what came of it", lines, numbers=False)


def view_browsers(result: Result) -> str:
    """Return what a viewer held while browsers came and went, as a Markdown table."""
    (scene, row) = next(iter(result["rows"].items()))
    held = ("memory_mb", "threads", "files", "messages", "browsers")
    lines = (" | ".join(f"{row[name][look]:g}" for name in held) for look in range(len(row["memory_mb"])))
    told = f"{row['visits']} visits of at most three browsers to `{scene}` in {result['minutes']:g} minutes:\n\n"
    return told + table("memory, MB | threads | open files | messages kept | browsers known", lines)


def variation_crowd(result: Result) -> str:
    """Return how often joggers repeat each other with five clips and with 37, as a Markdown table."""
    rows: dict[tuple[str, str], list[Row]] = {}
    for name, row in result["rows"].items():
        run, clips = name.split(", ")
        rows.setdefault((run.split()[0], clips), []).append(row)
    ways = {"tree": f"groups of {result['group']}, by look-up", "crowd": f"crowds of {result['people']}"}
    lines = []
    for (way, clips), listed in sorted(rows.items(), key=lambda one: (one[0][0], len(one[0][1]))):
        repeats = [row["repeats"] for row in listed]
        begun, repeating = (sum(one[key] for one in repeats) for key in ("clips_begun", "repeating"))
        shares = [f"{one['share']:.1%}" for one in repeats]
        lines.append(
            f"{ways[way]} | {clips} | {len(listed)} | {begun:,} | {repeating:,} | {repeating / begun:.1%} "
            f"| {min(shares, key=_percent)} to {max(shares, key=_percent)}"
        )
    columns = "run | jogs | runs | clips begun | repeats | share | from run to run"
    clean = (
        f"{result['accepted']} of {result['inputs']} pairs of runs are clean: no touches, no collisions, exact trees."
    )
    return table(columns, lines) + f"\n{clean}\n"


def crowd_drops(result: Result) -> str:
    """Return how soon people are out of what is dropped onto them, as a Markdown table."""
    lines = []
    for name, rows in _courses(result).items():
        times = sorted(end - begin for row in rows for _, _, begin, end in row["hit"])
        if not times:
            continue
        soon = sum(seconds <= 2.0 for seconds in times) / len(times)
        lines.append(
            f"{name.partition(',')[0]} | {max(row['present'] for row in rows):,} | {rows[-1]['edits']['drop']:,} "
            f"| {len(times):,} | {soon:.1%} | {times[len(times) // 2]:.2f} s "
            f"| {times[int(0.99 * (len(times) - 1))]:.2f} s | {times[-1]:.2f} s "
            f"| {_sum(rows, 'touches')} | {_sum(rows, 'collisions')}"
        )
    return table(
        "crowd | characters | crates dropped | people hit | out within 2 s | median | 99th percentile | longest "
        "| touches | collisions",
        lines,
    )


def crowd_doorways(result: Result) -> str:
    """Return how long doorways and a crossing take over many seeds, as a Markdown table."""
    lines = []
    for scene in result["limits_s"]:
        rows = [row for name, row in sorted(result["rows"].items()) if name.startswith(f"{scene}, seed")]
        times = sorted(row["all_through_s"] for row in rows if row["all_through_s"] is not None)
        middle = f"{times[len(times) // 2]:.0f} s" if times else "–"
        slowest = f"{times[-1]:.0f} s" if len(times) == len(rows) else f"not all in {len(rows) - len(times)} runs"
        lines.append(
            f"{scene} | {len(rows)} | {_sum(rows, 'arrived'):,} of {_sum(rows, 'characters'):,} | {middle} "
            f"| {slowest} | {max(row['stand_p99_s'] for row in rows):.0f} s "
            f"| {max(row['longest_stand_s'] for row in rows):.0f} s | {_mean(rows, 'mean_speed_m_s'):.2f} m/s"
        )
    return table(
        "scene | seeds | arrive | all through: median | slowest | stands: 99th percentile | longest | mean speed", lines
    )


def crowd_arrivals(result: Result) -> str:
    """Return how long it takes until all have arrived once edits have ceased, as a Markdown table."""
    lines = []
    for scene in result["limits_s"]:
        rows = [row for name, row in sorted(result["rows"].items()) if name.startswith(f"{scene}, seed")]
        late = [row["lasted_s"] - result["edited_s"] for row in rows]
        lines.append(
            f"{scene} | {len(rows)} | {_sum(rows, 'edits'):,} | {_sum(rows, 'arrived'):,} of "
            f"{_sum(rows, 'characters'):,} | {max(late):.0f} s | {max(row['longest_stand_s'] for row in rows):.0f} s"
        )
    return table("scene | seeds | edits | arrived | after the last edit, at most | longest stand", lines)


def crowd_density(result: Result) -> str:
    """Return how a crowd flows by its density, as a Markdown table."""
    alone = result["rows"]["alone"]["mean_speed_m_s"]
    return table(
        "per m² | characters | mean speed | of unhindered | arrivals a minute | for each | stands: 99th percentile "
        "| longest | a frame | touches",
        (
            f"{name} | {row['characters']:,} | {row['mean_speed_m_s']:.2f} m/s "
            f"| {row['mean_speed_m_s'] / alone:.0%} | {row['arrivals_per_minute']:.0f} "
            f"| {row['arrivals_per_minute_each']:.2f} | {row['stand_p99_s']:.0f} s | {row['longest_stand_s']:.0f} s "
            f"| {row['ms']:.2f} ms | {row['touches'] + row['collisions']}"
            for name, row in sorted(result["rows"].items(), key=lambda one: one[1]["characters"])
        ),
    )


def _cost(row: Row, way: str) -> str:
    """Return what a scene's plans cost together; sums over fewer characters are not compared."""
    return f"{row[f'{way}_cost']:.1f}" if row[way] == row["characters"] else "–"


def _percent(text: str) -> float:
    return float(text.rstrip("%"))


def table(columns: str, rows: Iterable[str], *, numbers: bool = True) -> str:
    """Return a table; " | " is between the cells of its columns and rows.

    numbers: all columns but the first are of numbers.
    """
    others = "--:|" if numbers else "---|"
    lines = [f"| {columns} |", "|---|" + others * columns.count(" | "), *(f"| {row} |" for row in rows)]
    return "\n".join(lines) + "\n"


def _courses(result: Result) -> dict[str, list[Row]]:
    """Return the rows of each crowd: their names are all but what follows the last comma in a row's."""
    found: dict[str, list[Row]] = {}
    for name, row in sorted(result["rows"].items()):
        found.setdefault(name.rpartition(", ")[0], []).append(row)
    return found


def _sum(rows: list[Row], name: str) -> int:
    return sum(row[name] for row in rows)


def _mean(rows: list[Row], name: str) -> float:
    return sum(row[name] for row in rows) / len(rows)


def _duration(seconds: float) -> str:
    if seconds >= 1.0:
        return f"{seconds:.1f} s"
    return f"{1000.0 * seconds:.{0 if seconds >= 0.01 else 1}f} ms"
