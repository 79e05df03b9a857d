"""Variants and models as files of the viewer's folder; nothing that is there is replaced."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gambol.errors import InvalidInput
from gambol.files.formats import write_motion
from gambol.variation.file import SUFFIX, write_model
from gambol.variation.model import Variant, VariationModel
from gambol.view.folder import Folder


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
