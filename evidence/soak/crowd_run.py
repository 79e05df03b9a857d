"""A crowd that runs on in slices, watched, edited or left alone, and judged at full rate slice by slice.

A slice depends on all before it.  Whoever takes up a run in the middle lets the earlier slices pass again, which is
deterministic, without judging them.  What lasts from one slice into the next is a finding of the one in which it ends,
from its own beginning on: some time before each slice is judged with it.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, NamedTuple

import numpy as np

from evidence.soak.crowd_edits import Drops, RandomEdits
from evidence.soak.crowd_verdict import Verdict
from evidence.soak.crowd_watch import Watch, frame_times, resident_mb
from gambol.crowd import ARRIVED, LOST, Crowd, Entrance
from gambol.crowd.edits import OUT_S
from gambol.judges import CrowdCollision, CrowdReport, CrowdTouch, join_reports, judge_crowd
from gambol.scenes import Scene
from gambol.world import World

LEAD_S = 10.0  # before a slice, that is judged with it
TIME_TOLERANCE_S = 1e-6


class Slice(NamedTuple):
    """What became of one slice; figures of everyone's fate are of all the time up to its end."""

    row: dict[str, Any]
    verdict: Verdict


class CrowdRun:
    """One crowd and its time, `slices` stretches of `slice_frames`."""

    def __init__(
        self,
        scene: Scene,
        *,
        slices: int,
        slice_s: float,
        edits_every_s: float | None,
        drops: bool = False,
        threads: int = 1,
    ) -> None:
        """edits_every_s: None: nothing is edited.  drops: whether edits are crates dropped onto people, at once."""
        kinds = list({id(actor.character): actor.character for actor in scene.cast}.values())
        self.crowd = Crowd(scene.world, kinds, seed=scene.seed, threads=threads)
        rate = self.crowd.rate_hz
        self.slice_frames = round(slice_s * rate)
        self.next_slice = 0
        self._slices, self._lead = slices, round(LEAD_S * rate)
        self._most_s = math.inf if drops else OUT_S  # that anyone may be in what an edit has put there
        self._entrance = Entrance(scene, self.crowd)
        self._watch = Watch(self.crowd, most=len(scene.cast), frames=slices * self.slice_frames)
        self._edits = None
        if edits_every_s is not None:
            kind = Drops if drops else RandomEdits
            self._edits = kind(self.crowd, seed=scene.seed, every_frames=round(edits_every_s * rate))
        # How a clip ends is known when the next has begun.
        self._ahead = int(self.crowd._tables.clips.duration.max()) + 1
        self._arrivals = np.zeros(len(scene.cast), dtype=np.int64)  # of each
        self._start: World = scene.world

    def skip_to(self, number: int) -> None:
        """Let all slices before this one pass."""
        while self.next_slice < number:
            self._pass()
            self._close()

    def run_slice(self, *, threads: int = 1) -> Slice:
        """Run the next slice and judge it."""
        first = self.next_slice * self.slice_frames
        last = self._pass()
        rate = self.crowd.rate_hz
        verdict = Verdict.of(self._judge(first, last, threads), self.crowd.edits, rate, most_s=self._most_s)
        times = frame_times(self._watch.ms[first + 1 : last + 1])
        arrivals = int(self._arrivals.sum())
        self._close()
        row = {
            "until_s": last / rate,
            "present": len(self.crowd),
            "waiting_to_appear": len(self._entrance),
            **verdict.counts,
            "hit": [list(hit) for hit in verdict.hits],
            "arrivals": int(self._arrivals.sum()) - arrivals,
            **self._fates(),
            **{name: value for name, value in self._watch.figures().items() if name not in ("ms", "ms_p95")},
            **times,
            "resident_mb": round(resident_mb(), 1),
        }
        if self._edits is not None:
            row["edits"] = dict(self._edits.made)
        return Slice(row, verdict)

    def _judge(self, first: int, last: int, threads: int) -> CrowdReport:
        """Judge a slice: all that is found to end in it, or to last beyond the end of all."""
        own = self._judge_part(first, last, threads)
        lead = self._judge_part(max(first - self._lead, 0), first, threads) if first else None
        whole = own if lead is None else join_reports((lead, own))
        from_s = first / self.crowd.rate_hz - TIME_TOLERANCE_S
        until_s = last / self.crowd.rate_hz - TIME_TOLERANCE_S
        if self.next_slice == self._slices - 1:
            until_s = math.inf

        def ends_here(found: CrowdCollision | CrowdTouch) -> bool:
            return from_s <= found.end_s < until_s

        return replace(
            own,
            collisions=tuple(filter(ends_here, whole.collisions)),
            touches=tuple(filter(ends_here, whole.touches)),
        )

    def _judge_part(self, first: int, last: int, threads: int) -> CrowdReport:
        rate, worlds = self.crowd.rate_hz, self.crowd.worlds
        world = next((world for frame, world in reversed(worlds) if frame <= first), self._start)
        edits = [(frame, changed) for frame, changed in worlds if first < frame <= last]
        return judge_crowd(
            self.crowd.recording(), world, from_s=first / rate, until_s=last / rate, edits=edits, threads=threads
        )

    def _pass(self) -> int:
        """Let the next slice pass, and some more; return the frame at its end."""
        last = (self.next_slice + 1) * self.slice_frames
        while self.crowd.frame < last + self._ahead:
            self._entrance.admit()
            if self._edits is not None:
                self._edits.edit()
            self._watch.step()
        return last

    def _close(self) -> None:
        """Count who arrived in the slice, and forget all but its end."""
        first, last = self.next_slice * self.slice_frames, (self.next_slice + 1) * self.slice_frames
        arrivals = self.crowd._log.arrivals
        own = arrivals[(arrivals[:, 1] >= first) & (arrivals[:, 1] < last), 0]
        np.add.at(self._arrivals, own, 1)
        self.crowd.cut_log(max(last - self._lead, 0))
        self.next_slice += 1

    def _fates(self) -> dict[str, int]:
        """Return how many have a goal that there is a way to, and how many of them have arrived.

        Who goes on for ever has arrived when it came to one goal; who follows another has no goal.
        """
        crowd, flock = self.crowd, self.crowd._flock
        reachable, arrived = 0, 0
        for who in range(len(crowd.names)):
            place = crowd._place.get(who)
            errand = None if place is None else crowd.errand(who)
            if errand is not None and errand.leader is not None:
                continue
            done = place is None or flock.condition[place] == ARRIVED
            if errand is not None and errand.is_endless:
                done = self._arrivals[who] > 0
            if done or (place is not None and flock.condition[place] != LOST):
                reachable += 1
                arrived += bool(done)
        return {"reachable": reachable, "arrived": arrived}
