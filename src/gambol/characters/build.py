"""Build a character from its file: cut clips out of motion files."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np

from gambol.body.capsules import Body
from gambol.characters.bend import bend
from gambol.characters.blended_shape import include_blending
from gambol.characters.character import DEFAULT_WEIGHTS, Annotation, Behavior, Character, Transition
from gambol.characters.clip import Clip
from gambol.characters.expand import expand
from gambol.characters.file_model import BehaviorEntry, CharacterFile, ClipEntry, PieceEntry
from gambol.characters.make_clip import ClipSettings, make_clip
from gambol.characters.stepping import Way, step_from_stand
from gambol.characters.store import shipped_character
from gambol.characters.takes import Take, Takes, loop_take, splice_takes
from gambol.errors import GambolError, InvalidInput
from gambol.files.entries import Problems
from gambol.files.toml_lines import Key
from gambol.motion.motion import Motion
from gambol.motion.skeleton import Skeleton, same_bones

Say = Callable[[str], None]


def build_character(
    spec: CharacterFile, folder: Path, *, problems: Problems | None = None, say: Say | None = None
) -> Character:
    """Cut, place and measure all clips of a character; its motion files lie in a folder.

    Each file is read once and equal cuts are made once.  All mistakes are collected, then raised together.

    say: called with the name of each behavior before it is made.
    """
    problems = Problems("") if problems is None else problems
    takes = Takes(folder, spec.reading, spec.takes)
    check_cuts([(("behaviors", i, "clips", j), c) for i, b in enumerate(spec.behaviors) for j, c in enumerate(b.clips)],
               takes, problems)  # fmt: skip
    problems.raise_if_any()
    workshop = _Workshop(spec, takes, _skeleton(spec, takes))
    behaviors: list[Behavior] = []
    for index, entry in enumerate(spec.behaviors):
        for one in expand(entry):
            if say is not None:
                say(one.name)
            behaviors += _behavior(one, workshop, ("behaviors", index), problems)
    problems.raise_if_any()
    names = [behavior.name for behavior in behaviors]
    character = Character(
        spec.name, workshop.skeleton, spec.planning_rate_hz, tuple(behaviors),
        transitions=tuple(Transition(edge.source, edge.target, edge.cost) for edge in spec.edges),
        labels_connect=spec.labels_connect,
        subsets={name: tuple(members_of(patterns, names)) for name, patterns in spec.subsets.items()},
        cost_by=spec.cost_by,
    )  # fmt: skip
    if say is not None:
        say("what blending changes")
    return include_blending(character, body=workshop.body)


def members_of(patterns: Sequence[str], names: Sequence[str]) -> list[str]:
    """Return the names that match patterns, in the order of the patterns, each once."""
    picked = [name for pattern in patterns for name in names if fnmatchcase(name, pattern)]
    return list(dict.fromkeys(picked))


def check_cuts(cuts: Sequence[tuple[Key, ClipEntry]], takes: Takes, problems: Problems) -> None:
    """Add every file that cannot be read, and every frame that lies outside its file."""
    for key, clip in cuts:
        for at, piece in ((key, clip), *(((*key, "then", i), piece) for i, piece in enumerate(clip.then))):
            try:
                motion, left_out = takes.read(piece.file)
            except (GambolError, OSError) as error:
                problems.add((*at, "file"), str(error))
                continue
            last = motion.frame_count - 1 + left_out
            for name, frame in (("first", piece.first), ("last", piece.last)):
                if not left_out <= frame <= last:
                    message = f"there is no frame {frame}: {piece.file} has frames {left_out} to {last}"
                    problems.add((*at, name), message)


def _skeleton(spec: CharacterFile, takes: Takes) -> Skeleton:
    source = spec.skeleton
    if source is not None and source.builtin is not None:
        return shipped_character(source.builtin).skeleton
    file = spec.behaviors[0].clips[0].file if source is None or source.file is None else source.file
    return takes.read(file)[0].skeleton


def _behavior(entry: BehaviorEntry, workshop: _Workshop, key: Key, problems: Problems) -> list[Behavior]:
    """Return the behavior in a list; the list is empty if the entry has mistakes."""
    clips: list[Clip] = []
    for index, clip in enumerate(entry.clips):
        number = f" {index + 1}" if len(entry.clips) > 1 else ""
        try:
            clips += [workshop.clip(clip, f"{entry.name}{number}")] * clip.count
        except GambolError as error:
            problems.add((*key, "clips", index), str(error))
    if not clips:
        return []
    weight = DEFAULT_WEIGHTS[entry.kind] if entry.weight is None else entry.weight
    annotation = Annotation(entry.annotation.special, entry.annotation.radius_m)
    least, greatest = entry.slopes
    return [
        Behavior(
            entry.name, entry.label or entry.name, tuple(clips), entry.begins, entry.ends,
            weight=weight, kind=entry.kind, slopes=(least, greatest), annotation=annotation,
        )
    ]  # fmt: skip


class _Workshop:
    """Makes clips, and makes equal clips only once."""

    def __init__(self, spec: CharacterFile, takes: Takes, skeleton: Skeleton) -> None:
        self.skeleton = skeleton
        self._takes = takes
        self.body = Body.from_skeleton(skeleton)
        self._settings = ClipSettings(
            planning_rate_hz=spec.planning_rate_hz, frames_per_step=spec.frames_per_step, margin=spec.margin
        )
        self._made: dict[ClipEntry, Clip] = {}

    def clip(self, entry: ClipEntry, name: str) -> Clip:
        """Return the clip that an entry describes; an equal clip made before keeps its first name."""
        key = entry if entry.count == 1 else entry.model_copy(update={"count": 1})
        if key not in self._made:
            self._made[key] = self._make(entry, entry.name or name)
        return self._made[key]

    def _make(self, entry: ClipEntry, name: str) -> Clip:
        take, last = self._spliced(entry)
        settings = replace(self._settings, facing=entry.facing, clean_feet=entry.feet != "keep")
        clip = make_clip(
            name, take.motion, entry.first - take.left_out, last - take.left_out,
            settings=settings, contacts=take.contacts, body=self.body, speed=entry.speed,
            event=None if entry.event is None else entry.event - take.left_out,
        )  # fmt: skip
        if entry.step is not None:
            stated = entry.step
            turn = float(np.radians(stated.turn_deg))
            way = Way(stated.forward_m, stated.left_m, turn, stated.footfalls)
            clip = step_from_stand(clip, way, body=self.body)
        if entry.bend_deg != 0.0:
            clip = bend(clip, np.radians(entry.bend_deg), body=self.body)
        return replace(clip, riding=entry.feet == "board")

    def _spliced(self, entry: ClipEntry) -> tuple[Take, int]:
        """Return the take to cut, with all files that the clip continues with, and its last frame as in the file."""
        take, last = self._take(entry, entry), entry.last
        for piece in entry.then:
            following = self._take(piece, entry)
            before, after = last - take.left_out, piece.first - following.left_out
            take = splice_takes(take, before, following, after, facing=entry.facing, over_s=piece.over_s)
            last += piece.last - piece.first
        if entry.cyclic:
            margin = self._settings.margin / self._settings.planning_rate_hz * entry.speed * take.motion.rate_hz
            room = int(np.ceil(margin)) + 1
            take = loop_take(take, entry.first - take.left_out, last - take.left_out, before=room, after=room)
        return take, last

    def _take(self, piece: ClipEntry | PieceEntry, entry: ClipEntry) -> Take:
        own = self._takes.read(piece.file)[0].skeleton
        if not entry.retarget and not same_bones(own, self.skeleton):
            raise InvalidInput(f"{piece.file} has other bones than the character's skeleton; add retarget = true")
        target = self.skeleton if entry.retarget else None
        mirrored = piece.mirrored != (piece is not entry and entry.mirrored)
        take = self._takes.take(piece.file, mirrored=mirrored, riding=entry.feet == "board", target=target)
        return take._replace(motion=_on(take.motion, self.skeleton))


def _on(motion: Motion, skeleton: Skeleton) -> Motion:
    """Return the motion with the one skeleton object that all clips of the character share."""
    return motion if motion.skeleton is skeleton else replace(motion, skeleton=skeleton)
