"""Write the tables of docs/which_planner.md from what `which_planner` measured."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

RESULTS = Path(__file__).parent / "results" / "which_planner.json"
PAGE = Path(__file__).parent.parent.parent / "docs" / "which_planner.md"
BLOCK = re.compile(r"(<!-- which planner: (\S+) -->\n).*?(<!-- end of which planner -->)", re.DOTALL)
BUSY = 1.0  # load for each processor, from which on others were at work


def setting(results: dict[str, Any]) -> str:
    """Say what was asked, where, and how busy the machine was."""
    asked, load = results["queries"], max(results["load"])
    busy = "busy with other things" if load > BUSY * results["processors"] else "not busy with other things"
    return (
        f"{asked['all']} queries: up to {asked['of_cast']} of the cast of each of {asked['scenes']} shipped scenes "
        f"with people, each as if alone, and {asked['random_each']} random starts and goals (seed {asked['seed']}) in "
        f"each of {', '.join(asked['random_scenes'])}. *Found* counts those that some planner solves. Python "
        f"{results['python']} on {results['machine']}, one core; the load was {load:g} on {results['processors']} "
        f"processors, so the machine was {busy}. It took {results['minutes']:.0f} minutes.\n"
    )


def planners(results: dict[str, Any]) -> str:
    lines = [
        "| planner | found | new goal: median | 95 % | times as fast as A* | scene just loaded | the same again "
        "| cost by A*'s | worst | memory |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for name, one in results["planners"].items():
        memory = " + ".join(f"{one[key]:.0f} MB" for key in ("tree_mb", "search_mb") if one[key] > 0.0)
        lines.append(
            f"| {name} | {one['found']} of {one['of']} | {one['median_ms']:.1f} ms | {one['p95_ms']:,.0f} ms | "
            f"{one['times_faster']:.1f} | {one['new_world_ms']:.1f} ms | {one['again_ms']:.1f} ms | "
            f"{one['cost_mean']:.2f} | {one['cost_worst']:.2f} | {memory} |"
        )
    alone = results["alone"]
    lines.append(
        f"| crowd, alone in it | {alone['found']} of {alone['of']} | {alone['frame_us']:.0f} µs a frame | | | | | "
        f"{alone['cost_mean']:.2f} | {alone['cost_worst']:.2f} | below |"
    )
    worst = {name: one["cost_worst_in"] for name, one in results["planners"].items() if one["cost_worst"] > 2.0}
    where = "; ".join(f"{name} in `{query}`" for name, query in worst.items())
    back = results["planners"]["the same with the fallback"]["fell_back"]
    told = f"The fallback went on in {back} queries, those that nobody solves included. Worst costs above 2: {where}."
    return "\n".join((*lines, "", told, ""))


def growing(results: dict[str, Any]) -> str:
    times = results["growing"]
    told = ", ".join(f"{name} {seconds:.1f} s" for name, seconds in times.items())
    return f"Growing 500,000 nodes for the whole human, once: {told}.\n"


def crossing(results: dict[str, Any]) -> str:
    lines = [
        "| way | arrive | planned in, all | each | each and frame | they take, mean | slowest |",
        "|---|--:|--:|--:|--:|--:|--:|",
    ]
    for name, one in results["crossing"].items():
        lines.append(
            f"| {name} | {one['arrived']} of {one['of']} | {one['planned_s']:.2f} s | {one['each_ms']:.1f} ms | "
            f"{one['frame_us']:.1f} µs | {one['mean_s']:.1f} s | {one['last_s']:.1f} s |"
        )
    return "\n".join(lines) + "\n"


def frames(results: dict[str, Any]) -> str:
    lines = [
        "| crowd | characters | a frame | each | state of each | opening the world |",
        "|---|--:|--:|--:|--:|--:|",
    ]
    for name, one in results["frames"].items():
        lines.append(
            f"| {name} | {one['characters']:,} | {one['frame_ms']:.2f} ms | {one['each_us']:.2f} µs | "
            f"{one['bytes_each']:,.0f} bytes | {one['set_up_ms']:.0f} ms |"
        )
    return "\n".join(lines) + "\n"


TABLES = {"setting": setting, "planners": planners, "growing": growing, "crossing": crossing, "frames": frames}


def quoted(page: str, results: dict[str, Any]) -> str:
    """Return a page with every block filled from results."""
    return BLOCK.sub(lambda match: match[1] + TABLES[match[2]](results) + match[3], page)


def main() -> None:
    PAGE.write_text(quoted(PAGE.read_text(encoding="utf-8"), json.loads(RESULTS.read_text())), encoding="utf-8")


if __name__ == "__main__":
    main()
