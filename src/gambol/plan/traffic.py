"""Traffic: everything that moves, laid out by time and place (being built)."""

from __future__ import annotations


class Traffic:
    """Placeholder for the type of `Problem.traffic`."""
