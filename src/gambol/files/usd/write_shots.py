"""USD out: a top stage of many shots, each a file of its own that is loaded on demand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from gambol.errors import InvalidInput
from gambol.extras import check_extra
from gambol.files.disk import atomic_path


class Shot(NamedTuple):
    """A USD file with a name, for a top stage."""

    name: str
    path: str  # relative to the folder of the top stage, with / between its parts
    bounds_m: tuple[float, float, float, float]  # bounds of its world: least x, y, greatest x, y


def write_shots(path: Path | str, shots: Sequence[Shot]) -> None:
    """Write a stage with one Xform for each shot, whose file is a payload: programs load it on demand.

    The variant set `layout` of /World has two variants: `apart` lays the shots out side by side, all in sight;
    `in_place` leaves them where they are.  Time codes are those of the fastest shot; the USD library scales the others
    to it.
    """
    path = Path(path)
    if not shots:
        raise InvalidInput("a stage of shots needs at least one")
    check_extra("usd", "USD files")
    from gambol.files.usd import shot_stage, stage

    layer = shot_stage.build_layer(shots, path.parent)
    with atomic_path(path) as temporary:
        stage.export(layer, temporary)
