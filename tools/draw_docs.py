"""Draw the pictures that the documentation shows."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from gambol.character.builtin.human_skeleton import human_skeleton
from gambol.demo import demo_motion
from gambol.geometry import quaternion
from gambol.motion.motion import Motion
from gambol.motion.quality import measure_quality
from gambol.pictures.contact_sheet import contact_sheet
from gambol.pictures.quality_picture import quality_picture

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"


def turntable(views: int = 6) -> Motion:
    """Return the built-in human in its rest pose, turned a little further each frame."""
    skeleton = human_skeleton()
    rotations = quaternion.identity(views, skeleton.joint_count)
    rotations[:, 0] = quaternion.from_heading(np.linspace(0.0, np.pi, views))
    return Motion(skeleton, 1.0, np.tile(skeleton.offsets[0], (views, 1)), rotations)


def main() -> None:
    walk = demo_motion()
    contact_sheet(
        walk, FOLDER / "walk_contact_sheet.png", title="A walk made by code, cut, mirrored, retimed and joined"
    )
    quality_picture(walk, measure_quality(walk), FOLDER / "walk_quality.png", title="gambol inspect walk.bvh")
    contact_sheet(turntable(), FOLDER / "body.png", columns=6, rows=1, title="The body at rest", view="front")


if __name__ == "__main__":
    main()
