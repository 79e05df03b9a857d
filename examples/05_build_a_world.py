"""Build a world in Python, find a better and better way through it, and check the motion."""

from pathlib import Path

import numpy as np

from gambol import Footprint, Goal, Mover, Obstacle, Problem, World, check, load_character, realize, write_motion
from gambol.search import Anytime
from gambol.world import Trajectory

walls = [Obstacle(f"wall {y}", Footprint.box(0.3, 3.0), (7.0, y, 0.0)) for y in (1.5, 8.5)]
hurdle = Obstacle("hurdle", Footprint.box(0.2, 4.0), (7.0, 5.0, 0.0), top_m=0.35)  # low enough to jump over
there = np.array([(12.0, 1.0, np.pi / 2), (12.0, 9.0, np.pi / 2)])
heights = np.array([(0.0, 1.2), (0.0, 1.2)])
cart = Mover("cart", Footprint.box(1.5, 0.8), Trajectory(np.array([0.0, 4.0]), there, heights, repeat="bounce"))
world = World((0.0, 0.0, 18.0, 10.0), obstacles=(*walls, hurdle), movers=(cart,))

human = load_character("human").with_weights({"stop": 2.0})
problem = Problem(world, human, start=(1.5, 5.0, 0.0), goal=Goal(16.0, 5.0), max_expansions=20_000)
plan = None
for plan in Anytime().improvements(problem):
    print(f"{plan.outcome}: cost {plan.cost:.2f}, at most {plan.bound:.2f} times the best")
assert plan is not None
assert plan.found, plan.reason

motion = realize(plan)
report = check(plan, motion, name="Ann")
print("\n".join([report.summary, *report.findings]))
write_motion(Path("out") / "past_the_cart.glb", motion)
