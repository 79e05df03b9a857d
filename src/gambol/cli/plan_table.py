"""The table of planned characters."""

from __future__ import annotations

import numpy as np
from rich.console import Console, RenderableType
from rich.markup import escape
from rich.table import Table

from gambol.search.plan import Outcome, Plan
from gambol.stages.performance import Performance
from gambol.stages.plans import PlanPerformance

MOST_ROWS = 30  # of a table with everyone in it


def show_plans(console: Console, performance: Performance) -> None:
    """Print a table of the characters: cost, duration and what planning took."""
    assert isinstance(performance, PlanPerformance)
    console.print(_table(performance))


def _plan_time_s(plan: Plan) -> float:
    return plan.statistics.setup_time_s + plan.statistics.time_s


def _table(performance: PlanPerformance) -> RenderableType:
    """Return everyone's numbers; of many only theirs who have no full plan, and the sums."""
    everyone = list(zip(performance.names, performance.plans, strict=True))
    shown = everyone if len(everyone) <= MOST_ROWS else [pair for pair in everyone if not pair[1].found]
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in ("name", "outcome"):
        table.add_column(column, no_wrap=True)
    plans = [plan for _, plan in everyone]
    looked_up = any(plan.statistics.look_ups for plan in plans)
    for column in ("cost", "bound", "lasts", "plan time", "expansions", *(["look-ups"] if looked_up else [])):
        table.add_column(column, justify="right", no_wrap=True)
    for name, plan in shown:
        table.add_row(escape(name), *_cells(plan), *_look_ups([plan], looked_up))
    if len(everyone) > 1:
        table.add_row(*_sums(plans), *_look_ups(plans, looked_up), style="bold")
    return table


def _look_ups(plans: list[Plan], shown: bool) -> list[str]:
    return [f"{sum(plan.statistics.look_ups for plan in plans):,}"] if shown else []


def _cells(plan: Plan) -> list[str]:
    color = {Outcome.FOUND: "green", Outcome.PARTIAL: "yellow", Outcome.OUT_OF_BUDGET: "yellow"}.get(
        plan.outcome, "red"
    )
    numbers = ["", "", ""]
    if plan.steps:
        bound = f"{plan.bound:.3f}" if np.isfinite(plan.bound) else "none"
        numbers = [f"{plan.cost:.2f}", bound, f"{plan.duration_s:.2f} s"]
    spent = _milliseconds(_plan_time_s(plan))
    return [f"[{color}]{plan.outcome.value}[/]", *numbers, spent, f"{plan.statistics.expansions:,}"]


def _sums(plans: list[Plan]) -> list[str]:
    found = sum(plan.found for plan in plans)
    cost, lasts = sum(plan.cost for plan in plans), sum(plan.duration_s for plan in plans)
    spent, expansions = sum(map(_plan_time_s, plans)), sum(plan.statistics.expansions for plan in plans)
    numbers = [f"{cost:.2f}", "", f"{lasts:.2f} s", _milliseconds(spent), f"{expansions:,}"]
    return [f"all {len(plans)}", f"{found} found", *numbers]


def _milliseconds(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1.0 else f"{1000 * seconds:.1f} ms"
