"""The record of outputs: times by the clock make no difference, all else does."""

from __future__ import annotations

import json

from tools.record_outputs import masked_hash

from gambol.stages import RunFacts


def written(clock: float, *, replans: int = 3) -> bytes:
    """Return what a crowd's report says of its run."""
    run = RunFacts(
        scene="plaza", seed=1, threads=1, reservations="swept", lanes=True, run_s=clock, ms_per_frame=0.1 * clock,
        slow_ms=0.3 * clock, stage_ms=dict.fromkeys(("advance", "routes", "commit"), clock / 7.0), replans=replans,
        counts={"commit": 4, "routes": 5}, waiting_to_appear=0,
    )  # fmt: skip
    return json.dumps({"ms_per_frame": run.ms_per_frame, "run": run._asdict()}, indent=1).encode()


def test_times_of_a_crowds_report_make_no_difference():
    assert masked_hash(written(1.5), "out") == masked_hash(written(271.125), "out")


def test_counts_of_a_crowds_report_do():
    assert masked_hash(written(1.5), "out") != masked_hash(written(1.5, replans=4), "out")
    fewer = written(1.5).replace(b'"commit": 4', b'"commit": 5')
    assert masked_hash(written(1.5), "out") != masked_hash(fewer, "out")
