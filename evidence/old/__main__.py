"""Make the environment of an earlier commit, and say where it is: `python -m evidence.old [COMMIT]`."""

from __future__ import annotations

import sys

from evidence.old.environment import OLD, environment

made = environment(*sys.argv[1:2] or [OLD])
print(f"{made.commit}\nsources: {made.sources}\npython: {made.python}")
