"""The result of a scene of climbers, as text and as JSON."""

from __future__ import annotations

from typing import Any

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.table import Table

from gambol.climb.itinerary import Itinerary
from gambol.deliver.plans import Delivery
from gambol.search.plan import Outcome
from gambol.stages.climbs import Climbed, ClimbPerformance


def climb_as_dict(performance: ClimbPerformance, delivery: Delivery) -> dict[str, Any]:
    """Return what `--json` prints."""
    check = performance.check
    return {
        "outcome": performance.outcome.value,
        "scene": performance.scene.name,
        "seed": performance.scene.seed,
        "characters": [_character(climbed) for climbed in performance.climbs],
        "check": None if check is None else check.to_json(),
        "files": [str(path) for path in delivery.files],
        "skipped": list(delivery.skipped),
        "timings": performance.timings._asdict(),
    }


def print_climbs(performance: ClimbPerformance) -> None:
    """Print a table of all climbers, their modes in order, and the findings of the check."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(_table(performance))
    for climbed in performance.climbs:
        if climbed.itinerary is not None:
            console.print(escape(f"{climbed.name}: {_modes(climbed)}"))
    for line in climb_trouble(performance):
        console.print(escape(line))
    check = performance.check
    if check is None:
        console.print("check: not made")
    elif check.is_clean:
        console.print(f"check: {check.summary()}")


def climb_trouble(performance: ClimbPerformance) -> list[str]:
    """Return a line for each climber that does not arrive, and all findings of the check."""
    climbs = performance.climbs
    lines = [f"{climbed.name}: {climbed.outcome.value}: {climbed.reason}" for climbed in climbs if not climbed.found]
    check = performance.check
    if check is not None and not check.is_clean:
        lines += [f"check: {check.summary()}", *(f"  {line}" for line in check.trouble())]
    return lines


def _character(climbed: Climbed) -> dict[str, Any]:
    climb, way = climbed.climb, climbed.itinerary
    return {
        "name": climbed.name,
        "outcome": climbed.outcome.value,
        "reason": climbed.reason,
        "cost": None,  # climbs have none
        "bound": None,
        "duration_s": climbed.duration_s,
        "plan_time_s": climb.plan_time_s,
        "smooth_time_s": climb.smooth_time_s,
        "expansions": climbed.expansions,
        "core": climb.core,
        "seed": climbed.seed,
        "modes": [] if way is None else _mode_rows(way),
        "grasps": 0 if way is None else len(way.points),
        "regrasps": 0 if way is None else way.regrasps,
        "statistics": climb.statistics,
    }


def _mode_rows(way: Itinerary) -> list[dict[str, Any]]:
    return [
        {"mode": span.mode.label, "from_s": way.seconds(span.first), "to_s": way.seconds(span.last)}
        for span in way.modes
    ]


def _modes(climbed: Climbed) -> str:
    """Return the modes of a climb and how long each lasts, as text."""
    way, motion = climbed.itinerary, climbed.motion
    assert way is not None
    assert motion is not None
    said = [f"{span.mode.label} {way.seconds(span.last - span.first + 1):.1f} s" for span in way.modes]
    before, after = way.first_frame, motion.frame_count - 1 - way.last_frame
    said = [f"approach {way.seconds(before):.1f} s"] * (before > 0) + said
    return ", ".join(said + [f"onward {way.seconds(after):.1f} s"] * (after > 0))


def _table(performance: ClimbPerformance) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in ("name", "outcome"):
        table.add_column(column, no_wrap=True)
    for column in ("lasts", "plan time", "smoothing", "tries", "grasps", "regrasps", "seed"):
        table.add_column(column, justify="right", no_wrap=True)
    for climbed in performance.climbs:
        table.add_row(escape(climbed.name), *_cells(climbed))
    return table


def _cells(climbed: Climbed) -> list[str]:
    color = {Outcome.FOUND: "green", Outcome.PARTIAL: "yellow", Outcome.OUT_OF_BUDGET: "yellow"}.get(
        climbed.outcome, "red"
    )
    way, climb = climbed.itinerary, climbed.climb
    lasts, grasps, regrasps = "", "", ""
    if way is not None:
        lasts, grasps, regrasps = f"{climbed.duration_s:.2f} s", str(len(way.points)), str(way.regrasps)
    return [
        f"[{color}]{climbed.outcome.value}[/]", lasts, f"{climb.plan_time_s:.2f} s", f"{climb.smooth_time_s:.2f} s",
        f"{climbed.expansions:,}", grasps, regrasps, str(climbed.seed),
    ]  # fmt: skip
