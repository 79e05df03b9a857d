"""Run the USD library on a file in a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

from gambol.errors import MalformedFile, UnknownName, UnreadableFile
from gambol.files.disk import note_read

MAX_BYTES = 512 << 20  # bytes of the largest file read
CPU_LIMIT_SIGNAL = getattr(signal, "SIGXCPU", 0)  # Windows has no such limit
CPU_S = 3  # seconds of computing allowed for any file: several times what ordinary files take
CPU_S_PER_MB = 2  # further seconds for each megabyte
MAX_SECONDS = 600.0  # seconds after which to give up: no file within the limits above takes as long
MAGIC = {b"#usda": "text", b"PXR-USDC": "a crate", b"PK\x03\x04": "a package"}  # first bytes, and what they mean
ENCODINGS = {".usda": ("text",), ".usdc": ("a crate",), ".usd": ("text", "a crate"), ".usdz": ("a package",)}


def check_encoding(path: Path) -> None:
    """Refuse a file that is missing, too large or not what its suffix says."""
    note_read(path)
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


def run_extraction(path: Path, wanted: str, options: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Run the extraction as a program, and return its report and arrays.

    wanted: "motion" or "meshes".
    options: the other fields of that request, beside path and size.
    """
    request = {
        **options,
        "wanted": wanted,
        "path": str(path.absolute()),
        "max_bytes": MAX_BYTES,
        "max_cpu_s": CPU_S + round(CPU_S_PER_MB * path.stat().st_size / 1e6),
    }
    # The package's folder comes last, so that no other module in it hides one of the same name.
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
