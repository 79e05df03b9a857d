"""Make several behaviors from one entry of a character file: mirror images, speeds and bends."""

from __future__ import annotations

import re

from gambol.characters.file_model import BehaviorEntry, ClipEntry

_SIDE = re.compile(r"(?i)\b(left|right)\b")
_OTHER_SIDE = {"left": "right", "right": "left", "Left": "Right", "Right": "Left", "LEFT": "RIGHT", "RIGHT": "LEFT"}


def expand(entry: BehaviorEntry) -> list[BehaviorEntry]:
    """Return all behaviors that an entry describes, the plain one first."""
    own = [entry] if entry.mirrored_as is None else [entry, mirror_entry(entry)]
    return [
        vary(one, speed=speed, bend_deg=bend)
        for one in own
        for speed in _distinct(1.0, entry.speeds)
        for bend in _distinct(0.0, entry.bends_deg)
    ]


def mirror_entry(entry: BehaviorEntry) -> BehaviorEntry:
    """Return the mirror image of a behavior, named by its `mirrored_as`."""
    return entry.model_copy(
        update={
            "name": entry.mirrored_as or other_side(entry.name),
            "label": other_side(entry.label or entry.name),
            "begins": other_side(entry.begins),
            "ends": other_side(entry.ends),
            "clips": [_mirror_clip(clip) for clip in entry.clips],
        }
    )


def other_side(text: str) -> str:
    """Exchange the words left and right."""
    return _SIDE.sub(lambda match: _OTHER_SIDE.get(match[0], _OTHER_SIDE[match[0].lower()]), text)


def vary(entry: BehaviorEntry, *, speed: float, bend_deg: float) -> BehaviorEntry:
    """Return a behavior played at another speed and bent, with a name that says so."""
    name, label, kind = entry.name, entry.label or entry.name, entry.kind
    if speed != 1.0:
        name += f"-x{speed:g}"
    if bend_deg != 0.0:
        side = "left" if bend_deg > 0.0 else "right"
        name, label = f"{name}-{side}-{abs(bend_deg):g}", f"{label} {side}"
        kind = "turn" if kind == "forward" else kind
    clips = entry.clips
    if speed != 1.0 or bend_deg != 0.0:
        changes = [{"speed": clip.speed * speed, "bend_deg": clip.bend_deg + bend_deg} for clip in clips]
        clips = [clip.model_copy(update=change) for clip, change in zip(clips, changes, strict=True)]
    done = {"mirrored_as": None, "speeds": [], "bends_deg": []}
    return entry.model_copy(update={"name": name, "label": label, "kind": kind, "clips": clips, **done})


def _mirror_clip(clip: ClipEntry) -> ClipEntry:
    step = clip.step
    if step is not None:
        step = step.model_copy(update={"left_m": -step.left_m, "turn_deg": -step.turn_deg})
    name = None if clip.name is None else f"{clip.name} mirrored"
    return clip.model_copy(
        update={"mirrored": not clip.mirrored, "bend_deg": -clip.bend_deg, "step": step, "name": name}
    )


def _distinct(plain: float, others: list[float]) -> list[float]:
    return [plain, *(value for value in dict.fromkeys(others) if value != plain)]
