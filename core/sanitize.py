"""Run tests of the package with a core that watches itself: addresses, overflows, numbers that do not fit.

    python core/sanitize.py                           # the tests of the rooms that call the core
    python core/sanitize.py tests/search -k traffic   # those that pytest is told to
    python core/sanitize.py -- evidence/soak ...      # any arguments of pytest

It needs GCC's or clang's sanitizers.  The first fault ends the run, with the place in C on stderr.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
import variants

ROOT = variants.ROOT.parent
ROOMS = ("core", "geometry", "motion", "body", "world", "search", "trees", "characters", "animate", "judges")


def preloaded(command: list[str]) -> str:
    """Return the libraries that have to be there before Python is, so that they see all memory."""
    names = ("libasan.so", "libubsan.so", "libstdc++.so.6")
    found = (
        subprocess.run([*command, f"-print-file-name={name}"], capture_output=True, text=True, check=True)
        for name in names
    )
    return " ".join(path for one in found if Path(path := one.stdout.strip()).is_absolute())


def environment(folder: Path, command: list[str]) -> dict[str, str]:
    """Return the environment of a Python whose package has the watching core."""
    places = [str(folder), str(ROOT), os.environ.get("PYTHONPATH", "")]
    return {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(place for place in places if place),
        "LD_PRELOAD": preloaded(command),
        "PYTHONMALLOC": "malloc",  # arrays of its own pools would not be watched
        "ASAN_OPTIONS": "detect_leaks=0:allocator_may_return_null=1:abort_on_error=0",
        "UBSAN_OPTIONS": "print_stacktrace=1",
        "OPENBLAS_NUM_THREADS": "1",
    }


def main() -> int:
    """Build, run pytest, return its exit code."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--"]
    chosen = arguments or [str(ROOT / "tests" / room) for room in ROOMS if (ROOT / "tests" / room).is_dir()]
    command = variants.core.compiler_command()
    with tempfile.TemporaryDirectory() as name:
        folder = variants.package_with(Path(name), command, (*variants.SANITIZERS, "-O1"))
        pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen]
        return subprocess.run(pytest, cwd=ROOT, env=environment(folder, command)).returncode


if __name__ == "__main__":
    sys.exit(main())
