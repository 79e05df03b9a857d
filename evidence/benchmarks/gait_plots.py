"""Set the built-in human's legs beside captured ones: `python -m evidence.benchmarks.gait_plots MOCAP_FOLDER`.

Writes docs/pictures/gait_*.png: hip, knee and ankle over one stride, from contact to contact.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import NamedTuple

import matplotlib
import numpy as np
from numpy.typing import NDArray
from tools.authoring.locomotion.clips import jogs, walks

from gambol.files import read_motion
from gambol.motion import Motion, edits, legs

matplotlib.use("Agg")
import matplotlib.pyplot as plt

FloatArray = NDArray[np.float64]
PICTURES = Path(__file__).parent.parent.parent / "docs" / "pictures"
COLUMNS = ("thigh from vertical", "knee flexion", "ankle dorsiflexion")


class Stride(NamedTuple):
    """A stride of one leg, from contact to contact."""

    label: str
    angles: FloatArray  # (F, 3) degrees: thigh, knee, ankle


def leg_angles(motion: Motion, side: int) -> FloatArray:
    """Return thigh, knee and ankle (F, 3) in degrees, in the vertical plane of travel; flexion is positive."""
    leg = legs(motion.skeleton)[side]
    joints = motion.world_positions[:, [leg.root, leg.middle, leg.end, leg.toe]]
    way = motion.root_positions[-1, :2] - motion.root_positions[0, :2]
    ahead = joints[..., :2] @ (way / np.linalg.norm(way))
    along, up = np.diff(ahead, axis=1), np.diff(joints[..., 2], axis=1)
    thigh, shank = (np.degrees(np.arctan2(along[:, bone], -up[:, bone])) for bone in (0, 1))
    foot = np.degrees(np.arctan2(up[:, 2], along[:, 2]))
    # Skeletons disagree about what a flat foot is: each is measured against its own, early in its stance.
    flat = np.median(foot[int(0.10 * len(foot)) : int(0.20 * len(foot))])
    foot = (foot - flat + 180.0) % 360.0 - 180.0
    return np.column_stack((thigh, thigh - shank, foot - shank))


def captured(folder: Path, name: str, first: int, last: int, label: str) -> Stride:
    """Read one stride of the left leg; frames as CUTS.csv numbers them."""
    motion = read_motion(folder / name).motion
    return Stride(label, leg_angles(edits.cut(motion, first, last), 0))


def plot(path: Path, title: str, strides: list[Stride]) -> None:
    """Draw the built-in stride (the first) over the captured ones."""
    figure, axes = plt.subplots(1, 3, figsize=(12, 3.6), constrained_layout=True)
    for column, (axis, name) in enumerate(zip(axes, COLUMNS, strict=True)):
        for number, stride in reversed(list(enumerate(strides))):
            share = np.linspace(0.0, 100.0, len(stride.angles))
            style = {"color": "#c2410c", "lw": 2.4} if number == 0 else {"color": "#64748b", "lw": 1.1, "alpha": 0.8}
            axis.plot(share, stride.angles[:, column], label=stride.label, **style)
        axis.set(title=name, xlabel="% of the stride", xlim=(0, 100))
        axis.grid(alpha=0.25)
    axes[0].set_ylabel("degrees")
    axes[0].legend(fontsize=7, loc="best")
    figure.suptitle(title)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def main(folder: Path) -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    jog, walk = jogs()["jog"], walks()["walk"]
    plot(
        PICTURES / "gait_jog.png",
        "Jog at 2.6 m/s beside captures of CMU subject 108",
        [
            Stride("built-in", leg_angles(edits.cut(jog.motion, 16, jog.motion.frame_count - 17), 0)),
            captured(folder, "jog_forward/108_04.bvh", 86, 170, "108_04, 2.7 m/s"),
            captured(folder, "jog_forward/108_06.bvh", 5, 92, "108_06, 2.4 m/s"),
            captured(folder, "jog_forward/108_05.bvh", 95, 179, "108_05, 2.1 m/s"),
        ],
    )
    plot(
        PICTURES / "gait_walk.png",
        "Walk at 1.3 m/s beside captures of CMU subject 35",
        [
            Stride("built-in", leg_angles(edits.cut(walk.motion, 16, walk.motion.frame_count - 17), 0)),
            captured(folder, "var_walk/35_01.bvh", 15, 150, "35_01, 1.3 m/s"),
            captured(folder, "var_walk/35_01.bvh", 150, 282, "35_01, 1.3 m/s"),
        ],
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
