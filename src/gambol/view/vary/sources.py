"""What models are learned from: files of the viewer's folder, and cuts of them."""

from __future__ import annotations

import shlex
from pathlib import Path

from gambol.errors import InvalidInput
from gambol.files.formats import FORMATS
from gambol.variation.cuts import Cut, are_cyclic, parse_cut, read_examples
from gambol.variation.examples import gather
from gambol.variation.file import SUFFIX, read_model
from gambol.variation.model import VariationModel, learn
from gambol.view.folder import Folder
from gambol.view.worker import Progress

FEWEST = 2  # motions: one alone does not say how it varies


def cuts_of(text: str, folder: Folder) -> list[Cut]:
    """Return what is written as `walk.bvh@58-193,193-328 other.bvh`; names with blanks are quoted."""
    try:
        words = shlex.split(text)
    except ValueError as error:
        raise InvalidInput(f"{text[:80]!r}: {error}") from None
    found = []
    for word in words:
        cut = parse_cut(word)
        if cut.path.suffix.lower() not in FORMATS:
            raise InvalidInput(f"{str(cut.path)!r} is no motion file; expected: {', '.join(FORMATS)}")
        path = folder.file(str(cut.path), cut.path.suffix.lower())
        folder.check_motion(path)
        found.append(cut._replace(path=path))
    if sum(max(len(cut.ranges), 1) for cut in found) < FEWEST:
        raise InvalidInput(f"at least {FEWEST} motions, or cuts of motions, are needed to learn how they vary")
    return found


def learn_from(cuts: list[Cut], preset: str, progress: Progress) -> VariationModel:
    """Learn a model from files."""
    items = read_examples(cuts, say=progress).items
    return learn(gather(items, cyclic=are_cyclic(items)), preset=preset, progress=progress)


def open_named(name: str, folder: Folder) -> VariationModel:
    """Open a model of the folder."""
    return read_model(folder.file(name, SUFFIX))


def written(path: Path | str) -> str:
    """Return a name as it is to be written among others."""
    return shlex.quote(str(path))
