"""Plan by look-up in search trees that were grown before anything was known of the world."""

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
    first, better = (TreePlanner(trees, improve=look_ups).solve(problem) for look_ups in (0, 200))
    print(
        f"y = {start_y:g}: {first.outcome.value}, cost {first.cost:.1f} after {first.statistics.look_ups} look-ups, "
        f"{better.cost:.1f} after {better.statistics.look_ups}"
    )
