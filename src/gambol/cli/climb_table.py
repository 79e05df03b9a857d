"""The table of climbers."""

from __future__ import annotations

from rich.console import Console, RenderableType
from rich.markup import escape
from rich.table import Table

from gambol.search.plan import Outcome
from gambol.stages.climbs import Climbed, ClimbPerformance
from gambol.stages.performance import Performance


def show_climbs(console: Console, performance: Performance) -> None:
    """Print a table of the climbers, and the modes of each in their order."""
    assert isinstance(performance, ClimbPerformance)
    console.print(_table(performance))
    for climbed in performance.climbs:
        if climbed.itinerary is not None:
            console.print(escape(f"{climbed.name}: {_modes(climbed)}"))


def _modes(climbed: Climbed) -> str:
    """Say in which modes someone goes, and for how long."""
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
