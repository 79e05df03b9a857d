"""Carry out the request on the standard input, and save the result at the path in the first argument."""

# pyright: reportAttributeAccessIssue=false
# The USD library is C++ and comes without stubs.

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from pxr import Tf, Work

from .layers import Refusal, library_refusal, limit_time
from .meshes import MeshRequest, extract_meshes
from .skeleton import Request, UnknownCharacter, extract


def main(request: str, result_path: str) -> None:
    """Save arrays and a report as .npz; a report with "error" or "characters" is a refusal."""
    Work.SetConcurrencyLimit(1)  # many readers side by side should not each take all cores
    arrays: dict[str, Any] = {}
    asked = json.loads(request)
    limit_time(asked.pop("max_cpu_s"))
    wanted = asked.pop("wanted", "motion")
    try:
        report, arrays = extract(Request(**asked)) if wanted == "motion" else extract_meshes(MeshRequest(**asked))
    except UnknownCharacter as unknown:
        report = {"characters": unknown.args[0]}
    except (Refusal, Tf.ErrorException) as error:
        refusal = error if isinstance(error, Refusal) else library_refusal(error)
        report = {"error": str(refusal), "line": refusal.line}
    except UnicodeDecodeError:
        report = {"error": "it has text that is not UTF-8"}
    except MemoryError:
        report = {"error": "it takes more memory than a file of this size may"}
    with Path(result_path).open("wb") as file:
        np.savez(file, report=np.frombuffer(json.dumps(report).encode(), dtype=np.uint8), **arrays)


if __name__ == "__main__":
    main(sys.stdin.read(), sys.argv[1])
