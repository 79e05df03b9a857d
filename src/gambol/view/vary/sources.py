"""Models and motions in the viewer's folder: what is read to learn from, and what is saved without replacing files."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path

from gambol.errors import InvalidInput
from gambol.files.formats import FORMATS, write_motion
from gambol.variation.cuts import Cut, are_cyclic, parse_cut, read_examples
from gambol.variation.examples import FEWEST, gather
from gambol.variation.file import SUFFIX, read_model, write_model
from gambol.variation.model import Variant, VariationModel, learn
from gambol.view.folder import Folder
from gambol.view.worker import Progress

MOST_SHOWN = 80  # characters, >= 1: an error shows at most this much of a text


def cuts_of(text: str, folder: Folder) -> list[Cut]:
    """Return the cuts in a text such as `walk.bvh@58-193,193-328 other.bvh`; names with blanks are quoted."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InvalidInput(f"{text[:MOST_SHOWN]!r}: {error}") from None
    found = []
    for word in words:
        cut = parse_cut(word)
        if cut.path.suffix.lower() not in FORMATS:
            raise InvalidInput(f"{str(cut.path)!r} is no motion file; expected: {', '.join(FORMATS)}")
        path = folder.file(str(cut.path), cut.path.suffix.lower())
        folder.check_motion(path)
        found.append(cut._replace(path=path))
    if sum(max(len(cut.ranges), 1) for cut in found) < FEWEST:
        raise InvalidInput(f"learning needs at least {FEWEST} motions or cuts of motions")
    return found


def learn_from(cuts: list[Cut], preset: str, progress: Progress) -> VariationModel:
    """Learn a model from files."""
    items = read_examples(cuts, say=progress).items
    return learn(gather(items, cyclic=are_cyclic(items)), preset=preset, progress=progress)


def open_named(name: str, folder: Folder) -> VariationModel:
    """Open a model of the folder."""
    return read_model(folder.file(name, SUFFIX))


def written(path: Path | str) -> str:
    """Return a path quoted as `cuts_of` reads it."""
    return shlex.quote(str(path))


def save_variants(folder: Folder, name: str, suffix: str, variants: Sequence[Variant]) -> list[Path]:
    """Write each variant to a file with its seed in its name: all of them or none."""
    if not variants:
        raise InvalidInput("there are no variants to save")
    paths = [_free(folder, f"{_plain(name)}-{variant.seed:03d}", suffix) for variant in variants]
    try:
        for path, variant in zip(paths, variants, strict=True):
            write_motion(path, variant.motion)
    except BaseException:
        for path in paths:
            path.unlink(missing_ok=True)
        raise
    return paths


def save_named(folder: Folder, name: str, model: VariationModel) -> Path:
    """Write a model."""
    path = _free(folder, _plain(name), SUFFIX)
    write_model(path, model)
    return path


def _plain(name: str) -> str:
    if not name.strip():
        raise InvalidInput("a file needs a name")
    return name.strip()


def _free(folder: Folder, name: str, suffix: str) -> Path:
    path = folder.file(f"{name}{suffix}", suffix)
    if path.exists():
        raise InvalidInput(f"{path.name} is there already; choose another name")
    return path
