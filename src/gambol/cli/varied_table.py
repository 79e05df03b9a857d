"""The table of `gambol character vary`."""

from __future__ import annotations

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from gambol.variation.characters.varied import Varied


def print_varied(varied: Varied) -> None:
    """Print a row for each filled behavior."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for column in ("behavior", "clips", "variants", "change, cm", "least", "lasting, s"):
        table.add_column(column, justify="left" if column == "behavior" else "right")
    report = varied.to_json()
    for row in report["behaviors"]:
        lasting = row["durations_s"]
        span = f"{lasting[0]:.2f}" if len(lasting) == 1 else f"{lasting[0]:.2f} to {lasting[-1]:.2f}"
        change, least = (f"{100.0 * row[key]:.1f}" for key in ("median_change_m", "least_change_m"))
        table.add_row(escape(row["behavior"]), str(row["clips"]), str(row["variants"]), change, least, span)
    console = Console(highlight=False, soft_wrap=True)
    console.print(table)
    if varied.left_out:
        console.print(escape(f"unchanged, because no other clip is alike: {', '.join(varied.left_out)}"))
