"""Hand inputs to a reader in a process of its own, and count what comes back."""

from __future__ import annotations

import contextlib
import json
import os
import select
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from evidence.soak.fuzz_formats import Target
from evidence.soak.tally import Tally
from evidence.soak.worker import COMPILING_S, VALID

FOLDER = Path(__file__).resolve().parent.parent.parent
SPOILING = ("TooSlow", "Crash", "TooMuchMemory", "MemoryError")  # failures after which a process is replaced
LOG_TAIL = 4000  # characters of a dead worker's last words that are kept


@dataclass(frozen=True)
class FuzzJob:
    """Read so many damaged files of one format; every one must give a motion or a GambolError."""

    target: Target
    inputs: int
    chunk_size: int = 250
    module: str = "evidence.soak.fuzz_formats"  # whose TARGETS hold the target, for the worker to find
    failures_folder: Path = FOLDER / "out" / "soak"

    @property
    def name(self) -> str:
        return f"mutated-{self.target.name}"

    @property
    def summary(self) -> str:
        return f"{self.inputs:,} damaged {self.target.suffix} files read without crash, hang or foreign error"

    @property
    def chunk_count(self) -> int:
        return -(-self.inputs // self.chunk_size)

    @property
    def facts(self) -> dict[str, Any]:
        target = self.target
        return {
            "job": self.name,
            "inputs_planned": self.inputs,
            "chunk_size": self.chunk_size,
            "seed": f"random.Random('{target.seed('<input>')}')",
            "limit_s": target.limit_s,
            "limit_mb": target.limit_mb,
        }

    def session(self) -> FuzzSession:
        return FuzzSession(self)


class FuzzSession:
    """A worker process, replaced whenever an input breaks it; use it as a context."""

    def __init__(self, job: FuzzJob) -> None:
        self._job = job
        self._worker: _Worker | None = None

    def __enter__(self) -> FuzzSession:
        return self

    def __exit__(self, kind: type | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._drop_worker()

    def run_chunk(self, chunk: int) -> Tally:
        """Read the inputs of one chunk."""
        tally = Tally()
        start = time.perf_counter()
        first = chunk * self._job.chunk_size
        for number in range(first, min(first + self._job.chunk_size, self._job.inputs)):
            answer = self._ask(number)
            if answer.get("error") == "TooSlow":
                answer = self._ask(number)  # again in a fresh process: on a busy machine slowness alone proves nothing
            self._count(number, answer, tally)
        tally.seconds = time.perf_counter() - start
        return tally

    def _ask(self, number: int) -> dict[str, Any]:
        if self._worker is None:
            self._worker = _Worker(self._job.target, self._job.module)
            valid = self._worker.ask(VALID)
            if valid["outcome"] != "accepted":
                self._drop_worker()
                raise RuntimeError(f"{self._job.name}: a valid file is not read: {valid}")
        answer = self._worker.ask(number)
        if answer.get("error") in SPOILING:
            self._drop_worker()
        return answer

    def _count(self, number: int, answer: dict[str, Any], tally: Tally) -> None:
        tally.inputs += 1
        tally.peak_mb = max(tally.peak_mb, answer["peak_mb"])
        if answer["seconds"] > tally.slowest_s:
            tally.slowest_s, tally.slowest_input = answer["seconds"], number
        if answer["outcome"] == "accepted":
            tally.accepted += 1
        elif answer["outcome"] == "rejected":
            tally.rejected[answer["error"]] += 1
        else:
            tally.failures.append(self._kept(number, answer))

    def _kept(self, number: int, answer: dict[str, Any]) -> dict[str, Any]:
        """Save the input that failed, and describe the failure."""
        target, folder = self._job.target, self._job.failures_folder
        data, recipe = target.make_input(number)
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{self._job.name}-{number}{target.suffix}").write_bytes(data)
        details = {
            name: answer[name].replace(f"{FOLDER}{os.sep}", "")
            for name in ("error", "message", "traceback")
            if name in answer
        }
        return {"input": number, "seed": target.seed(number), "recipe": recipe, **details}

    def _drop_worker(self) -> None:
        if self._worker is not None:
            self._worker.close()
            self._worker = None


class _Worker:
    """The parent's end of `evidence.soak.worker`."""

    def __init__(self, target: Target, module: str) -> None:
        self._target = target
        self._log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115 (closed with the process)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "evidence.soak.worker", module, target.name],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            cwd=FOLDER,
            start_new_session=True,  # so that it can be ended together with children of its own
        )

    def ask(self, number: int) -> dict[str, Any]:
        """Have one input read; a worker that dies or says nothing gives a failure too."""
        assert self._process.stdin is not None
        start = time.perf_counter()
        try:
            self._process.stdin.write(f"{number}\n".encode())
            self._process.stdin.flush()
            line = self._read_line(COMPILING_S + 2.0 * self._target.limit_s)
        except BrokenPipeError:
            line = b""
        if line:
            return json.loads(line)
        self._process.kill()
        code = self._process.wait()
        self._log.seek(0)
        last_words = self._log.read().decode(errors="replace")[-LOG_TAIL:]
        too_slow = "Timeout (" in last_words or code == -signal.SIGKILL
        return {
            "outcome": "failed",
            "error": "TooSlow" if too_slow else "Crash",
            "message": f"the process ended with code {code}",
            "traceback": last_words,
            "seconds": time.perf_counter() - start,
            "peak_mb": 0.0,
        }

    def close(self) -> None:
        """End the process and whatever it started."""
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        for stream in (self._process.stdin, self._process.stdout, self._log):
            if stream is not None:
                stream.close()

    def _read_line(self, timeout_s: float) -> bytes:
        assert self._process.stdout is not None
        line = b""
        while not line.endswith(b"\n"):
            if not select.select([self._process.stdout], [], [], timeout_s)[0]:
                return b""
            part = os.read(self._process.stdout.fileno(), 65536)
            if not part:
                return b""
            line += part
        return line
