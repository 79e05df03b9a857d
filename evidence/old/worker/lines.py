"""Answer questions, a line of JSON each, on standard output; whatever else is printed goes to standard error."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any


def serve(answers: Mapping[str, Callable[..., Any]]) -> None:
    """Answer lines such as {"what": "problems", "first": 3}: `what` names a function, the rest are its arguments."""
    out = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    for line in sys.stdin:
        question = json.loads(line)
        print(json.dumps(answers[question.pop("what")](**question)), file=out, flush=True)
