"""Hash everything that shipped scenes, variants and bakes write, so that a rebuild can prove that it changed nothing.

    python tools/record_outputs.py record before.json      # about half an hour on one core; goes on where it ended
    python tools/record_outputs.py compare before.json after.json

Each entry is one file of one command; the version of Gambol and times by the clock are masked before hashing.
Variants are learned from captures and recorded only where GAMBOL_MOCAP names them.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

PLAN_SUFFIXES = (".bvh", ".glb", ".usda", ".plan.json")  # pictures show times by the clock
CROWD_SUFFIXES = (".crowd", ".csv", ".glb", ".usda", ".json")
CLIMB_SUFFIXES = (".bvh", ".glb", ".usda", ".climb.json", ".txt")
FILMED = ("first", "climb-steps")  # scenes whose video is recorded too: films take long and show what pictures show
CROWD_SECONDS = 20  # s: how long each crowd runs
SMALL_CROWD = "crowd-maze"  # of larger crowds motions are not written: they fill gigabytes
LARGE_CROWD_SUFFIXES = (".crowd", ".csv", ".json")
WALKS = tuple(f"35_{number:02d}" for number in (1, 2, 3, 4))  # captures that variants are learned from
MASKS = (
    (rb'(gambol["\s:=]+"?)\d+\.\d+\.\d+(?:\.\w+)?', rb"\1VERSION"),
    (rb'("(?:[a-z_]*(?:time_s|seconds|_ms|ms_per_frame)|run_s)": )[-+.e\d]+', rb"\1TIME"),
    (rb'("stage_ms": )\{[^{}]*\}', rb"\1TIMES"),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recorder = commands.add_parser("record", help="run everything and write hashes")
    recorder.add_argument("into", type=Path)
    recorder.add_argument("--only", default="", help="only jobs whose name contains this")
    comparer = commands.add_parser(
        "compare", help="tell what differs between two records; exit code 1 if anything does"
    )
    comparer.add_argument("before", type=Path)
    comparer.add_argument("after", type=Path)
    options = parser.parse_args()
    if options.command == "record":
        record(options.into, options.only)
    else:
        sys.exit(compare(options.before, options.after))


def record(into: Path, only: str) -> None:
    """Run each job in a process of its own and add its hashes to the record."""
    done = json.loads(into.read_text()) if into.exists() else {}
    for name, arguments in jobs().items():
        if only not in name or name in done:
            continue
        with tempfile.TemporaryDirectory() as folder:
            command = [sys.executable, "-c", "from gambol.cli.app import main; main()"]
            result = subprocess.run(
                [*command, *(argument.replace("OUT", folder) for argument in arguments)],
                capture_output=True, text=True, check=False,
            )  # fmt: skip
            hashes = {"exit code": str(result.returncode)}
            if result.returncode > 1:
                hashes["error"] = result.stderr[-500:]
            for path in sorted(Path(folder).rglob("*")):
                if path.is_file() and path.suffix not in (".log", ".html") and "logs" not in path.parts:
                    hashes[str(path.relative_to(folder))] = masked_hash(path.read_bytes(), folder)
        done[name] = hashes
        print(name, len(hashes) - 1, "files", flush=True)
        into.write_text(json.dumps(done, indent=1))


def masked_hash(content: bytes, folder: str) -> str:
    content = content.replace(folder.encode(), b"OUT")
    if content[:4] == b"glTF":  # the version's text also decides lengths and padding
        length = int.from_bytes(content[12:16], "little")
        content = content[20 : 20 + length].rstrip() + content[20 + length :]
    for pattern, mask in MASKS:
        content = re.sub(pattern, mask, content)
    return hashlib.sha256(content).hexdigest()[:24]


def jobs() -> dict[str, list[str]]:
    """Return the command line of each job; OUT stands for a folder."""
    listed = subprocess.run(
        [sys.executable, "-c", "from gambol.cli.app import main; main()", "scenes", "--json"],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: dict[str, list[str]] = {}
    for scene in json.loads(listed.stdout):
        name, kind = scene["name"], scene["kind"]
        suffixes = {"plan": PLAN_SUFFIXES, "crowd": CROWD_SUFFIXES, "climb": CLIMB_SUFFIXES}[kind]
        if kind == "crowd" and name != SMALL_CROWD:
            suffixes = LARGE_CROWD_SUFFIXES
        if name in FILMED:
            suffixes = (*suffixes, ".mp4")
        extra = ["--seconds", str(CROWD_SECONDS)] if kind == "crowd" else []
        outputs = [word for suffix in suffixes for word in ("-o", f"OUT/{name}{suffix}")]
        found[f"{kind} {name}"] = [kind, name, *extra, *outputs]
    found["plan office tree"] = [
        "plan",
        "first",
        "--planner",
        "tree",
        "-o",
        "OUT/first.bvh",
        "-o",
        "OUT/first.plan.json",
    ]
    mocap = os.environ.get("GAMBOL_MOCAP")
    if mocap:
        walks = [str(path) for name in WALKS for path in sorted(Path(mocap).rglob(f"{name}.bvh"))]
        for form in ("bvh", "glb"):
            found[f"vary {form}"] = [
                "vary",
                *(f"{walk}@60-190" for walk in walks),
                "-n",
                "3",
                "-o",
                "OUT/v",
                "--format",
                form,
            ]
    found["bake example"] = [
        "bake",
        str(Path(__file__).parent.parent / "examples" / "11_bake.toml"),
        "-o",
        "OUT/baked",
        "-j",
        "1",
    ]
    return found


def compare(before: Path, after: Path) -> int:
    first, second = json.loads(before.read_text()), json.loads(after.read_text())
    different = 0
    for job in sorted(first.keys() | second.keys()):
        if job not in first or job not in second:
            print(f"{job}: only in {'the second' if job in second else 'the first'}")
            different += 1
            continue
        for name in sorted(first[job].keys() | second[job].keys()):
            if first[job].get(name) != second[job].get(name):
                print(f"{job}: {name} differs")
                different += 1
    same = sum(len(files) for files in first.values()) - different
    print(f"{same} the same, {different} different")
    return 1 if different else 0


if __name__ == "__main__":
    main()
