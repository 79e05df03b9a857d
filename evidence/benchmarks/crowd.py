"""Crowds: a frame of whole bodies that never touch, beside the discs of reciprocal velocity obstacles (pyrvo)."""

from __future__ import annotations

import time
from typing import NamedTuple

import numpy as np

from evidence.benchmarks.crowd_memory import array_bytes, bytes_each
from evidence.benchmarks.crowd_plaza import DENSITY, RADIUS_M, RATE_HZ, Nearness, Plaza, Times
from evidence.benchmarks.crowd_rvo import RvoRun, run_rvo, stand_rvo
from evidence.benchmarks.timing import Row
from gambol.characters import Character, load_character
from gambol.crowd import Crowd, Errand, LivePoses, root_points
from gambol.judges import judge_crowd

SIZES = (150, 1_000, 10_000)
WARM_UP, FRAMES = 300, 300


class OurRun(NamedTuple):
    """What came of it, all in the frames after the warm-up."""

    step: Times
    poses: Times  # of full poses, beside
    clock: Times  # the step's on the clock: with threads, that is less
    near: Nearness
    touches: int  # of bodies, between frames as well
    collisions: int
    arrivals: int
    speed_m_s: float
    array_bytes_each: float
    last: np.ndarray  # where everyone is at the end


def run() -> list[Row]:
    rows: list[Row] = []
    human = load_character("human").subset("crowd")
    run_ours(Plaza(SIZES[0]), human, warm_up=60, frames=30)  # compile
    cost_each_us: dict[int, float] = {}
    for size in SIZES:
        plaza = Plaza(size)
        ours = run_ours(plaza, human, warm_up=WARM_UP, frames=FRAMES)
        rvo = run_rvo(plaza, warm_up=WARM_UP, frames=FRAMES)
        rows += _rows(plaza, human, ours, rvo)
        cost_each_us[size] = 1000.0 * (ours.step.mean + ours.poses.mean) / size
        if size == SIZES[-1]:
            rows += [_threads(plaza, human, ours), _gridmap(plaza, human, ours), _memory(plaza, ours)]
    few, many = SIZES[-2:]
    rows.append(
        Row(
            f"cost of a character in a frame with full poses, in a crowd of {many:,}",
            f"{cost_each_us[many]:.2f} µs",
            f"{cost_each_us[few]:.2f} µs in a crowd of {few:,}",
            f"{cost_each_us[few] / cost_each_us[many]:.2f}",
        )
    )
    return rows


def run_ours(
    plaza: Plaza,
    human: Character,
    *,
    warm_up: int,
    frames: int,
    threads: int = 1,
    reservations: str = "swept",
    judged: bool = True,
) -> OurRun:
    """Run our crowd in the plaza."""
    crowd = _opened(plaza, human, threads=threads, reservations=reservations)
    for _ in range(warm_up):
        crowd.step()
    live = LivePoses(crowd)
    live.now()
    steps, poses, clock = [], [], []
    arrivals = crowd.statistics.arrivals
    for _ in range(frames):
        seen, begun = time.perf_counter(), time.process_time()
        crowd.step()
        stepped = time.process_time()
        clock.append(time.perf_counter() - seen)
        shown = time.process_time()
        live.now()
        poses.append(time.process_time() - shown)
        steps.append(stepped - begun)
    arrivals = crowd.statistics.arrivals - arrivals
    recording = crowd.recording()
    roots = np.stack(list(root_points(recording)))[:, -frames - 1 :]
    near = Nearness()
    for points in np.moveaxis(roots[:, 1:], 1, 0):
        near.look(points)
    report = judge_crowd(recording, plaza.world, from_s=warm_up / RATE_HZ) if judged else None
    return OurRun(
        Times.of(steps), Times.of(poses), Times.of(clock), near,
        -1 if report is None else len(report.touches), -1 if report is None else len(report.collisions), arrivals,
        float(np.linalg.norm(np.diff(roots, axis=1), axis=-1).mean() * RATE_HZ),
        array_bytes(crowd) / plaza.count, roots[:, -1],
    )  # fmt: skip


def walk_ours(plaza: Plaza, frames: int) -> Crowd:
    """Return a plaza's crowd after some frames."""
    crowd = _opened(plaza, load_character("human").subset("crowd"))
    for _ in range(frames):
        crowd.step()
    return crowd


def _opened(plaza: Plaza, human: Character, *, threads: int = 1, reservations: str = "swept") -> Crowd:
    crowd = Crowd(plaza.world, [human], seed=plaza.seed, threads=threads, reservations=reservations)
    for (x, y, heading), goals in zip(plaza.starts.tolist(), plaza.goals.tolist(), strict=True):
        crowd.add(0, (x, y, heading), Errand.around([(goal[0], goal[1]) for goal in goals]))
    return crowd


def _rows(plaza: Plaza, human: Character, ours: OurRun, rvo: RvoRun) -> list[Row]:
    crowd = f"crowd of {plaza.count:,}, {DENSITY} per m², five boxes"
    both = Times(ours.step.ms + ours.poses.ms)
    joints = human.skeleton.joint_count
    discs = f"{rvo.step} (pyrvo, discs)"
    return [
        Row(
            f"{crowd}: a frame without poses", str(ours.step), discs, f"{rvo.step.mean / ours.step.mean:.2f}",
            f"processor time of {len(ours.step.ms)} frames at {RATE_HZ:g} Hz after {WARM_UP}; pyrvo's step alone, "
            "without setting velocities and reading places",
        ),
        Row(
            f"{crowd}: a frame with full poses of {joints} joints", str(both), discs,
            f"{rvo.step.mean / both.mean:.2f}", f"the poses: {ours.poses}",
        ),
        Row(
            f"{crowd}: pairs whose roots come nearer than {2 * RADIUS_M:g} m",
            f"{ours.near.pairs:,} (of bodies: {ours.touches} touches, {ours.collisions} collisions)",
            f"{rvo.near.pairs:,} (pyrvo), up to {100 * rvo.near.deepest_m:.1f} cm deep",
            "",
            f"arrivals: {ours.arrivals:,} and {rvo.arrivals:,}; mean speeds: {ours.speed_m_s:.2f} and "
            f"{rvo.speed_m_s:.2f} m/s; whole bodies may pass nearer than two discs",
        ),
    ]  # fmt: skip


def _threads(plaza: Plaza, human: Character, ours: OurRun) -> Row:
    two = run_ours(plaza, human, warm_up=WARM_UP, frames=FRAMES, threads=2, judged=False)
    same = "the same places" if np.array_equal(two.last, ours.last) else "OTHER PLACES"
    return Row(
        f"crowd of {plaza.count:,}: a frame without poses, in two threads, on the clock", str(two.clock),
        f"{ours.clock} in one", f"{ours.clock.mean / two.clock.mean:.2f}", f"{same} in the end",
    )  # fmt: skip


def _gridmap(plaza: Plaza, human: Character, ours: OurRun) -> Row:
    papers = run_ours(plaza, human, warm_up=WARM_UP, frames=FRAMES, reservations="gridmap")
    return Row(
        f"crowd of {plaza.count:,}: a frame without poses, swept shapes beside gridmaps [L09 4.7.1]", str(ours.step),
        f"{papers.step} (gridmaps)", f"{papers.step.mean / ours.step.mean:.2f}",
        f"touches of bodies: {ours.touches} and {papers.touches:,}; mean speeds: {ours.speed_m_s:.2f} and "
        f"{papers.speed_m_s:.2f} m/s",
    )  # fmt: skip


def _memory(plaza: Plaza, ours: OurRun) -> Row:
    own = bytes_each(walk_ours, plaza.count, frames=WARM_UP)
    discs = bytes_each(stand_rvo, plaza.count, frames=WARM_UP)
    return Row(
        f"memory of a character in a crowd of {plaza.count:,}, without poses",
        f"{own:,.0f} bytes, {ours.array_bytes_each:,.0f} of them state",
        f"{discs:,.0f} bytes (pyrvo)",
        f"{discs / own:.2f}",
        f"growth of a process; ours with goals, names, the log of {WARM_UP / RATE_HZ:g} s and the map of the world",
    )
