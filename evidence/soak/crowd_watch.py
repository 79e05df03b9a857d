"""Watching a crowd as it runs: how fast they go, how long they stand, how long a frame takes."""

from __future__ import annotations

import os
import time
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.crowd import ON_THE_WAY, Crowd
from gambol.crowd.kernels.standing import longest_stand
from gambol.crowd.recording_statistics import STANDING_M

FloatArray = NDArray[np.float64]
SAMPLE_FRAMES = 10  # between the places by which standing is judged


class Watch:
    """What is seen of up to N characters in F frames.  All memory is taken, and touched, at the beginning."""

    def __init__(self, crowd: Crowd, *, most: int, frames: int, settling_frames: int = 0) -> None:
        """settling_frames: at the beginning, whose speeds and times do not count."""
        self.crowd = crowd
        self.frames, self.settling_frames = frames, settling_frames
        self.ms = np.full(frames + 1, np.nan)  # processor time of each frame
        self.clock_ms = np.full(frames + 1, np.nan)
        self._points = np.full((frames // SAMPLE_FRAMES + 1, most, 2), np.nan, dtype=np.float32)
        self._last = np.full((most, 2), np.nan)
        self._way_m, self._time_s = 0.0, 0.0

    def step(self) -> None:
        """Let one frame pass and look."""
        begun, clock = time.process_time(), time.perf_counter()
        self.crowd.step()
        frame = self.crowd.frame
        if frame <= self.frames:
            self.ms[frame] = 1000.0 * (time.process_time() - begun)
            self.clock_ms[frame] = 1000.0 * (time.perf_counter() - clock)
            self._look(frame)

    def _look(self, frame: int) -> None:
        ids, roots, going = present_roots(self.crowd)
        moved = np.linalg.norm(roots - self._last[ids], axis=1)
        if frame > self.settling_frames:
            counted = moved[going & np.isfinite(moved)]
            self._way_m += float(counted.sum())
            self._time_s += len(counted) / self.crowd.rate_hz
        self._last[:] = np.nan
        self._last[ids] = roots
        if frame % SAMPLE_FRAMES == 0:
            self._points[frame // SAMPLE_FRAMES, ids[going]] = roots[going]

    @property
    def mean_speed_m_s(self) -> float:
        """Of all who had somewhere to go."""
        return self._way_m / self._time_s if self._time_s > 0.0 else 0.0

    def stands_s(self) -> FloatArray:
        """Return how long each (N,) stood at most while it had somewhere to go, to a third of a second."""
        seconds = np.zeros(self._points.shape[1])
        for number in range(len(seconds)):
            points = self._points[:, number].astype(np.float64)
            seen = np.isfinite(points[:, 0]).astype(np.int8)
            edges = np.flatnonzero(np.diff(seen, prepend=0, append=0))
            for first, last in zip(edges[::2], edges[1::2], strict=True):
                frames = longest_stand(np.ascontiguousarray(points[first:last]), 2.0 * STANDING_M).frames - 1
                seconds[number] = max(seconds[number], frames * SAMPLE_FRAMES / self.crowd.rate_hz)
        return seconds

    def figures(self) -> dict[str, float]:
        """Return what was seen so far."""
        stands = self.stands_s()
        times = self.ms[self.settling_frames + 1 : self.crowd.frame + 1]
        return {
            "longest_stand_s": round(float(stands.max(initial=0.0)), 2),
            "stand_p99_s": round(float(np.quantile(stands, 0.99)), 2) if len(stands) else 0.0,
            "mean_speed_m_s": round(self.mean_speed_m_s, 3),
            **frame_times(times),
        }


def present_roots(crowd: Crowd) -> tuple[NDArray[np.int64], FloatArray, NDArray[np.bool_]]:
    """Return who is there (M,), where their roots are (M, 2), and which of them have somewhere to go."""
    flock, clips = crowd._flock, crowd._tables.clips
    places = np.flatnonzero(flock.taken[: crowd._count])
    pose = flock.pose[places, 0]
    rows = clips.first_sample[flock.clip[places, 0]] + crowd.frame - flock.frame[places, 0]
    x, y = clips.samples[rows, 0], clips.samples[rows, 1]
    roots = np.column_stack(
        (pose[:, 0] + pose[:, 3] * x - pose[:, 4] * y, pose[:, 1] + pose[:, 4] * x + pose[:, 3] * y)
    )
    return crowd._id[places], roots, flock.condition[places] == ON_THE_WAY


def frame_times(ms: FloatArray) -> dict[str, float]:
    """Return mean and 95th percentile of some frames' times."""
    seen = ms[np.isfinite(ms)]
    if not len(seen):
        return {}
    return {"ms": round(float(seen.mean()), 3), "ms_p95": round(float(np.quantile(seen, 0.95)), 3)}


def resident_mb() -> float:
    """Return how much memory this process holds."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 2**20
