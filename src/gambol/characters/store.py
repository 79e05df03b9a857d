"""A built character as one file, so that it need not be built again."""

from __future__ import annotations

import hashlib
import io
import json
import os
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any
from zipfile import ZIP_STORED, BadZipFile, ZipFile

import numpy as np

from gambol import __version__
from gambol.characters.behavior import Annotation, Behavior
from gambol.characters.character import Character, Transition
from gambol.characters.clip import Clip
from gambol.characters.swept_shape import SweptShape
from gambol.errors import FileProblem, GambolError, MalformedFile
from gambol.files.disk import read_bytes, unwatched_reads, write_atomically
from gambol.motion.contact_points import ContactPoint
from gambol.motion.contacts import Contacts
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

FORMAT = 1
SOURCES = Path(__file__).parent.parent
_SHAPE = ("offset", "radius", "low", "high")


def save_character(path: Path | str, character: Character) -> None:
    """Write a character with all its clips; a clip that occurs often is written once."""
    clips = list({id(clip): clip for behavior in character.behaviors for clip in behavior.clips}.values())
    number_of = {id(clip): number for number, clip in enumerate(clips)}
    skeleton = character.skeleton
    header = {
        "format": FORMAT,
        "name": character.name,
        "planning_rate_hz": character.planning_rate_hz,
        "labels_connect": character.labels_connect,
        "cost_by": character.cost_by,
        "subsets": {name: list(members) for name, members in character.subsets.items()},
        "transitions": [asdict(transition) for transition in character.transitions],
        "joints": list(skeleton.names),
        "behaviors": [_behavior_entry(behavior, number_of) for behavior in character.behaviors],
        "clips": [_clip_entry(clip) for clip in clips],
    }
    arrays: dict[str, np.ndarray] = {
        "parents": skeleton.parents,
        "offsets": skeleton.offsets,
        "tip_parents": skeleton.tip_parents,
        "tip_offsets": skeleton.tip_offsets,
    }
    for number, clip in enumerate(clips):
        arrays |= {f"{number}.{name}": array for name, array in _clip_arrays(clip).items()}
    buffer = io.BytesIO()
    np.savez(buffer, header=np.frombuffer(json.dumps(header).encode(), dtype=np.uint8), **arrays)  # pyright: ignore[reportArgumentType]
    write_atomically(path, buffer.getvalue())


def open_character(path: Path | str) -> Character:
    """Read a character that `save_character` wrote."""
    data = read_bytes(path)
    try:
        with ZipFile(io.BytesIO(data)) as parts:
            if any(part.compress_type != ZIP_STORED for part in parts.infolist()):
                raise MalformedFile("this is no saved character: its arrays are packed", path=path)
        with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
            return _restored(json.loads(bytes(arrays["header"])), arrays)
    except FileProblem:
        raise
    except (
        GambolError,
        ValueError,
        LookupError,
        TypeError,
        AttributeError,
        OSError,
        EOFError,
        BadZipFile,
        RuntimeError,
    ) as error:
        raise MalformedFile(f"this is no saved character: {error}", path=path) from error


def kept(name: str, build: Callable[[], Character]) -> Character:
    """Build a character, or take it from the user's cache if it was built by this very code before.

    Where no cache can be written it is simply built again.
    """
    try:
        path = cache_folder() / f"{name}-{_fingerprint()}.npz"
    except RuntimeError:  # a user without a home
        return build()
    try:
        with unwatched_reads():
            return open_character(path)
    except GambolError:
        character = build()
    try:
        save_character(path, character)
        for old in path.parent.glob(f"{name}-{'[0-9a-f]' * 16}.npz"):
            if old != path:
                old.unlink(missing_ok=True)
    except (GambolError, OSError):
        pass  # nothing is lost but time
    return character


def cache_folder() -> Path:
    """Return where built characters are kept: GAMBOL_CACHE, or the system's place for caches."""
    if given := os.environ.get("GAMBOL_CACHE"):
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home())
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "gambol"


def _fingerprint() -> str:
    """Return a hash of the version and of the code that authors and measures characters."""
    digest = hashlib.sha256(f"{__version__} {FORMAT} {np.__version__}".encode())
    for folder in ("geometry", "motion", "character"):
        for source in sorted((SOURCES / folder).rglob("*.py")):
            digest.update(source.relative_to(SOURCES).as_posix().encode())
            digest.update(source.read_bytes())
    return digest.hexdigest()[:16]


def _behavior_entry(behavior: Behavior, number_of: dict[int, int]) -> dict[str, Any]:
    return {
        "name": behavior.name,
        "label": behavior.label,
        "clips": [number_of[id(clip)] for clip in behavior.clips],
        "begins": behavior.begins,
        "ends": behavior.ends,
        "weight": behavior.weight,
        "kind": behavior.kind,
        "slopes": list(behavior.slopes),
        "annotation": asdict(behavior.annotation),
    }


def _clip_entry(clip: Clip) -> dict[str, Any]:
    return {
        "name": clip.name,
        "rate_hz": clip.motion.rate_hz,
        "margin": clip.margin,
        "duration": clip.duration,
        "event": clip.event,
        "recorded": clip.recorded,
        "riding": clip.riding,
        "points": [list(point) for point in clip.contacts.points],
        "ground": list(clip.contacts.ground),
    }


def _clip_arrays(clip: Clip) -> dict[str, np.ndarray]:
    arrays = {
        "roots": clip.motion.root_positions,
        "rotations": clip.motion.rotations,
        "path": clip.path,
        "planted": clip.contacts.planted,
        **{name: getattr(clip.shape, name) for name in _SHAPE},
    }
    if clip.motion.translations is not None:
        arrays["translations"] = clip.motion.translations
    return arrays


def _restored(header: dict[str, Any], arrays: Any) -> Character:
    if header["format"] != FORMAT:
        raise MalformedFile(f"saved in format {header['format']}, expected {FORMAT}")
    skeleton = Skeleton(
        header["joints"], arrays["parents"], arrays["offsets"], arrays["tip_parents"], arrays["tip_offsets"]
    )
    clips = [_restored_clip(entry, str(number), arrays, skeleton) for number, entry in enumerate(header["clips"])]
    behaviors = [
        Behavior(
            **{
                **entry,
                "clips": tuple(clips[number] for number in entry["clips"]),
                "slopes": tuple(entry["slopes"]),
                "annotation": Annotation(**entry["annotation"]),
            }
        )
        for entry in header["behaviors"]
    ]
    return Character(
        header["name"],
        skeleton,
        header["planning_rate_hz"],
        tuple(behaviors),
        tuple(Transition(**entry) for entry in header["transitions"]),
        header["labels_connect"],
        {name: tuple(members) for name, members in header["subsets"].items()},
        header["cost_by"],
    )


def _restored_clip(entry: dict[str, Any], key: str, arrays: Any, skeleton: Skeleton) -> Clip:
    translations = arrays.get(f"{key}.translations")
    motion = Motion(skeleton, entry["rate_hz"], arrays[f"{key}.roots"], arrays[f"{key}.rotations"], translations)
    points = tuple(ContactPoint(name, joint, tuple(offset)) for name, joint, offset in entry["points"])
    contacts = Contacts(points, arrays[f"{key}.planted"], Ground(*entry["ground"]))
    shape = SweptShape(*(arrays[f"{key}.{name}"] for name in _SHAPE))
    return Clip(
        entry["name"], motion, entry["margin"], entry["duration"], arrays[f"{key}.path"], shape, contacts,
        entry["event"], None if entry["recorded"] is None else tuple(entry["recorded"]), entry["riding"],
    )  # fmt: skip
