"""USD in: a stage to a motion."""

from __future__ import annotations

import math
from pathlib import Path

from gambol.errors import InvalidInput, MalformedFile, UnknownName
from gambol.extras import check_extra
from gambol.files.reading import Reading
from gambol.files.usd.extraction import check_encoding, run_extraction
from gambol.files.usd.transforms import motion_from_transforms

MAX_JOINT_FRAMES = 1 << 23  # the most joints times frames that are read: 19 minutes of 60 joints at 120 Hz


def read_usd(path: Path | str, *, character: str | None = None, rate_hz: float | None = None) -> Reading:
    """Read the motion of one UsdSkel character from a .usda, .usdc, .usd or .usdz file.

    character: the name of its SkelRoot, or its skeleton's path; None reads the first.
    rate_hz: frames a second; None takes one frame for each time code, or for each sample if these are denser.

    Up axis, unit, all transforms above the skeleton and turned rest frames are converted, so that world positions of
    the joints are the stage's.  Rest is the bind pose, or the rest transforms where these fit the animated bones'
    lengths better.  Scales and shears of joints are dropped; their effect on positions stays.  Files that the file
    refers to are read only within its own folder.

    The USD library (26.11 at least) crashes on some malformed files, text and crates alike, and takes any amount of
    memory on others.  It therefore runs in a process of its own with bounded memory: whatever the file holds, the
    worst is MalformedFile, at the cost of a third of a second.
    """
    path = Path(path)
    if rate_hz is not None and not (math.isfinite(rate_hz) and rate_hz > 0.0):
        raise InvalidInput(f"a rate must be a positive number of frames a second, not {rate_hz}")
    check_encoding(path)
    check_extra("usd", "USD files")
    options = {"character": character, "rate_hz": rate_hz, "max_joint_frames": MAX_JOINT_FRAMES}
    report, arrays = run_extraction(path, "motion", options)
    if "characters" in report:
        raise UnknownName("character", str(character), report["characters"])
    if "error" in report:
        raise MalformedFile(report["error"], path=path, line=report.get("line"))
    try:
        motion, notes = motion_from_transforms(report, arrays)
    except InvalidInput as error:
        raise MalformedFile(str(error), path=path) from error
    return Reading(motion, (*report["notes"], *notes))
