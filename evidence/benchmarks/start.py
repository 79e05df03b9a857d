"""How much processor time commands take that are over at once, as ratios to that of importing numpy."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from collections.abc import Sequence

from evidence.benchmarks.timing import Row

RUNS = 5  # of each program, in turn; the best counts
IMPORT_NUMPY = ("-c", "import numpy")
#: What is measured, its program, and the largest ratio that is wanted.
PROGRAMS = {
    "gambol --version": (("-m", "gambol", "--version"), 4),
    "import gambol": (("-c", "import gambol"), 2),
    "gambol plan first -q": (("-m", "gambol", "plan", "first", "-q"), 15),
}


def run() -> list[Row]:
    """Return a row for each program: ratios of processor time, user's and system's, best of five."""
    programs = (IMPORT_NUMPY, *(program for program, _ in PROGRAMS.values()))
    with tempfile.TemporaryDirectory() as folder:
        # Python keeps the bytecode that it makes, as it does for users.
        environment = {**os.environ, "PYTHONPYCACHEPREFIX": folder, "PYTHONDONTWRITEBYTECODE": ""}
        for program in programs:
            _processor_seconds(program, environment)
        rounds = [[_processor_seconds(program, environment) for program in programs] for _ in range(RUNS)]
    numpy, *best = (min(times) for times in zip(*rounds, strict=True))
    return [
        Row(what, f"{spent / numpy:.1f}", "1 (import numpy)", f"{numpy / spent:.3f}", f"at most {most} are wanted")
        for (what, (_, most)), spent in zip(PROGRAMS.items(), best, strict=True)
    ]


def _processor_seconds(program: Sequence[str], environment: dict[str, str]) -> float:
    """Run Python and return the processor time it took."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run([sys.executable, *program], env=environment, stdout=subprocess.DEVNULL, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
