"""Open characters: those that ship, those that were built and kept in one file, and those of character files."""

from __future__ import annotations

import json
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from gambol.characters.character import Annotation, Behavior, Character, Transition
from gambol.characters.clip import PARTS, Clip, SweptShape
from gambol.errors import FileProblem, GambolError, MalformedFile, UnknownName
from gambol.files import packed
from gambol.files.disk import read_bytes, unwatched_reads, write_atomically
from gambol.geometry.arrays import BoolArray, FloatArray
from gambol.motion.contacts import ContactPoint, Contacts
from gambol.motion.ground import Ground
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton

if TYPE_CHECKING:
    from gambol.characters.build import Say

FORMAT = 2
BUILT_SUFFIX = ".npz"
CHARACTER_SUFFIXES = (".toml", BUILT_SUFFIX)
SHIPPED = Path(__file__).parent / "shipped"  # built characters, called by the names of their files
MOST_HEADER_BYTES = 1 << 24  # of names and numbers of clips
_BONES = ("parents", "offsets", "tip_parents", "tip_offsets")
_SHAPE = ("offset", "radius", "low", "high")


def load_character(source: Path | str, *, motions: Path | str | None = None, say: Say | None = None) -> Character:
    """Return a character that ships, by its name, or read a character file or a character that was built (.npz).

    A name gives the same object each time.  Text that ends in .toml or .npz is a file, any other is a name.

    motions: the folder of the motion files, in place of the one that a character file states.
    say: told what is being made.
    """
    if isinstance(source, str) and not is_character_file(source):
        return shipped_character(source)
    path = Path(source)
    if path.suffix == BUILT_SUFFIX:
        return read_built(path)
    from gambol.characters.file import read_character  # with it come all formats of motion files

    return read_character(path, motions, say)


def is_character_file(source: str) -> bool:
    """Tell whether a character is named by its file: of cuts, or built and saved."""
    return source.endswith(CHARACTER_SUFFIXES)


def write_character(path: Path | str, character: Character) -> None:
    """Write a character with all its clips, so small that joints move by less than a hundredth of a millimetre.

    Skeleton, paths and costs stay exact; swept shapes are rounded outward.  A clip that occurs often is written once.
    """
    write_atomically(path, character_bytes(character))


def character_bytes(character: Character) -> bytes:
    """Return the file of a character."""
    clips = list({id(clip): clip for behavior in character.behaviors for clip in behavior.clips}.values())
    number_of = {id(clip): number for number, clip in enumerate(clips)}
    header = {
        "format": FORMAT,
        "name": character.name,
        "planning_rate_hz": character.planning_rate_hz,
        "labels_connect": character.labels_connect,
        "cost_by": character.cost_by,
        "subsets": {name: list(members) for name, members in character.subsets.items()},
        "transitions": [asdict(transition) for transition in character.transitions],
        "joints": list(character.skeleton.names),
        "behaviors": [_behavior_entry(behavior, number_of) for behavior in character.behaviors],
        "clips": [_clip_entry(clip) for clip in clips],
    }
    shapes = [_rounded_outward(clip.shape) for clip in clips]
    moved = [(clip.motion.translations, _moved_joints(clip.motion)) for clip in clips]
    arrays = {
        "header": np.frombuffer(json.dumps(header).encode(), dtype=np.uint8),
        **{name: getattr(character.skeleton, name) for name in _BONES},
        "roots": packed.pack_smooth([clip.motion.root_positions for clip in clips]),
        "rotations": packed.pack_smooth([clip.motion.rotations for clip in clips]),
        "translations": packed.pack_smooth([track[:, joints] for track, joints in moved if track is not None]),
        "paths": packed.pack_floats([clip.path for clip in clips]),
        "planted": np.packbits(np.concatenate([clip.contacts.planted.ravel() for clip in clips])),
        **{name: packed.pack_floats([shape[name] for shape in shapes], np.float32) for name in _SHAPE},
    }
    return packed.pack_arrays(arrays)


def read_built(path: Path | str) -> Character:
    """Read a character that `write_character` wrote."""
    data = read_bytes(path)
    try:
        return parse_built(data)
    except FileProblem as problem:
        raise problem.in_file(path) from None


def parse_built(data: bytes) -> Character:
    """Return the character of a file's bytes, quickly and in bounded memory whatever they are."""
    try:
        arrays = packed.unpack_arrays(data)
        if arrays["header"].nbytes > MOST_HEADER_BYTES:
            raise MalformedFile(f"its header has more than {MOST_HEADER_BYTES:,} bytes")
        return _restored(json.loads(bytes(arrays["header"])), arrays)
    except (GambolError, *packed.DAMAGE) as error:
        raise MalformedFile(f"this is no built character: {error}") from error


@cache
def shipped_character(name: str) -> Character:
    """Return a character that ships with the package, each time the same object."""
    names = sorted(path.stem for path in SHIPPED.glob(f"*{BUILT_SUFFIX}"))
    if name not in names:
        raise UnknownName("character", name, names)
    with unwatched_reads():  # nothing depends on files of the package
        return read_built(SHIPPED / f"{name}{BUILT_SUFFIX}")


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
        "frames": clip.motion.frame_count,
        "rate_hz": clip.motion.rate_hz,
        "margin": clip.margin,
        "duration": clip.duration,
        "event": clip.event,
        "recorded": clip.recorded,
        "riding": clip.riding,
        "moved_joints": None if clip.motion.translations is None else _moved_joints(clip.motion),
        "points": [list(point) for point in clip.contacts.points],
        "ground": list(clip.contacts.ground),
    }


def _moved_joints(motion: Motion) -> list[int]:
    """Return the joints that translations put elsewhere than the skeleton does; the root is where it is anyway."""
    if motion.translations is None:
        return []
    return (np.flatnonzero(np.any(motion.translations[:, 1:] != motion.skeleton.offsets[1:], axis=(0, 2))) + 1).tolist()


def _rounded_outward(shape: SweptShape) -> dict[str, NDArray[np.float32]]:
    """Return cylinders in single precision that hold those given."""
    offset = shape.offset.astype(np.float32)
    aside = np.linalg.norm(shape.offset - offset, axis=-1)
    return {
        "offset": offset,
        "radius": _not_below(shape.radius + aside),
        "low": -_not_below(-shape.low),
        "high": _not_below(shape.high),
    }


def _not_below(values: FloatArray) -> NDArray[np.float32]:
    rounded = values.astype(np.float32)
    return np.where(rounded < values, np.nextafter(rounded, np.float32(np.inf)), rounded)


def _restored(header: dict[str, Any], arrays: dict[str, NDArray]) -> Character:
    if header["format"] != FORMAT:
        raise MalformedFile(f"it has format {header['format']}, expected {FORMAT}: build it again")
    skeleton = Skeleton(header["joints"], *(arrays[name] for name in _BONES))
    clips = _restored_clips(header["clips"], arrays, skeleton)
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


def _restored_clips(entries: list[dict[str, Any]], arrays: dict[str, NDArray], skeleton: Skeleton) -> list[Clip]:
    frames = [entry["frames"] for entry in entries]
    instants = [entry["duration"] + 1 for entry in entries]
    moved = [(count, len(entry["moved_joints"]), 3) for count, entry in zip(frames, entries, strict=True)
             if entry["moved_joints"] is not None]  # fmt: skip
    roots = packed.unpack_smooth(arrays["roots"], [(count, 3) for count in frames])
    rotations = packed.unpack_smooth(arrays["rotations"], [(count, skeleton.joint_count, 4) for count in frames])
    translations = packed.unpack_smooth(arrays["translations"], moved)
    paths = packed.unpack_floats(arrays["paths"], [(count, 3) for count in instants])
    sizes = [[(count, len(PARTS), *more) for count in instants] for more in ((2,), (), (), ())]
    shapes = zip(*(packed.unpack_floats(arrays[name], s) for name, s in zip(_SHAPE, sizes, strict=True)), strict=True)
    planted = _unpacked_flags(arrays["planted"], [(entry["frames"], len(entry["points"])) for entry in entries])
    clips = []
    for entry, root, rotation, path, shape, flags in zip(
        entries, roots, rotations, paths, shapes, planted, strict=True
    ):
        placed = None
        if entry["moved_joints"] is not None:
            placed = np.tile(skeleton.offsets, (entry["frames"], 1, 1))
            placed[:, entry["moved_joints"]] = next(translations)
        motion = Motion(skeleton, entry["rate_hz"], root, rotation, placed)
        points = tuple(ContactPoint(name, joint, tuple(offset)) for name, joint, offset in entry["points"])
        contacts = Contacts(points, flags, Ground(*entry["ground"]))
        recorded = None if entry["recorded"] is None else tuple(entry["recorded"])
        clips.append(
            Clip(
                entry["name"], motion, entry["margin"], entry["duration"], path, SweptShape(*shape), contacts,
                entry["event"], recorded, entry["riding"],
            )
        )  # fmt: skip
    return clips


def _unpacked_flags(bits: NDArray[np.uint8], shapes: list[tuple[int, int]]) -> list[BoolArray]:
    """Return which points are planted in which frames, clip by clip."""
    counts = [frames * points for frames, points in shapes]
    if len(bits) != -(-sum(counts) // 8):
        raise MalformedFile(f"{len(bits):,} bytes for flags of {sum(counts):,} points and frames")
    flags = np.unpackbits(bits, count=sum(counts)).astype(bool)
    return [piece.reshape(shape) for piece, shape in zip(np.split(flags, np.cumsum(counts)[:-1]), shapes, strict=True)]
