"""The judge of a single plan."""

from __future__ import annotations

from gambol.animate.realize import realize
from gambol.body.capsules import Body
from gambol.errors import InvalidInput
from gambol.judges.motions import check_motions
from gambol.judges.report import CheckReport
from gambol.judges.tables import Performer
from gambol.motion.motion import Motion
from gambol.search.plan import Plan


def check(plan: Plan, motion: Motion | None = None, *, name: str = "character") -> CheckReport:
    """Judge the motion of a plan in the world that it was planned in, as `check_motions` does.

    motion: as `realize(plan)` returns it, so that it need not be made again.

    >>> from gambol import Goal, Problem, World, check, load_character, solve
    >>> check(solve(Problem(World((0, 0, 20, 10)), load_character("human"), (1, 5, 0), Goal(18, 5)))).is_clean
    True
    """
    if plan.problem is None:
        raise InvalidInput("a plan that was read from a file does not know its world: use gambol.judges.check_motions")
    motion = realize(plan) if motion is None else motion
    start_s = plan.steps[0].frame / plan.character.planning_rate_hz
    body = Body.from_skeleton(motion.skeleton)
    return check_motions(plan.problem.world, [Performer(name, motion, body, start_s, plan.steps, plan.character)])
