"""Two states of the sources are asked the same: costs of all plans and look-ups must be equal, to the last unit.

By default these are *old*, whose kernels were all numba's, and a state whose core does the same by the same methods.

    python -m evidence.soak.core_equality                              # go on where an earlier run stopped
    python -m evidence.soak.core_equality --old b3af629 --new .        # any two commits, or folders with sources
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from evidence.old.environment import OLD, Environment, Worker, commit_of, environment
from evidence.soak.shipped_scenes import planned_scenes
from evidence.soak.tally import Record, Tally

RESULTS = Path(__file__).resolve().parent / "results"
PORTED = "d13dd6d"  # searches and look-ups run in the core, their methods unchanged
SCRIPT = "equality.py"
LOOK_UPS_EACH = 1_000  # in one world


@dataclass(frozen=True)
class EqualityJob:
    """Ask both for every shipped scene, so many random problems and so many look-ups."""

    name: str = "core-equality"
    old: str = OLD
    new: str = PORTED
    problems: int = 10_000
    worlds: int = 1_000  # each is asked LOOK_UPS_EACH times
    problems_each: int = 50  # of a chunk
    worlds_each: int = 10
    nice: int = 19
    scenes: list[str] = field(default_factory=planned_scenes)

    @property
    def summary(self) -> str:
        return f"{self.old} and {self.new} find the same costs: scenes, {self.problems:,} problems, look-ups"

    @cached_property
    def environments(self) -> tuple[Environment, Environment]:
        return environment(self.old), environment(self.new)

    @property
    def chunk_count(self) -> int:
        return len(self.chunks())

    @property
    def facts(self) -> dict[str, Any]:
        return {
            "job": self.name,
            "old": commit_of(self.old),
            "new": commit_of(self.new),
            "scenes": len(self.scenes),
            "problems": self.problems,
            "look_ups": self.worlds * LOOK_UPS_EACH,
            "chunk_size": [self.problems_each, self.worlds_each],
            "seed": "evidence/old/worker/equality.py, by number",
        }

    def chunks(self) -> list[list[dict[str, Any]]]:
        """Return the questions of each chunk: a scene, some problems, or look-ups in some worlds."""
        scenes = [[{"what": "scene", "name": name}] for name in self.scenes]
        problems = [
            [{"what": "problems", "first": first, "count": min(self.problems_each, self.problems - first)}]
            for first in range(0, self.problems, self.problems_each)
        ]
        look_ups = [
            [
                {"what": "look-ups", "number": number, "count": LOOK_UPS_EACH}
                for number in range(first, min(first + self.worlds_each, self.worlds))
            ]
            for first in range(0, self.worlds, self.worlds_each)
        ]
        mixed = [chunk for pair in zip(problems, look_ups, strict=False) for chunk in pair]
        longer = problems if len(problems) > len(look_ups) else look_ups
        return [*mixed, *longer[min(len(problems), len(look_ups)) :], *scenes]

    @contextmanager
    def session(self) -> Iterator[EqualitySession]:
        """Start both, give them characters of the same shapes, and make sure that they have."""
        old, new = self.environments
        with ExitStack() as stack:
            shapes = str(Path(stack.enter_context(tempfile.TemporaryDirectory())) / "shapes.npz")
            with new.worker(SCRIPT, nice=self.nice) as one:
                one.ask({"what": "write shapes", "path": shapes})
            workers = [
                stack.enter_context(each.worker(SCRIPT, {"shapes": shapes}, nice=self.nice)) for each in (old, new)
            ]
            for what in ("tables", "trees"):
                answers = [worker.ask({"what": what}) for worker in workers]
                if answers[0] != answers[1]:
                    raise RuntimeError(f"{what} differ: {answers}")
            yield EqualitySession(self.chunks(), workers[0], workers[1])


class EqualitySession:
    """Two processes that are asked in turn: one after the other, so that one processor is enough."""

    def __init__(self, chunks: list[list[dict[str, Any]]], old: Worker, new: Worker) -> None:
        self._chunks, self._old, self._new = chunks, old, new

    def run_chunk(self, chunk: int) -> Tally:
        tally = Tally()
        for question in self._chunks[chunk]:
            begun = time.perf_counter()
            old, new = self._old.ask(question), self._new.ask(question)
            compare = {"scene": _scene, "problems": _problems, "look-ups": _look_ups}[question["what"]]
            found = compare(question, old, new)
            found.seconds = found.slowest_s = time.perf_counter() - begun
            tally.add(found)
        return tally


def _scene(question: dict[str, Any], old: dict[str, Any], new: dict[str, Any]) -> Tally:
    return _plans("scenes", question["name"], old, new)


def _problems(question: dict[str, Any], old: list[dict[str, Any]], new: list[dict[str, Any]]) -> Tally:
    tally = Tally()
    for number, (before, after) in enumerate(zip(old, new, strict=True), question["first"]):
        tally.add(_plans("problems", number, before, after))
    return tally


def _plans(kind: str, name: str | int, old: dict[str, Any], new: dict[str, Any]) -> Tally:
    """Compare plans by planner: cost and outcome must be the same; steps and what it took are counted."""
    counts, failures = Counter({f"{kind}: asked": 1}), []
    for planner in old:
        before, after = old[planner], new[planner]
        counts[f"{kind}: plans"] += 1
        counts[f"{kind}: plans found"] += before["outcome"] == "found"
        counts[f"{kind}: of the same steps"] += before["steps"] == after["steps"]
        counts[f"{kind}: after the same expansions"] += before["took"] == after["took"]
        if (before["cost"], before["outcome"]) != (after["cost"], after["outcome"]):
            failures.append(_failure(kind, name, f"{planner}: {before} and {after}"))
    return Tally(1, int(not failures), failures=failures, counts=counts, slowest_input=_number(name))


def _look_ups(question: dict[str, Any], old: dict[str, Any], new: dict[str, Any]) -> Tally:
    """Compare the answers in one world: cost and outcome must be the same; nodes and what it took are counted."""
    number, asked = question["number"], len(old["costs"])
    pairs = [list(zip(one["costs"], one["outcomes"], strict=True)) for one in (old, new)]
    wrong = [at for at, (before, after) in enumerate(zip(*pairs, strict=True)) if before != after]
    counts = Counter(
        {
            "look-ups: asked": asked,
            "look-ups: found": sum(cost >= 0 for cost in old["costs"]),
            "look-ups: of the same node": sum(a == b for a, b in zip(old["nodes"], new["nodes"], strict=True)),
            "look-ups: worlds": 1,
            "look-ups: worlds with the same nodes visited and samples looked up": int(old["took"] == new["took"]),
        }
    )
    failures = [
        _failure("look-ups", number, f"question {at}: {pairs[0][at]} and {pairs[1][at]}") for at in wrong[:5]
    ]  # fmt: skip
    return Tally(asked, asked - len(wrong), failures=failures, counts=counts, slowest_input=number)


def _failure(kind: str, name: str | int, message: str) -> dict[str, Any]:
    return {"input": _number(name), "error": f"Unequal: {kind} {name}", "message": message, "recipe": str(name)}


def _number(name: str | int) -> int:
    return name if isinstance(name, int) else -1


def main() -> int:
    """Run; 0 if all are equal, 1 if not."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--old", default=OLD, help="a commit, or a folder with sources")
    parser.add_argument("--new", default=PORTED, help="the same")
    parser.add_argument("--name", default="core-equality", help="of the file of results")
    parser.add_argument("--problems", type=int, default=10_000)
    parser.add_argument("--worlds", type=int, default=1_000, help="in each, a thousand look-ups are asked")
    parser.add_argument("--minutes", type=float, help="start nothing after so many minutes")
    options = parser.parse_args()
    job = EqualityJob(
        options.name, options.old, options.new, options.problems, options.worlds
    )  # fmt: skip
    record = Record(RESULTS / f"{job.name}.json", job.facts, job.chunk_count)
    record.load()
    begun = time.monotonic()
    with job.session() as session:
        for chunk in sorted(set(range(job.chunk_count)) - record.done):
            if options.minutes is not None and time.monotonic() - begun > 60.0 * options.minutes:
                break
            record.add(chunk, session.run_chunk(chunk))
    tally = record.tally
    print(f"{tally.inputs:,} asked, {len(tally.failures)} unequal, {len(record.done)} of {job.chunk_count} chunks")
    for what, count in sorted(tally.counts.items()):
        print(f"  {what}: {count:,}")
    return 1 if tally.failures else 0


if __name__ == "__main__":
    sys.exit(main())
