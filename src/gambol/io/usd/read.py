"""USD in: a stage to a motion."""

from __future__ import annotations

import json
import math
import os
import signal
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from gambol.errors import InvalidInput, MalformedFile, MissingExtra, UnknownName, UnreadableFile
from gambol.io.reading import Reading
from gambol.io.usd.transforms import motion_from_transforms

MAX_BYTES = 512 << 20
CPU_LIMIT_SIGNAL = getattr(signal, "SIGXCPU", 0)  # Windows has no such limit
MAX_JOINT_FRAMES = 1 << 23  # joints times frames held in memory: 19 minutes of 60 joints at 120 Hz
CPU_S, CPU_S_PER_MB = 3, 2  # computing allowed: several times what ordinary files take
MAX_SECONDS = 600.0  # an outer interrupt: no file within the limits above takes so long
MAGIC = {b"#usda": "text", b"PXR-USDC": "a crate", b"PK\x03\x04": "a package"}
ENCODINGS = {".usda": ("text",), ".usdc": ("a crate",), ".usd": ("text", "a crate"), ".usdz": ("a package",)}


def read_usd(path: Path | str, *, character: str | None = None, rate_hz: float | None = None) -> Reading:
    """Read the motion of one UsdSkel character from a .usda, .usdc, .usd or .usdz file.

    character: the name of its SkelRoot, or its skeleton's path; without one the first is read.
    rate_hz: frames a second; without one as many as there are time codes, or samples if denser.

    Up axis, unit, all transforms above the skeleton and turned rest frames are converted, so that
    world positions of the joints are the stage's.  Rest is the bind pose, or the rest transforms
    where these fit the animated bones' lengths better.  Scales and shears of joints are dropped;
    what they do to positions is kept.  What the file refers to is read within its own folder only.

    The USD library (26.11 at least) crashes on some malformed files, text and crates alike, and
    takes any amount of memory on others.  It therefore runs in a process of its own with bounded
    memory: whatever the file holds, the worst is MalformedFile, at the cost of a third of a second.
    """
    path = Path(path)
    if rate_hz is not None and not (math.isfinite(rate_hz) and rate_hz > 0.0):
        raise InvalidInput(f"a rate must be a positive number of frames a second, not {rate_hz}")
    _check_encoding(path)
    if find_spec("pxr") is None:
        raise MissingExtra("USD files", "usd")
    report, arrays = _extract(path, character, rate_hz)
    if "characters" in report:
        raise UnknownName("character", str(character), report["characters"])
    if "error" in report:
        raise MalformedFile(report["error"], path=path, line=report.get("line"))
    try:
        motion, notes = motion_from_transforms(report, arrays)
    except InvalidInput as error:
        raise MalformedFile(str(error), path=path) from error
    return Reading(motion, (*report["notes"], *notes))


def _check_encoding(path: Path) -> None:
    if path.suffix.lower() not in ENCODINGS:
        raise UnknownName("USD suffix", path.suffix, tuple(ENCODINGS))
    try:
        if not path.is_file():
            raise UnreadableFile("there is no such file" if not path.exists() else "this is not a file", path=path)
        size = path.stat().st_size
        if size > MAX_BYTES:
            raise UnreadableFile(f"{size:,} bytes are more than the {MAX_BYTES:,} that are read", path=path)
        with path.open("rb") as file:
            start = file.read(8)
    except OSError as error:
        raise UnreadableFile(error.strerror or str(error), path=path) from error
    encoding = next((name for magic, name in MAGIC.items() if start.startswith(magic)), "no USD at all")
    expected = ENCODINGS[path.suffix.lower()]
    if encoding not in expected:
        raise MalformedFile(f"the contents are {encoding}; {path.suffix} files are {' or '.join(expected)}", path=path)


def _extract(path: Path, character: str | None, rate_hz: float | None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Run the extraction as a program, and return its report and arrays."""
    request = {
        "path": str(path.absolute()),
        "character": character,
        "rate_hz": rate_hz,
        "max_bytes": MAX_BYTES,
        "max_joint_frames": MAX_JOINT_FRAMES,
        "max_cpu_s": CPU_S + round(CPU_S_PER_MB * path.stat().st_size / 1e6),
    }
    # Found last, so that nothing beside the package shadows a module of its own name.
    search = os.pathsep.join([*filter(None, sys.path), str(Path(__file__).parent)])
    environment = {**os.environ, "PYTHONPATH": search, "OPENBLAS_NUM_THREADS": "1"}  # threads take memory
    with tempfile.TemporaryDirectory(prefix="gambol-usd-") as folder:
        result = Path(folder) / "result.npz"
        command = [sys.executable or "python", "-P", "-m", "usd_extraction", str(result)]
        try:
            finished = subprocess.run(
                command, env=environment, input=json.dumps(request).encode(), capture_output=True, timeout=MAX_SECONDS
            )
        except subprocess.TimeoutExpired:
            raise MalformedFile(f"the USD library did not finish in {MAX_SECONDS:.0f} s", path=path) from None
        except OSError as error:
            raise UnreadableFile(f"cannot start {command[0]} to read it: {error.strerror}", path=path) from error
        if finished.returncode != 0 or not result.is_file():
            raise MalformedFile(f"the USD library {_last_words(finished)}", path=path)
        with np.load(result, allow_pickle=False) as arrays:
            loaded = dict(arrays)
    return json.loads(bytes(loaded.pop("report"))), loaded


def _last_words(finished: subprocess.CompletedProcess[bytes]) -> str:
    if finished.returncode == -CPU_LIMIT_SIGNAL:
        return "takes far longer over this file than its size explains"
    if finished.returncode < 0:
        return f"crashed on this file (signal {-finished.returncode})"
    lines = finished.stderr.decode(errors="replace").strip().splitlines()
    return f"gave up on this file: {lines[-1][:200] if lines else 'it does not say why'}"
