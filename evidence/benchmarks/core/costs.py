"""The least costs that are known of queries, found by long searches once and kept, as they take long."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from evidence.old.environment import Worker

COSTS = Path(__file__).parent.parent / "results" / "core_costs.json"
LONG = {"kind": "anytime", "improve": 200_000}  # expansions

Cost = float | None  # None: no way is known


def long_costs(
    worker: Worker, about: Any, queries: Sequence[Any], ask: Callable[[list[Any]], list[Cost]]
) -> list[Cost]:
    """Return what a long search finds for each query; `ask` searches for those that are not known.

    about: the world or scene of the queries.  Costs of another human than today's are forgotten.
    """
    human = worker.ask({"what": "digest"})
    kept: dict[str, Any] = json.loads(COSTS.read_text()) if COSTS.is_file() else {}
    known: dict[str, Cost] = kept.get("costs", {}) if kept.get("human") == human else {}
    keys = [hashlib.md5(json.dumps([about, query, LONG]).encode()).hexdigest()[:16] for query in queries]
    missing = [(key, query) for key, query in zip(keys, queries, strict=True) if key not in known]
    if missing:
        known |= dict(zip((key for key, _ in missing), ask([query for _, query in missing]), strict=True))
        COSTS.parent.mkdir(exist_ok=True)
        COSTS.write_text(json.dumps({"human": human, "costs": known}, indent=0) + "\n")
    return [known[key] for key in keys]


def least(costs: Sequence[Cost]) -> Cost:
    return min((cost for cost in costs if cost is not None), default=None)
