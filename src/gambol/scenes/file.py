"""Read scene files: TOML in, a scene out, with all mistakes listed by their keys."""

from __future__ import annotations

from pathlib import Path

from gambol.characters.store import load_character
from gambol.errors import FileProblem, InvalidInput, MalformedFile
from gambol.files.disk import read_bytes
from gambol.files.entries import Problems, parse_toml
from gambol.files.toml_lines import Key
from gambol.scenes.casting import CROWD_SUBSET, OpenCharacter, Wardrobe, read_cast
from gambol.scenes.draft import Draft, Setting, read_draft, read_setting
from gambol.scenes.find import scene_path
from gambol.scenes.places import PlaceCheck
from gambol.scenes.scene import Actor, Scene

MAX_BYTES = 50_000_000  # bytes: the largest scene file to read


def load_scene(
    source: Path | str,
    *,
    motions: Path | str | None = None,
    seed: int | None = None,
    open_file: OpenCharacter = load_character,
) -> Scene:
    """Read a scene file, or a scene that ships with the package by its name.

    motions: the folder of motion files, for character files that the scene names.
    seed: replaces the file's own.
    open_file: opens a character's file; programs that read many scenes may keep characters.
    """
    path = scene_path(source)
    try:
        text = read_bytes(path, max_bytes=MAX_BYTES).decode("utf-8-sig")
        return parse_scene(text, beside=path.parent, motions=motions, seed=seed, open_file=open_file)
    except UnicodeDecodeError as error:
        raise MalformedFile(f"this is not text in UTF-8: {error.reason}", path=path) from None
    except FileProblem as problem:
        raise problem.in_file(path) from None


def parse_scene(
    text: str,
    *,
    beside: Path | str = ".",
    motions: Path | str | None = None,
    seed: int | None = None,
    open_file: OpenCharacter = load_character,
) -> Scene:
    """Return the scene that a text describes.

    beside: the folder of the files that the text names.
    seed: replaces the text's own.
    """
    if seed is not None and not 0 <= seed < 2**63:
        raise InvalidInput(f"a seed is a whole number from 0 to 2^63 - 1, not {seed}")
    problems = Problems(text)
    data = parse_toml(text)
    if seed is not None:
        data = {**data, "seed": seed}
    if data.get("kind") == "climb":
        from gambol.scenes.climbing import read_climb_scene  # brings shapes that only climbs need

        wardrobe = Wardrobe(Path(beside), motions, problems, open_file=open_file)
        return read_climb_scene(data, text, wardrobe=wardrobe, problems=problems)
    draft = read_draft(data, problems)
    setting = read_setting(draft, Path(beside), problems)
    places = PlaceCheck(setting, problems)
    places.obstacles()
    subset = CROWD_SUBSET if draft.kind == "crowd" else None
    wardrobe = Wardrobe(Path(beside), motions, problems, subset=subset, open_file=open_file)
    cast = read_cast(draft, places, wardrobe, problems)
    _check_specials(draft, setting, cast, problems)
    problems.raise_if_any()
    assert draft.file is not None
    return Scene(
        name=draft.file.name,
        world=setting.world(),
        cast=tuple(actor for _, actor in cast),
        summary=draft.file.summary,
        kind=draft.file.kind,
        seed=draft.file.seed,
        extra=draft.file.extra,
        text=text,
    )


def _check_specials(draft: Draft, setting: Setting, cast: list[tuple[Key, Actor]], problems: Problems) -> None:
    """Add annotated obstacles that no behavior is tagged for, and tags without such an obstacle."""
    if not draft.whole or {key[:2] for key, _ in cast} != {key for key, _ in (*draft.cast, *draft.groups)}:
        return  # characters with mistakes may have the missing tags
    kinds = [obstacle.special.kind for _, obstacle in setting.obstacles if obstacle.special is not None]
    for key, entry in (*draft.cast, *draft.groups):
        for name, kind in entry.special.items():
            if kind not in kinds:
                problems.add_unknown((*key, "special", name), "annotated obstacle of the kind", kind, kinds)
    characters = {id(actor.character): actor.character for _, actor in cast}.values()
    tags = [one.annotation.special for character in characters for one in character.behaviors]
    known = sorted({tag for tag in tags if tag is not None})
    for key, obstacle in setting.obstacles:
        if obstacle.special is not None and obstacle.special.kind not in known:
            what = "behavior of the cast tagged as special for"
            problems.add_unknown((*key, "special", "kind"), what, obstacle.special.kind, known)
