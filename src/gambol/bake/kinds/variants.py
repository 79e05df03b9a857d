"""The files of tasks of the kind "variation": the model, and motions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from gambol.deliver.registry import USD
from gambol.files.formats import write_motion
from gambol.files.usd import write_usd
from gambol.motion import edits
from gambol.motion.motion import Motion
from gambol.variation.file import SUFFIX as MODEL
from gambol.variation.file import write_model
from gambol.variation.model import Variant, VariationModel

VARIANTS = (".bvh", ".glb", *USD)  # suffixes of files with variants
APART_M = 1.5  # m, > 0: distance of two variants side by side in one stage
AROUND_M = 1.0  # m, >= 0: room around all variants


def write_variants(model: VariationModel, variants: Sequence[Variant], stem: Path, suffixes: Sequence[str]) -> None:
    """Write a model and its variants.

    .bvh, .glb: a numbered file for each variant, which begins at the origin.  USD: one stage with all, side by side.
    """
    digits = len(str(len(variants) - 1))
    for suffix in suffixes:
        if suffix == MODEL:
            write_model(stem.with_name(f"{stem.name}{suffix}"), model)
        elif suffix in USD:
            write_usd(stem.with_name(f"{stem.name}{suffix}"), side_by_side(variants))
        else:
            for number, variant in enumerate(variants):
                write_motion(stem.with_name(f"{stem.name}-{number:0{digits}d}{suffix}"), variant.motion)


def side_by_side(variants: Sequence[Variant]) -> dict[str, Motion]:
    """Return motions by name, each beside the one before."""
    return {
        f"variant_{number}": edits.move(variant.motion, np.array([0.0, APART_M * number, 0.0]))
        for number, variant in enumerate(variants)
    }


def bounds_of(variants: Sequence[Variant]) -> list[float]:
    """Return the bounds of variants side by side: least x, y, greatest x, y."""
    roots = [motion.root_positions[:, :2] for motion in side_by_side(variants).values()]
    least, greatest = np.concatenate(roots).min(axis=0), np.concatenate(roots).max(axis=0)
    return [round(float(value), 3) for value in (*(least - AROUND_M), *(greatest + AROUND_M))]
