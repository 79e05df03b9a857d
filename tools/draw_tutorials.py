"""Draw the pictures of the tutorials: go through their commands, and keep some of what they write.

    python tools/draw_tutorials.py [CAPTURES]

CAPTURES: a folder with CMU's 35_01.bvh, 35_03.bvh and 108_01.bvh, for the pictures of variants.
"""

from __future__ import annotations

import subprocess
import sys
import tempfile
from pathlib import Path

from draw_start import TUTORIALS, moving, still
from tutorial_pages import DOCS, Command, Program, SavedFile, steps

PICTURES = {
    "scene": {"garden.png": "scene_first.jpg", "both.png": "scene_both.jpg", "both.mp4": "scene_both.webp"},
    "tree": {"jog.png": "tree_jog.jpg", "maze.png": "tree_maze.jpg", "hurdles.png": "tree_hurdles.jpg"},
    "crowd": {"early.png": "crowd_early.jpg", "square.mp4": "crowd_square.webp"},
    "climb": {"crossing.png": "climb_crossing.jpg", "crossing.mp4": "climb_crossing.webp"},
    "variants": {"walks/poses.png": "variants_walks.jpg", "joggers.png": "variants_joggers.jpg"},
}
WIDTHS_PX = {"climb_crossing.jpg": 680}  # it is high
NEED_CAPTURES = ("variants",)


def go_through(name: str, folder: Path) -> None:
    """Do in a folder what a tutorial says, but for the viewer."""
    for step in steps(DOCS / "tutorials" / f"{name}.md"):
        if isinstance(step, SavedFile):
            (folder / step.name).write_text(step.text, encoding="utf-8")
        elif isinstance(step, Program):
            subprocess.run([sys.executable, "-c", step.code], cwd=folder, check=False)
        elif isinstance(step, Command) and step.words[0] != "view":
            program = "from gambol.cli.app import main; main()"
            subprocess.run([sys.executable, "-c", program, *step.words], cwd=folder, check=False)


def keep(name: str, folder: Path) -> None:
    """Make what a tutorial has written as small as pages want it."""
    for written, picture in PICTURES[name].items():
        source, target = folder / "out" / written, TUTORIALS / picture
        if written.endswith(".mp4"):
            moving(source, target)
        else:
            still(source, target, width_px=WIDTHS_PX.get(picture, 1000))


if __name__ == "__main__":
    TUTORIALS.mkdir(parents=True, exist_ok=True)
    captures = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    for tutorial in PICTURES:
        if captures is None and tutorial in NEED_CAPTURES:
            continue
        with tempfile.TemporaryDirectory() as made:
            if captures is not None:
                (Path(made) / "captures").symlink_to(captures.resolve())
            go_through(tutorial, Path(made))
            keep(tutorial, Path(made))
