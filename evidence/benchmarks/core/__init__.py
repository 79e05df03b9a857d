"""The core beside *old*, on the same questions in the same run: trips, new worlds, movers, look-ups, A*, scenes.

Both are asked by the same script in processes of their own (`evidence/old/worker/timing.py`), world by world in turn,
so that the load of the machine is the same for both.  Times are processor times from `solve()` on, but for batches in
threads.  What is new each time is said: the goal in a known world, or the world.

    python -m evidence.benchmarks.core                        # all parts that these sources have not measured yet
    python -m evidence.benchmarks.core --parts batches A*     # these, again
    python -m evidence.benchmarks.core --worlds 2 --into out/core.json    # a few worlds, to try it

What was measured is kept part by part in `results/core.json`; docs/benchmarks.md quotes it.
"""

from evidence.benchmarks.core.parts import run, setting

__all__ = ["run", "setting"]
