"""What a crowd did, kept and found again."""

from __future__ import annotations

import json
from dataclasses import fields, replace
from pathlib import Path

import numpy as np
import pytest
from tests.support.crowd_recordings import flat_clips, random_names, random_recording

from gambol.animate import play
from gambol.characters import Character, load_character, place_steps
from gambol.crowd.event import Event
from gambol.crowd.recording import ARRAYS, Recording
from gambol.crowd.recording_builder import RecordingBuilder
from gambol.crowd.recording_file import clip_facts, read_recording, write_recording
from gambol.errors import InvalidInput, MalformedFile, UnknownName
from gambol.files import open_safetensors, write_safetensors
from gambol.geometry import planar


@pytest.fixture(scope="module")
def human() -> Character:
    return load_character("human").subset("crowd")


@pytest.fixture(scope="module")
def horse() -> Character:
    return load_character("horse")


@pytest.fixture(scope="module")
def recording(human: Character, horse: Character) -> Recording:
    return random_recording((human, horse), [0, 0, 1, 0, 1], frames=150, seed=4)


@pytest.fixture
def saved(recording: Recording, tmp_path: Path) -> Path:
    write_recording(tmp_path / "some.crowd", recording)
    return tmp_path / "some.crowd"


def test_a_recording_gives_back_the_steps_that_were_appended(human: Character) -> None:
    rng = np.random.default_rng(0)
    plans = [
        place_steps(human, random_names(human, 90, rng), start=(5.0 * who, 1.0, 0.5 * who), frame=7 * who, seed=who)
        for who in range(4)
    ]
    builder = RecordingBuilder()
    rows = [
        (who, clip, step)
        for who, plan in enumerate(plans)
        for clip, step in zip(flat_clips(human, plan), plan, strict=True)
    ]
    for who, clip, step in sorted(rows, key=lambda row: (row[2].frame, -row[0])):
        builder.append([who], [clip], [step.frame], [step.pose])
    made = builder.recording(rate_hz=30, frames=90, characters=[human], names="abcd", kind=[0] * 4)
    assert [made.steps(n) for n in range(4)] == plans
    assert [made.presence(n) for n in range(4)] == [(7 * n, 89) for n in range(4)]
    assert made.number("c") == 2
    with pytest.raises(UnknownName, match=r"no character .* in this recording"):
        made.number("e")


def test_a_builder_appends_a_whole_frame_at_once(human: Character) -> None:
    stand = place_steps(human, ["stand"])
    builder = RecordingBuilder()
    clip = flat_clips(human, stand)[0]
    poses = np.random.default_rng(1).normal(size=(1000, 3))
    for frame in (0, 30, 60):
        builder.append(np.arange(1000), np.full(1000, clip), frame, poses)
    assert len(builder) == 3000
    made = builder.recording(
        rate_hz=30, frames=70, characters=[human], names=[str(n) for n in range(1000)], kind=[0] * 1000
    )
    assert made.pose[made.first_step[:-1]].tolist() == poses.tolist()
    assert set(made.frame[made.first_step[:-1] + 2]) == {60}


def test_a_motion_is_what_realize_makes_of_the_steps(recording: Recording) -> None:
    for n in range(len(recording)):
        character = recording.characters[recording.kind[n]]
        whole = play(character, recording.steps(n))
        first, last = recording.presence(n)
        per_step = round(whole.rate_hz / 30.0)
        motion = recording.motion(n)
        assert motion.frame_count == (last - first) * per_step + 1
        expected = whole.world_positions[: motion.frame_count]
        np.testing.assert_allclose(motion.world_positions, expected, rtol=0, atol=1e-9)
        assert recording.motion_start_s(n) == first / 30.0


def test_a_part_of_a_motion_is_cut_out_of_the_whole(recording: Recording) -> None:
    whole, start = recording.motion(0), recording.motion_start_s(0)
    for from_s, until_s in ((1.5, 2.0), (2.011, 3.99), (start, 2.5), (None, 3.0), (4.0, None), (0.0, 99.0)):
        part = recording.motion(0, from_s, until_s)
        begin = recording.motion_start_s(0, from_s)
        assert from_s is None or 0 <= begin - max(from_s, start) < 1 / whole.rate_hz
        skipped = round((begin - start) * whole.rate_hz)
        expected = whole.world_positions[skipped : skipped + part.frame_count]
        np.testing.assert_allclose(part.world_positions, expected, rtol=0, atol=1e-9)
        if until_s is not None:
            assert begin + part.duration_s <= until_s + 1e-9
    with pytest.raises(InvalidInput, match="not there"):
        recording.motion(0, 80.0, 81.0)


def test_what_is_saved_is_opened_as_it_was(recording: Recording, saved: Path) -> None:
    opened = read_recording(saved)
    for field in fields(Recording):
        if field.name in ARRAYS:
            assert getattr(opened, field.name).tolist() == getattr(recording, field.name).tolist()
        elif field.name != "characters":
            assert getattr(opened, field.name) == getattr(recording, field.name)
    assert [one.name for one in opened.characters] == ["human/crowd", "horse"]
    for n in range(len(recording)):
        assert opened.steps(n) == recording.steps(n)
    twin = saved.with_name("twin.crowd")
    write_recording(twin, opened)
    assert twin.read_bytes() == saved.read_bytes()


def test_ten_thousand_for_a_minute_are_24_megabytes(human: Character, tmp_path: Path) -> None:
    rng = np.random.default_rng(2)
    frames, count, patterns = 1800, 10_000, 20
    builder, steps = RecordingBuilder(), 0
    for pattern in range(patterns):
        plan = place_steps(human, random_names(human, frames, rng, longest=22), seed=pattern)
        own = np.arange(pattern, count, patterns)
        starts = np.column_stack((rng.uniform(-200, 200, (len(own), 2)), rng.uniform(-3, 3, len(own))))
        for clip, step in zip(flat_clips(human, plan), plan, strict=True):
            builder.append(own, np.full(len(own), clip), step.frame, planar.compose(starts, np.array(step.pose)))
            steps += len(own)
    names = [f"human-{n}" for n in range(count)]
    crowd = builder.recording(rate_hz=30, frames=frames, characters=[human], names=names, kind=[0] * count)
    write_recording(tmp_path / "big.crowd", crowd)
    size = (tmp_path / "big.crowd").stat().st_size
    clips_a_second = steps / count / 60.0
    assert clips_a_second > 1.3
    assert size < 30 * steps + 40 * count
    assert size * 1.3 / clips_a_second < 24e6
    assert len(read_recording(tmp_path / "big.crowd")) == count


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"frame": lambda r: r.frame + (np.arange(len(r.frame)) == 3)}, "frame: step 3 of 'Ä0'"),
        ({"pose": lambda r: r.pose + (np.arange(len(r.frame)) == 2)[:, None] * [0.01, 0, 0]}, "pose: step 2 of 'Ä0'"),
        ({"pose": lambda r: r.pose * np.nan}, "pose: finite"),
        ({"clip": lambda r: r.clip + np.uint16(60_000)}, "clip: numbers from 0"),
        ({"clip": lambda r: r.clip.astype(np.int64) - 100}, "clip: whole numbers that fit uint16"),
        ({"kind": lambda r: r.kind + 1}, "kind: numbers from 0 to 1"),
        ({"kind": lambda r: r.kind[:-1]}, "kind: numbers"),
        ({"until": lambda r: r.until + 1}, "until: numbers from 0 to 150"),
        ({"frames": lambda r: 9000, "until": lambda r: r.until * 0 + 9000}, "until: step .* ends before"),
        ({"frames": lambda r: 0}, "frames"),
        ({"first_step": lambda r: r.first_step[::-1]}, "first_step: must rise"),
        ({"arrivals": lambda r: [[9, 0]]}, "arrivals"),
        ({"events": lambda r: [Event(0, "edit", 99, "")]}, "events"),
        ({"names": lambda r: ["a"] * 5}, "names: a different"),
        ({"rate_hz": lambda r: 25.0}, "this recording has 25"),
        ({"sources": lambda r: ["", "", ""]}, "sources"),
    ],
)
def test_what_is_out_of_joint_is_refused_at_birth(recording: Recording, change: dict, message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        replace(recording, **{name: value(recording) for name, value in change.items()})


def test_clips_that_may_not_follow_are_refused(human: Character) -> None:
    builder = RecordingBuilder()
    jog = flat_clips(human, place_steps(human, ["jog"]))[0]
    stand = place_steps(human, ["stand"])
    end = planar.compose(stand[0].pose, human.behavior("stand").clips[0].displacement)
    builder.append([0, 0], [flat_clips(human, stand)[0], jog], [0, 30], np.array([stand[0].pose, tuple(end)]))
    with pytest.raises(InvalidInput, match="clip: step 1 of 'Ann' may not follow"):
        builder.recording(rate_hz=30, frames=31, characters=[human], names=["Ann"], kind=[0])


def _written(saved: Path, arrays: dict | None = None, texts: dict | None = None) -> Path:
    """Write a file with other contents and a right checksum."""
    opened = open_safetensors(saved)
    metadata = {name: text for name, text in opened.metadata.items() if name != "checksum"} | (texts or {})
    path = saved.with_name("other.crowd")
    kept = {name: array for name, array in (dict(opened.arrays) | (arrays or {})).items() if array is not None}
    write_safetensors(path, kept, {name: text for name, text in metadata.items() if text is not None})
    return path


def _bytes(text: str) -> np.ndarray:
    return np.frombuffer(text.encode(), np.uint8)


@pytest.mark.parametrize(
    ("arrays", "texts", "message"),
    [
        ({}, {"format": "gambol search tree"}, "not a crowd's"),
        ({}, {"version": "7"}, "version 7"),
        ({}, {"frames": "1.5"}, "frames: a whole"),
        ({}, {"frames": None}, "no 'frames'"),
        ({}, {"rate_hz": '"x"'}, "rate_hz"),
        ({}, {"rate_hz": "NaN"}, "rate_hz"),
        ({}, {"kinds": "{}"}, "kinds: a list"),
        ({}, {"kinds": "[{}]"}, r"kinds\[0\]"),
        ({"clip": None}, {}, "no 'clip'"),
        ({"more": np.zeros(2)}, {}, "'more'"),
        ({"pose": np.zeros((2, 3), np.float32)}, {}, "pose"),
        ({"pose": np.zeros((2, 3))}, {}, "pose"),
        ({"first_step": np.zeros(0, np.int64)}, {}, "first_step"),
        ({"first_step": np.array([0, 1 << 62, 3, 4, 5, 6])}, {}, "first_step"),
        ({"kind": np.full(5, -1, np.int32)}, {}, "kind"),
        ({"until": np.full(5, -1, np.int32)}, {}, "until"),
        ({"names": _bytes("[1]")}, {}, "names: a list"),
        ({"names": np.full(4, 0xFF, np.uint8)}, {}, "names: no text"),
        ({"events": _bytes("[[1]]")}, {}, "events"),
        ({"events": _bytes('[["a", 1, [], {}]]')}, {}, "events"),
        ({"scene": np.zeros(3)}, {}, "scene"),
        ({"facts.0": np.zeros((66, 8), np.float32)}, {}, r"kinds\[0\]: cannot find .* has other clips"),
        ({"facts.0": np.zeros(3, np.uint8)}, {}, r"kinds\[0\]"),
    ],
)
def test_a_file_that_is_not_what_it_says_is_refused_by_its_key(
    saved: Path, arrays: dict, texts: dict, message: str
) -> None:
    with pytest.raises(MalformedFile, match=message) as caught:
        read_recording(_written(saved, arrays, texts))
    assert "other.crowd" in str(caught.value)


def test_an_altered_or_cut_file_is_refused(saved: Path) -> None:
    whole = saved.read_bytes()
    for data in (whole[:-1], whole[:-9] + bytes([whole[-9] ^ 1]) + whole[-8:], whole + b"x", b"", whole[:100]):
        saved.write_bytes(data)
        with pytest.raises(MalformedFile):
            read_recording(saved)


def _with_kind(saved: Path, **changed: object) -> Path:
    kinds = json.loads(open_safetensors(saved).metadata["kinds"])
    kinds[0] |= changed
    return _written(saved, texts={"kinds": json.dumps(kinds)})


def test_a_character_that_cannot_be_found_is_asked_for(saved: Path, human: Character) -> None:
    missing = _with_kind(saved, name="giant")
    with pytest.raises(MalformedFile, match=r"kinds\[0\].*'giant'.*hand it over"):
        read_recording(missing)
    giant = replace(human, name="giant")
    assert read_recording(missing, characters=[giant]).characters[0] is giant
    with pytest.raises(MalformedFile, match="no behavior 'fly'"):
        read_recording(_with_kind(saved, behaviors=["fly"]))
    with pytest.raises(MalformedFile, match=r"beside it.*giant\.toml"):
        read_recording(_with_kind(saved, name="giant", source="giant.toml"))


@pytest.mark.parametrize("source", ["/etc/passwd", "../x.toml", "a/../../x.toml", "/x.toml", "..\\x.toml"])
def test_a_file_cannot_name_files_elsewhere(saved: Path, source: str) -> None:
    with pytest.raises(MalformedFile, match=r"kinds\[0\]\.source"):
        read_recording(_with_kind(saved, source=source))


def test_a_source_from_elsewhere_is_expected_beside_the_recording(recording: Recording, tmp_path: Path) -> None:
    write_recording(tmp_path / "a.crowd", replace(recording, sources=("../people/ann.toml", "")))
    kinds = json.loads(open_safetensors(tmp_path / "a.crowd").metadata["kinds"])
    assert [kind["source"] for kind in kinds] == ["ann.toml", ""]


def test_facts_tell_other_clips_apart(human: Character) -> None:
    facts = clip_facts(human)
    assert len(np.unique(facts.round(3), axis=0)) == len(facts)


def test_a_recording_needs_its_suffix(recording: Recording, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match=r"\.crowd"):
        write_recording(tmp_path / "a.tree", recording)
