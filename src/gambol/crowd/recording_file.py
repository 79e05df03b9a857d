"""Recordings as files: a few bytes a step, and what is needed to find the characters again."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gambol import __version__
from gambol.characters.action_table import action_table
from gambol.characters.character import Character
from gambol.characters.store import is_character_file, load_character, shipped_character
from gambol.crowd.event import Event
from gambol.crowd.recording import ARRAYS, Recording
from gambol.errors import FileProblem, GambolError, InvalidInput, MalformedFile
from gambol.files.safetensors_file import SafetensorsFile, open_safetensors, strict_json, write_safetensors

SUFFIX = ".crowd"
FORMAT = "gambol crowd recording"
VERSION = 1
TEXTS = ("format", "version", "gambol", "rate_hz", "frames", "kinds", "checksum")
LONG_TEXTS = ("names", "events", "scene")  # in UTF-8, as arrays of bytes: there may be megabytes of them
FACTS = "facts"  # and the number of a kind: what its clips are, so that others are not taken for them
#: Metres and radians by which clips may differ and be the same: those that ship are computed, here and there.
FACT_TOLERANCE = 1e-3
Load = Callable[[str], Character]  # from a file beside a recording


class _Kind(NamedTuple):
    """How a file tells which character it needs."""

    name: str  # the character's, with its subset
    source: str  # a character file beside the recording, or ""
    behaviors: list[str]  # in the order in which clips are numbered


def write_recording(path: Path | str, recording: Recording) -> None:
    """Write a recording; the same one gives the same bytes.  30 bytes a step, and names, events and scene."""
    path = Path(path)
    if path.suffix.lower() != SUFFIX:
        raise InvalidInput(f"a recording's file must end in {SUFFIX}, not {path.suffix or 'nothing'}")
    arrays: dict[str, np.ndarray] = {name: getattr(recording, name) for name in ARRAYS}
    long = {"names": _json(recording.names), "events": _json(recording.events), "scene": recording.scene}
    arrays |= {name: np.frombuffer(_encoded(name, text), dtype=np.uint8) for name, text in long.items()}
    kinds = []
    for number, (character, source) in enumerate(zip(recording.characters, recording.sources, strict=True)):
        arrays[f"{FACTS}.{number}"] = clip_facts(character)
        kinds.append(
            _Kind(character.name, _beside(source), [behavior.name for behavior in character.behaviors])._asdict()
        )
    texts = {
        "format": FORMAT,
        "version": str(VERSION),
        "gambol": __version__,
        "rate_hz": _json(recording.rate_hz),
        "frames": _json(recording.frames),
        "kinds": _json(kinds),
    }
    write_safetensors(path, arrays, texts)


def read_recording(
    path: Path | str,
    *,
    characters: Sequence[Character] = (),
    motions: Path | str | None = None,
    check: Callable[[Path], None] = lambda file: None,
) -> Recording:
    """Read a recording and find its characters again; a file that is cut, altered or out of joint is refused.

    characters: where to look first; needed for those that neither ship with the package nor lie as a file beside
    the recording.
    motions: the folder of the motion files that character files name, in place of the one they state.
    check: is told of each character file before it is read, and may refuse it by an error.
    """
    path = Path(path)

    def load(source: str) -> Character:
        check(path.parent / source)
        return load_character(path.parent / source, motions=motions)

    try:
        opened = open_safetensors(path)
        if not opened.is_intact:
            raise MalformedFile("the checksum is wrong: the file was altered or damaged")
        return _recording_from(opened, characters, load)
    except FileProblem as problem:
        raise (problem.in_file(path) if problem.path is None else problem) from None
    except InvalidInput as problem:
        raise MalformedFile(str(problem), path=path) from None


def clip_facts(character: Character) -> NDArray[np.float32]:
    """Return what tells clips apart (C, 8): planning frames, where it leads, frames in one, the joints' mean place."""
    table = action_table(character)
    clips = [clip for behavior in character.behaviors for clip in behavior.clips]
    means = {id(clip): clip.motion.world_positions.mean(axis=(0, 1)) for clip in clips}
    per_step = [clip.frames_per_step for clip in clips]
    facts = (table.duration, table.displacement, per_step, [means[id(clip)] for clip in clips])
    return np.column_stack(facts).astype(np.float32)


def _recording_from(opened: SafetensorsFile, candidates: Sequence[Character], load: Load) -> Recording:
    texts, arrays = opened.metadata, opened.arrays
    if texts.get("format") != FORMAT:
        raise MalformedFile(f"this is a safetensors file, but not a crowd's: no format {FORMAT!r}")
    if texts.get("version") != str(VERSION):
        raise MalformedFile(f"a recording of version {texts.get('version', 'unknown')[:20]}, expected {VERSION}")
    _check_names("texts", texts, TEXTS)
    rate_hz, frames = (strict_json(texts[name], name) for name in ("rate_hz", "frames"))
    if type(rate_hz) not in (float, int):
        raise MalformedFile("rate_hz: a number expected")
    if type(frames) is not int:
        raise MalformedFile("frames: a whole number expected")
    kinds = _kinds(texts["kinds"])
    _check_names("arrays", arrays, (*ARRAYS, *LONG_TEXTS, *(f"{FACTS}.{number}" for number in range(len(kinds)))))
    for name, kind in ARRAYS.items():
        if arrays[name].dtype != kind or arrays[name].ndim != (2 if name in ("pose", "arrivals") else 1):
            raise MalformedFile(f"{name}: another shape expected, of {np.dtype(kind)}")
    names = strict_json(_decoded(arrays, "names"), "names")
    if not (isinstance(names, list) and all(isinstance(name, str) for name in names)):
        raise MalformedFile("names: a list of texts expected")
    return Recording(
        rate_hz=float(rate_hz),
        frames=frames,
        characters=tuple(
            _found(kind, arrays[f"{FACTS}.{number}"], number, candidates, load) for number, kind in enumerate(kinds)
        ),
        names=tuple(names),
        **{name: arrays[name] for name in ARRAYS},
        events=_events(_decoded(arrays, "events")),
        scene=_decoded(arrays, "scene"),
        sources=tuple(kind.source for kind in kinds),
    )


def _found(kind: _Kind, facts: NDArray, number: int, candidates: Sequence[Character], load: Load) -> Character:
    """Return the character that a file means; one that is missing, or has other clips now, is an error."""
    reasons = []
    for where, make in _places(kind, candidates, load):
        try:
            character = make()
            missing = [name for name in kind.behaviors if name not in {one.name for one in character.behaviors}]
            if missing:
                reasons.append(f"{where} has no behavior {missing[0]!r}")
                continue
            if [one.name for one in character.behaviors] != kind.behaviors:
                character = character.only(kind.behaviors, name=kind.name)
        except GambolError as problem:
            reasons.append(f"{where}: {problem}")
            continue
        own = clip_facts(character)
        if (
            facts.shape == own.shape
            and facts.dtype == own.dtype
            and np.allclose(own, facts, rtol=0, atol=FACT_TOLERANCE)
        ):
            return character
        reasons.append(f"{where} has other clips of these names")
    raise MalformedFile(
        f"kinds[{number}]: cannot find the character {kind.name[:80]!r} that this recording is of: "
        f"{'; '.join(reasons) or 'none of this name ships with the package'}; hand it over as one of `characters`"
    )


def _places(kind: _Kind, candidates: Sequence[Character], load: Load) -> Iterator[tuple[str, Any]]:
    """Yield where to look for a character, and how to get it from there."""
    stem = kind.name.split("/")[0]
    for candidate in candidates:
        if candidate.name.split("/")[0] == stem:
            yield f"the given {candidate.name!r}", lambda candidate=candidate: candidate
    if kind.source:
        yield f"the file {kind.source[:80]!r} beside it", lambda: load(kind.source)
    else:
        yield "the package", lambda: shipped_character(stem)


def _kinds(text: str) -> list[_Kind]:
    listed = strict_json(text, "kinds")
    if not isinstance(listed, list):
        raise MalformedFile("kinds: a list expected")
    kinds = []
    for number, one in enumerate(listed):
        if not (isinstance(one, dict) and set(one) == set(_Kind._fields)):
            raise MalformedFile(f"kinds[{number}]: {', '.join(_Kind._fields)} expected, and nothing else")
        behaviors = one["behaviors"]
        if not (isinstance(behaviors, list) and behaviors and all(isinstance(name, str) for name in behaviors)):
            raise MalformedFile(f"kinds[{number}].behaviors: a list of names expected")
        if not (isinstance(one["name"], str) and isinstance(one["source"], str)):
            raise MalformedFile(f"kinds[{number}]: name and source must be texts")
        if one["source"] and not _is_beside(one["source"]):
            raise MalformedFile(f"kinds[{number}].source: a character file beside the recording expected, or none")
        kinds.append(_Kind(**one))
    return kinds


def _beside(source: str) -> str:
    """Return a character file as a recording names it: one from elsewhere is expected beside it."""
    return source if not source or _is_beside(source) else Path(source).name


def _is_beside(source: str) -> bool:
    """Whether a path stays in its folder: a file from elsewhere must not say what else is read."""
    path = PurePosixPath(source)
    return is_character_file(source) and not path.is_absolute() and ".." not in path.parts and "\\" not in source


def _events(text: str) -> tuple[Event, ...]:
    listed = strict_json(text, "events")
    if not (isinstance(listed, list) and all(isinstance(one, list) and len(one) == 4 for one in listed)):
        raise MalformedFile("events: lists of a frame, a kind, a number and a text expected")
    return tuple(Event(*one) for one in listed)


def _check_names(what: str, found: Mapping[str, Any], expected: Sequence[str]) -> None:
    for name in expected:
        if name not in found:
            raise MalformedFile(f"among the {what} of the file there is no {name!r}")
    for name in found:
        if name not in expected:
            raise MalformedFile(f"the {what} of the file have {name[:40]!r}, which no recording has")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))


def _encoded(name: str, text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise InvalidInput(f"{name}: a recording can only hold valid text") from None


def _decoded(arrays: Mapping[str, NDArray], name: str) -> str:
    array = arrays[name]
    if array.dtype != np.uint8 or array.ndim != 1:
        raise MalformedFile(f"{name}: text as a row of bytes expected")
    try:
        return array.tobytes().decode()
    except UnicodeDecodeError:
        raise MalformedFile(f"{name}: no text in UTF-8") from None
