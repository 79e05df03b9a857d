"""Motions and recordings of crowds, from files and from other tabs, in a form that can be played."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.body.capsules import Body
from gambol.crowd.moment import moment
from gambol.crowd.poses import PosePlayer
from gambol.crowd.recording import Recording
from gambol.crowd.recording_file import SUFFIX as CROWD
from gambol.crowd.recording_file import read_recording
from gambol.errors import GambolError, InvalidInput, UnknownName
from gambol.files.formats import FORMATS, read_motion
from gambol.geometry.arrays import FloatArray
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton
from gambol.pictures.crowd_colors import crowd_colors
from gambol.pictures.world_colors import character_color
from gambol.scenes.file import load_scene, parse_scene
from gambol.scenes.find import shipped_path, shipped_scenes
from gambol.view.folder import Folder
from gambol.world.world import World

Joints = tuple[NDArray[np.floating], NDArray[np.floating]]  # (N, J, 3) and (N, J, 4) in the world
SUFFIXES = (*FORMATS, CROWD)  # suffixes of files that can be played
AWAY_M = -1000.0  # m: height of characters that are not there
ROOM_M = 2.0  # m, >= 0: floor around the places where characters go


@dataclass(frozen=True, eq=False)
class PlayedFigures:
    """Characters of one skeleton."""

    body: Body
    colors: FloatArray  # (N, 3) red, green, blue from 0 to 1
    at: Callable[[float], Joints]  # from a time to the joints then


@dataclass(frozen=True, eq=False)
class Recorded:
    """Something that can be played."""

    title: str
    names: tuple[str, ...]  # names of the characters, at least one
    duration_s: float
    figures: tuple[PlayedFigures, ...]
    bounds: tuple[float, float, float, float]  # least x, least y, greatest x, greatest y where characters go
    motion: Callable[[str], tuple[Motion, float]]  # from a character's name to its motion, and when that begins
    world: World | None = None  # the world in which it took place; None: unknown
    notes: tuple[str, ...] = ()  # what the reader has to say about the file

    @property
    def about(self) -> str:
        """The number of characters, and the duration, in words."""
        who = "1 character" if len(self.names) == 1 else f"{len(self.names):,} characters"
        return f"{who}, {self.duration_s:.2f} s"

    @property
    def joints(self) -> int:
        """The number of joints of all characters together."""
        return sum(len(one.colors) * one.body.skeleton.joint_count for one in self.figures)


def is_recorded(source: Path | str) -> bool:
    """Tell from its name whether a file can be played."""
    return Path(source).suffix.lower() in SUFFIXES


def read_recorded(name: str, folder: Folder, *, shown: str = "", trusted: bool = False) -> Recorded:
    """Read a file of a folder; files outside of the folder that it names are refused.

    shown: the name to show; "": its own.
    trusted: allow it to name files anywhere, since no browser chose it.
    """
    suffix = Path(name.strip()).suffix.lower()
    if suffix not in SUFFIXES:
        raise UnknownName("format that can be played", Path(shown or name).suffix or shown or name, SUFFIXES)
    path, title = folder.file(name, suffix), shown or name
    if suffix == CROWD:
        recording = read_recording(path) if trusted else read_recording(path, check=folder.check_character)
        world, notes = _world_of(recording, None if trusted else folder, path.parent)
        return of_crowd(title, recording, world=world, notes=notes)
    if not trusted:
        folder.check_motion(path)
    reading = read_motion(path)
    return of_motions(title, {Path(title).stem: reading.motion}, notes=reading.notes)


def of_motions(
    title: str, motions: Mapping[str, Motion], *, world: World | None = None, notes: Sequence[str] = ()
) -> Recorded:
    """Return motions that begin together; a shorter one stays in its last pose."""
    if not motions:
        raise InvalidInput("there is no motion to play")
    alike: dict[tuple, list[str]] = {}
    for name, motion in motions.items():
        alike.setdefault(_shape(motion.skeleton), []).append(name)
    numbers = {name: number for number, name in enumerate(motions)}
    figures = []
    for names in alike.values():
        own = [motions[name] for name in names]
        colors = np.array([character_color(numbers[name]) for name in names])
        figures.append(
            PlayedFigures(Body.from_skeleton(own[0].skeleton), colors, lambda time_s, own=own: joints_at(own, time_s))
        )
    roots = np.concatenate([motion.root_positions[:, :2] for motion in motions.values()])
    return Recorded(
        title=title,
        names=tuple(motions),
        duration_s=max(motion.duration_s for motion in motions.values()),
        figures=tuple(figures),
        bounds=_around(roots),
        motion=lambda name: (motions[name], 0.0),
        world=world,
        notes=tuple(notes),
    )


def of_crowd(title: str, recording: Recording, *, world: World | None = None, notes: Sequence[str] = ()) -> Recorded:
    """Return the characters of a recording, each while it is there."""
    there = tuple(name for number, name in enumerate(recording.names) if recording.presence(number)[1] >= 0)
    if not there:
        raise InvalidInput("no character ever appears in this recording")
    colors = crowd_colors(recording)
    figures = []
    for number, character in enumerate(recording.characters):
        own = np.flatnonzero(recording.kind == number)
        if len(own):
            crew = _Crew(recording, number, own, PosePlayer.of(character, rotations=True))
            figures.append(PlayedFigures(Body.from_skeleton(character.skeleton), colors[own], crew.at))

    def motion(name: str) -> tuple[Motion, float]:
        who = recording.number(name)
        return recording.motion(who), recording.motion_start_s(who)

    return Recorded(
        title, there, recording.duration_s, tuple(figures), _around(recording.pose[:, :2]), motion, world, tuple(notes)
    )


@dataclass(frozen=True, eq=False)
class _Crew:
    """The characters of one kind in a crowd."""

    recording: Recording
    kind: int
    who: NDArray[np.intp]  # (N,): their numbers in the recording
    player: PosePlayer

    def at(self, time_s: float) -> Joints:
        now = moment(self.recording, time_s).of_kind(self.kind)
        joints = self.player.joint_count
        found = np.empty((len(now.who), joints, 3), dtype=np.float32)
        turned = np.empty((len(now.who), joints, 4), dtype=np.float32)
        self.player.place(now.clip, now.before, now.after, now.phase, now.pose, positions=found, rotations=turned)
        positions = np.full((len(self.who), joints, 3), (0.0, 0.0, AWAY_M), dtype=np.float32)
        rotations = np.full((len(self.who), joints, 4), (1.0, 0.0, 0.0, 0.0), dtype=np.float32)
        place = np.searchsorted(self.who, now.who)
        positions[place], rotations[place] = found, turned
        return positions, rotations


def frame_at(motion: Motion, time_s: float) -> int:
    """Return the frame nearest to a time."""
    return min(max(round(time_s * motion.rate_hz), 0), motion.frame_count - 1)


def joints_at(motions: Sequence[Motion], time_s: float) -> Joints:
    """Return the joints of motions of one skeleton at a time."""
    frames = [frame_at(motion, time_s) for motion in motions]
    positions = [motion.world_positions[frame] for motion, frame in zip(motions, frames, strict=True)]
    rotations = [motion.world_rotations[frame] for motion, frame in zip(motions, frames, strict=True)]
    return np.stack(positions), np.stack(rotations)


def _shape(skeleton: Skeleton) -> tuple:
    """Return a key that is equal for skeletons that share one body."""
    arrays = (skeleton.parents, skeleton.offsets, skeleton.tip_parents, skeleton.tip_offsets)
    return (skeleton.names, *(array.tobytes() for array in arrays))


def _around(places: FloatArray) -> tuple[float, float, float, float]:
    low, high = np.floor(places.min(axis=0) - ROOM_M), np.ceil(places.max(axis=0) + ROOM_M)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])


def _world_of(recording: Recording, folder: Folder | None, beside: Path) -> tuple[World | None, tuple[str, ...]]:
    """Return the world that a recording names or describes, or None and why not.

    folder: the only folder in which it may name files; None: it may name files anywhere.
    """
    try:
        if any(scene.name == recording.scene for scene in shipped_scenes()):
            return load_scene(shipped_path(recording.scene)).world, ()
        if not recording.scene:
            return None, ()
        if folder is not None:
            folder.refuse_ways_out(recording.scene, beside)
        return parse_scene(recording.scene, beside=beside).world, ()
    except GambolError as error:
        return None, (f"shown without its world: {error}",)
