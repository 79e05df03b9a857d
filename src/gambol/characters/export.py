"""Write a character's clips as motion files, to look at in other programs."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.files.formats import write_motion
from gambol.motion import edits


def write_clips(
    character: Character, folder: Path, *, suffix: str = ".bvh", say: Callable[[str], None] | None = None
) -> tuple[Path, ...]:
    """Write every distinct clip without its margins to a file with the clip's name; return the files."""
    clips: dict[int, Clip] = {id(clip): clip for behavior in character.behaviors for clip in behavior.clips}
    taken: dict[str, int] = {}
    files: list[Path] = []
    for clip in clips.values():
        if say is not None:
            say(f"writing {clip.name}")
        stem = re.sub(r"[^\w.+-]+", "_", clip.name)
        taken[stem] = taken.get(stem, 0) + 1
        number = f"_{taken[stem]}" if taken[stem] > 1 else ""
        path = folder / f"{stem}{number}{suffix}"
        write_motion(path, edits.cut(clip.motion, clip.margin, clip.motion.frame_count - 1 - clip.margin))
        files.append(path)
    return tuple(files)
