"""What happened when, one line of JSON for each event, for programs: times are only here."""

from __future__ import annotations

import contextlib
import json
import os
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self


class Log:
    """A file for each run, of whole lines.  A log that cannot be written raises nothing."""

    def __init__(self, folder: Path, name: str) -> None:
        stamp = datetime.now(UTC).strftime("%Y%m%dT%H%M%S")
        self.path = folder / f"{name}-{stamp}-{os.getpid()}.jsonl"
        self._file = None
        with contextlib.suppress(OSError):
            self._file = self.path.open("ab", buffering=0)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            with contextlib.suppress(OSError):
                self._file.close()

    def say(self, event: str, **facts: Any) -> None:
        if self._file is None:
            return
        text = json.dumps({"at": datetime.now(UTC).isoformat(), "event": event, **facts}, ensure_ascii=False)
        line, whole = f"{text}\n".encode(errors="replace"), self._file.tell()
        try:
            if self._file.write(line) == len(line):
                return
        except OSError:
            pass
        with contextlib.suppress(OSError):
            self._file.truncate(whole)  # leave no half line
