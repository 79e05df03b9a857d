"""What a plan or a climb decided, as files for machines and for people."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from gambol.deliver.registry import Delivery, WriteOptions

if TYPE_CHECKING:
    from gambol.stages.climbs import ClimbPerformance
    from gambol.stages.performance import Progress
    from gambol.stages.plans import PlanPerformance


def write_plan_file(performance: PlanPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write the plans: steps, costs, outcomes."""
    from gambol.search.file import write_plans

    plans = dict(zip(performance.names, performance.plans, strict=True))
    write_plans(path, plans, scene=performance.scene.name, seed=performance.scene.seed)
    return Delivery((path,))


def write_climb_file(performance: ClimbPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write modes and grasps of all climbers, for machines."""
    from gambol.climb import file

    file.write_climb_file(path, performance.log())
    return Delivery((path,))


def write_climb_text(performance: ClimbPerformance, path: Path, options: WriteOptions, say: Progress) -> Delivery:
    """Write modes and grasps of all climbers, for people."""
    from gambol.climb.file import climbs_to_text
    from gambol.files.disk import write_atomically

    write_atomically(path, climbs_to_text(performance.log()).encode())
    return Delivery((path,))
