"""`gambol bake` in processes of its own: run to the end, killed in the midst, and looked at from outside."""

from __future__ import annotations

import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gambol.bake import Store
from gambol.bake.store import RESULT, files_in

PROGRAM = "from gambol.cli.app import main; main()"
PATIENCE_S = 3600.0
JOB = """
name = "{name}"

[[tasks]]
kind = "climb"
scenes = ["{scene}"]
seeds = {count}
write = ["bvh"]
check = false
"""


def write_job(folder: Path, name: str, scene: str, count: int) -> Path:
    """Write a job of climbs, which are short; return its file."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}-{count}.toml"
    path.write_text(JOB.format(name=name, scene=scene, count=count))
    return path


def start(job: Path, out: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, "bake", str(job), "--out", str(out), *options]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ended(driver: subprocess.Popen[str]) -> tuple[int, str]:
    """Wait for a driver; return its exit code and what it said."""
    out, errors = driver.communicate(timeout=PATIENCE_S)
    return driver.returncode, f"{out}\n{errors}".strip()


def kill(driver: subprocess.Popen[str]) -> float:
    """Kill a driver; return after how many seconds all that it had started was gone too."""
    started = descendants(driver.pid)
    driver.kill()
    driver.communicate()
    begun = time.monotonic()
    wait_until(lambda: not any(is_alive(process) for process in started), PATIENCE_S)
    return time.monotonic() - begun


def finished(out: Path) -> dict[str, int]:
    """Return the results in a folder by key, with the time at which each was written."""
    return {path.parent.name: path.stat().st_mtime_ns for path in (out / "results").glob(f"*/*/{RESULT}")}


def results_in(out: Path) -> dict[str, dict[str, bytes]]:
    """Return all files of all results by key."""
    places = (out / "results").glob("*/*")
    return {place.name: {name: path.read_bytes() for name, path in files_in(place).items()} for place in places}


def half_files(out: Path) -> list[str]:
    """Return what is wrong with results that are there: files that are not what their results say, or more of them."""
    store = Store(out)
    found = [f"{key}: {name}" for key in finished(out) for name in store.broken(key)]
    for place in store.results.glob("*/*"):
        listed = {*store.files(place.name), RESULT} if store.has(place.name) else set()
        found += [f"{place.name}: {name} is more" for name in files_in(place) if name not in listed]
    return found


def leftovers(out: Path) -> list[str]:
    """Return what a bake that has ended should not have left in its folder."""
    return [path.relative_to(out).as_posix() for path in out.rglob(".*") if path.name != ".lock"]


def descendants(process: int) -> dict[int, str]:
    """Return all processes that one has started, directly or not, with the times of their starts."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*"):
        if stat := _stat(int(entry.name)):
            parents.setdefault(int(stat[1]), []).append(int(entry.name))
    found, open_ends = {}, [process]
    while open_ends:
        for child in parents.get(open_ends.pop(), []):
            if stat := _stat(child):
                found[child] = stat[19]
                open_ends.append(child)
    return found


def workers_of(process: int) -> list[int]:
    """Return those of a driver's processes that do tasks."""
    return [child for child in descendants(process) if _is_worker(_read(Path(f"/proc/{child}/cmdline")))]


def is_alive(process: int) -> bool:
    stat = _stat(process)
    return bool(stat) and stat[0] != "Z"


def wait_until(condition: Callable[[], bool], seconds: float) -> bool:
    ends = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > ends:
            return False
        time.sleep(0.02)
    return True


@contextmanager
def mounted(folder: Path, size: str) -> Iterator[bool]:
    """Have a small file system in memory, if that is allowed here."""
    folder.mkdir(parents=True, exist_ok=True)
    command = ["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(folder)]
    is_mounted = subprocess.run(command, capture_output=True, check=False).returncode == 0
    try:
        yield is_mounted
    finally:
        if is_mounted:
            subprocess.run(["umount", "--lazy", str(folder)], check=True)


def remount(folder: Path, option: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{option}", str(folder)], check=True)


def _is_worker(command: str) -> bool:
    return "spawn_main" in command or ("ray::" in command and "Agent" not in command)


def _stat(process: int) -> list[str]:
    """Return what the system says of a process, from its state on; nothing if there is none."""
    return _read(Path(f"/proc/{process}/stat")).rpartition(")")[2].split()


def _read(path: Path) -> str:
    try:
        return path.read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
