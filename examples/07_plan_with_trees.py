"""Plan by search trees that were grown before anything was known of the world: for one problem, then for many."""

from gambol import Footprint, Goal, Obstacle, Problem, World, load_character
from gambol.trees import TreePlanner, trees_for

jogger = load_character("human").subset("lk06-13")
trees = trees_for(jogger, nodes=80_000)  # grown once, then kept in the user's cache
world = World(
    (0, 0, 60, 20),
    (
        Obstacle("wall, south", Footprint.box(0.4, 9.0), (20, 4.5, 0)),
        Obstacle("wall, north", Footprint.box(0.4, 9.0), (20, 15.5, 0)),
        Obstacle("block", Footprint.box(6.0, 8.0), (38, 10, 0.3)),
    ),
)
for start_y in (4.0, 10.0, 16.0):
    problem = Problem(world, jogger, (3.0, start_y, 0.0), Goal(56.0, 10.0))
    first, better = (TreePlanner(trees, improve=states).solve(problem) for states in (0, 100))
    print(
        f"y = {start_y:g}: {first.outcome.value}, cost {first.cost:.1f} after {first.statistics.expansions} states, "
        f"{better.cost:.1f} after {better.statistics.expansions}"
    )

problems = [Problem(world, jogger, (3.0, 4.0 + 0.12 * number, 0.0), Goal(56.0, 10.0)) for number in range(100)]
plans = TreePlanner(trees).solve_many(problems, threads=2)
print(f"{sum(plan.found for plan in plans)} of {len(plans)} found")
