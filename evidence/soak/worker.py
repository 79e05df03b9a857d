"""One process that reads inputs for the fuzzer, so that whatever they break breaks here.

`python -m evidence.soak.worker evidence.soak.fuzz_formats bvh` takes input numbers on standard input, one a line, and
answers each with a line of JSON.  An input that takes too long ends the process with a traceback in its log, and so
does a crash; the fuzzer sees it end and knows which input it was.
"""

from __future__ import annotations

import contextlib
import faulthandler
import json
import os
import resource
import sys
import time
import traceback
from importlib import import_module
from pathlib import Path
from typing import Any

from evidence.soak.fuzz_formats import Target
from gambol.errors import GambolError

MIB = 1 << 20
COMPILING_S = 240.0  # the first call compiles kernels, on a machine that may have much else to do
ADDRESS_SPACE_MB = 4096  # beyond what the process has when it starts: keeps the machine alive
LONGEST_MESSAGE = 1000  # characters; an error that repeats a file's garbage at length helps nobody
VALID = -1  # the "input" that is all valid files at once


def main(target: Target) -> None:
    # Libraries that print must not garble the answers: keep standard output for ourselves.
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    faulthandler.enable()
    _limit_address_space()
    base_mb = 0.0
    for line in sys.stdin:
        answer = _answer(target, int(line), base_mb)
        if int(line) == VALID:
            base_mb = _peak_mb()
        print(json.dumps(answer), file=answers, flush=True)


def _answer(target: Target, number: int, base_mb: float) -> dict[str, Any]:
    """Read one input and say how that went."""
    inputs = target.corpus if number == VALID else [target.make_input(number).data]
    limit_s = COMPILING_S + target.limit_s if number == VALID else target.limit_s
    start = time.perf_counter()
    faulthandler.dump_traceback_later(limit_s, exit=True)
    try:
        for data in inputs:
            target.check(target.parse(data))
        answer: dict[str, Any] = {"outcome": "accepted"}
    except GambolError as error:
        answer = {"outcome": "rejected", "error": type(error).__name__, "message": str(error)[:200]}
        if len(str(error)) > LONGEST_MESSAGE:
            answer |= {"outcome": "failed", "error": "LongMessage"}
    except BaseException as error:  # anything else is what we are looking for
        answer = {"outcome": "failed", "error": type(error).__name__, "message": str(error)[:500]}
        answer["traceback"] = traceback.format_exc(limit=-6)
    finally:
        faulthandler.cancel_dump_traceback_later()
    answer["seconds"] = time.perf_counter() - start
    answer["peak_mb"] = 0.0 if number == VALID else _peak_mb() - base_mb
    if answer["peak_mb"] > target.limit_mb and answer["outcome"] != "failed":
        answer |= {"outcome": "failed", "error": "TooMuchMemory", "message": f"{answer['peak_mb']:.0f} MB"}
    return answer


def _peak_mb() -> float:
    """Return the most memory that this process or a child of it ever had.

    The kernel's own count for a process (`ru_maxrss`) begins with that of the one which started it.
    """
    children = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    try:
        own = int(Path("/proc/self/status").read_text().partition("VmHWM:")[2].split()[0])
    except (OSError, IndexError):
        own = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return max(own, children) / 1024


def _limit_address_space() -> None:
    with contextlib.suppress(OSError, ValueError):  # systems that do not know their own size go unlimited
        pages = int(Path("/proc/self/statm").read_text().split()[0])
        limit = pages * resource.getpagesize() + ADDRESS_SPACE_MB * MIB
        resource.setrlimit(resource.RLIMIT_AS, (limit, resource.getrlimit(resource.RLIMIT_AS)[1]))


if __name__ == "__main__":
    module, name = sys.argv[1:]
    main(import_module(module).TARGETS[name])
