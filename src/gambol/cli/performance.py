"""The result of a scene, as text and as JSON."""

from __future__ import annotations

from typing import Any

import numpy as np
from rich.console import Console, RenderableType
from rich.markup import escape
from rich.table import Table

from gambol.deliver.plans import Delivery
from gambol.perform import Performance
from gambol.search.plan import Outcome, Plan

MOST_ROWS = 30  # rows, >= 1: with more characters, a table lists only those without a full plan


def performance_as_dict(performance: Performance, delivery: Delivery) -> dict[str, Any]:
    """Return what `--json` prints."""
    report = performance.report
    return {
        "outcome": performance.outcome.value,
        "scene": performance.scene.name,
        "seed": performance.scene.seed,
        "characters": [_character(*pair) for pair in zip(performance.names, performance.plans, strict=True)],
        "check": None if report is None else report.to_json(),
        "files": [str(path) for path in delivery.files],
        "skipped": list(delivery.skipped),
        "timings": performance.timings._asdict(),
    }


def print_performance(performance: Performance) -> None:
    """Print a table of all plans with their costs, and the findings of the check."""
    console = _console()
    console.print(_table(performance))
    for line in trouble(performance):
        console.print(escape(line))
    report = performance.report
    if report is None:
        console.print("check: not made")
    elif report.clear:
        console.print(f"check: {report.summary[0]}")


def print_delivery(delivery: Delivery) -> None:
    """Print the written files, and the reasons why others were not written."""
    console = _console()
    for reason in delivery.skipped:
        console.print(escape(f"not written: {reason}"))
    for path in delivery.files:
        console.print(escape(f"{path}  {_size(path.stat().st_size)}"))


def trouble(performance: Performance) -> list[str]:
    """Return a line for each character without a full plan, and all findings of the check."""
    pairs = zip(performance.names, performance.plans, strict=True)
    lines = [f"{name}: {plan.outcome.value}: {plan.reason}" for name, plan in pairs if not plan.found]
    report = performance.report
    if report is not None and not report.clear:
        first, *found = report.summary
        lines += [f"check: {first}", *(f"  {line}" for line in found)]
    return lines


def _console() -> Console:
    return Console(highlight=False, soft_wrap=True)


def _character(name: str, plan: Plan) -> dict[str, Any]:
    return {
        "name": name,
        "outcome": plan.outcome.value,
        "reason": plan.reason,
        "cost": plan.cost,
        "bound": plan.bound if np.isfinite(plan.bound) else None,
        "duration_s": plan.duration_s,
        "plan_time_s": _plan_time_s(plan),
        "expansions": plan.statistics.expansions,
        "look_ups": plan.statistics.look_ups,
        "fell_back": plan.statistics.fell_back,
        "behaviors": list(plan.behaviors),
    }


def _plan_time_s(plan: Plan) -> float:
    return plan.statistics.setup_time_s + plan.statistics.time_s


def _table(performance: Performance) -> RenderableType:
    """Return a table of all plans; of many only those that are not full, and the sums."""
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


def _size(count: int) -> str:
    return f"{count / 1e6:.1f} MB" if count >= 1e6 else f"{count / 1e3:.0f} kB"
