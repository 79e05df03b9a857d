"""Make and use the environment of an earlier commit: its sources as they were, and a Python that has what they need."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent.parent
OLD = "b3af629"  # before rooms, corridor and core: all kernels are numba's
WORKER = Path(__file__).resolve().parent / "worker"
FOLDER = "GAMBOL_OLD"  # environment variable: where environments are kept, out/old by default
PYTHON = "GAMBOL_OLD_PYTHON"  # environment variable: a Python that has all that is needed, instead of a new environment


@dataclass(frozen=True)
class Environment:
    """Sources of a commit, and the Python that runs them."""

    commit: str  # whole
    sources: Path
    python: Path

    @contextmanager
    def worker(self, script: str, arguments: Mapping[str, Any] | None = None, *, nice: int = 0) -> Iterator[Worker]:
        """Start a script of `worker/` in these sources; it answers a line of JSON to each line of JSON."""
        settings = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join((str(self.sources / "src"), str(self.sources))),
            "OPENBLAS_NUM_THREADS": "1",
            "OMP_NUM_THREADS": "1",
        }
        command = [str(self.python), "-W", "ignore", str(WORKER / script), json.dumps(dict(arguments or {}))]
        process = subprocess.Popen(
            ["nice", "-n", str(nice), *command] if nice else command,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=settings, cwd=self.sources,
        )  # fmt: skip
        try:
            yield Worker(process)
        finally:
            process.kill()
            process.wait()


class Worker:
    """A process that answers questions."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    def put(self, question: Mapping[str, Any]) -> None:
        """Ask, without waiting."""
        assert self._process.stdin is not None
        print(json.dumps(dict(question)), file=self._process.stdin, flush=True)

    def get(self) -> Any:
        """Return the answer to the first question that has none yet."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"the worker ended with code {self._process.wait()}")
        return json.loads(line)

    def ask(self, question: Mapping[str, Any]) -> Any:
        """Ask and wait."""
        self.put(question)
        return self.get()


def commit_of(commit: str) -> str:
    """Return the whole name of a commit, or of that of a folder with sources; as it is told, where git is not there."""
    try:
        if Path(commit).is_dir():
            return _git("describe", "--always", "--dirty", "--abbrev=40", at=Path(commit))
        return _git("rev-parse", f"{commit}^{{commit}}")
    except (OSError, subprocess.CalledProcessError):
        return commit


def environment(commit: str = OLD) -> Environment:
    """Return the environment of a commit of this repository, or of a folder with sources; it is made once.

    Sources that are these ones are run by this Python.
    """
    if Path(commit).is_dir():
        sources = Path(commit).resolve()
        return Environment(
            _git("describe", "--always", "--dirty", "--abbrev=40", at=sources), sources, _python(sources)
        )
    whole = _git("rev-parse", f"{commit}^{{commit}}")
    sources = Path(os.environ.get(FOLDER, ROOT / "out" / "old")) / whole[:12]
    if not (sources / "src").is_dir():
        _unpack(whole, sources)
    python = _python(sources)
    if (sources / "core" / "build.py").is_file():
        subprocess.run([python, "core/build.py"], cwd=sources, check=True, stdout=subprocess.DEVNULL)
    return Environment(whole, sources, python)


def _git(*arguments: str, at: Path = ROOT) -> str:
    return subprocess.run(["git", *arguments], cwd=at, check=True, capture_output=True, text=True).stdout.strip()


def _unpack(commit: str, sources: Path) -> None:
    """Put the sources of a commit into a folder, which is whole or not there."""
    partial = sources.with_name(f"{sources.name}.{os.getpid()}.partial")
    partial.mkdir(parents=True)
    archive = subprocess.run(["git", "archive", commit], cwd=ROOT, check=True, capture_output=True).stdout
    subprocess.run(["tar", "-x", "-C", str(partial)], input=archive, check=True)
    partial.rename(sources)


def _python(sources: Path) -> Path:
    """Return the Python named by the variable, or that of an environment beside the sources, made here."""
    if sources == ROOT:
        return Path(sys.executable)
    if named := os.environ.get(PYTHON):
        return Path(named)
    folder = sources.with_name(f"{sources.name}-venv")
    python = folder / "bin" / "python"
    stamp = folder / ".whole"
    if not stamp.is_file():
        subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
        constraints = sources / "constraints.txt"
        limits = ["--constraint", str(constraints)] if constraints.is_file() else []
        install = [str(python), "-m", "pip", "install", "--quiet", "--disable-pip-version-check", *limits]
        subprocess.run([*install, "--editable", str(sources)], check=True)
        stamp.touch()
    return python
