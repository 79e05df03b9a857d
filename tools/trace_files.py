"""Count the files of Gambol that a task passes: the functions of ours that run, by file, in their order.

    python tools/trace_files.py plan course -o x.glb            # a command; warm kernels, as a user has them
    python tools/trace_files.py --before 'search.run' plan ...  # the files passed before a function is first called
    python tools/trace_files.py --list plan first               # name them

A file is passed when a function in it is called while the task runs; importing alone does not count.  Kernels are
compiled and seen by the function that calls them.  Other tasks are traced from Python: `with Trace() as trace: ...`.
"""

from __future__ import annotations

import argparse
import inspect
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = str(Path(__file__).parent.parent / "src" / "gambol") + "/"


class Trace:
    """The files and functions of ours that were called, in the order of their first call."""

    def __init__(self) -> None:
        self.files: dict[str, int] = {}  # number of functions that had been called before the file's first
        self.functions: dict[CodeType, None] = {}
        self.edges: set[tuple[str, str]] = set()

    def __enter__(self) -> Trace:
        sys.setprofile(self._note)
        threading.setprofile(self._note)
        return self

    def __exit__(self, *_: object) -> None:
        sys.setprofile(None)
        threading.setprofile(None)

    def before(self, function: str) -> int:
        """Return the number of files passed before a function, by its qualified name, was first called."""
        codes = list(self.functions)
        first = next((n for n, code in enumerate(codes) if code.co_qualname.endswith(function)), len(codes))
        return len({code.co_filename for code in codes[:first]})

    def _note(self, frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        is_function = code.co_flags & inspect.CO_OPTIMIZED  # not a module or the body of a class
        if event != "call" or not is_function or not code.co_filename.startswith(ROOT) or code in self.functions:
            return
        callers = [one for one in _ancestors(frame) if one.f_code.co_filename.startswith(ROOT)]
        if not all(one.f_code.co_flags & inspect.CO_OPTIMIZED for one in callers):
            return  # called while a module is imported
        caller = callers[0] if callers else None
        self.files.setdefault(code.co_filename, len(self.functions))
        self.functions[code] = None
        if caller is not None and caller.f_code.co_filename != code.co_filename:
            self.edges.add((caller.f_code.co_filename, code.co_filename))


def _ancestors(frame: FrameType) -> Iterator[FrameType]:
    """Yield the frames that wait for a frame, the nearest first."""
    caller = frame.f_back
    while caller is not None:
        yield caller
        caller = caller.f_back


@contextmanager
def arguments(*words: str) -> Iterator[None]:
    """Lend a command line."""
    kept, sys.argv = sys.argv, ["gambol", *words]
    try:
        yield
    finally:
        sys.argv = kept


def report(trace: Trace, before: str = "Search.run", *, listed: bool = False) -> None:
    """Print how many files, functions and rooms a trace passed; listed: name the files as well."""
    rooms = {name[len(ROOT) :].partition("/")[0] for name in trace.files}
    if listed:
        for name, functions in trace.files.items():
            print(f"{functions:5d}  {name[len(ROOT) :]}")
    print(
        f"{len(trace.functions)} functions, {len(trace.files)} files, {len(rooms)} rooms, {len(trace.edges)} edges; "
        f"{trace.before(before)} files before {before}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--before", default="Search.run", help="qualified name of a function (Search.run)")
    parser.add_argument("--list", action="store_true", help="name the files")
    parser.add_argument("command", nargs=argparse.REMAINDER, help="arguments of `gambol`")
    options = parser.parse_args()
    from gambol.cli.app import main as gambol

    with arguments(*options.command), Trace() as trace, suppress(SystemExit):
        gambol()
    report(trace, options.before, listed=options.list)


if __name__ == "__main__":
    main()
