"""USD out: a top stage of many shots, each a file of its own that is loaded when somebody wants it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from gambol.errors import InvalidInput
from gambol.extras import check_extra
from gambol.files.disk import atomic_path


class Shot(NamedTuple):
    """A USD file to refer to."""

    name: str
    path: str  # from the folder of the top stage on, with / between its parts
    bounds_m: tuple[float, float, float, float]  # of its world: least x, y, greatest x, y


def write_shots(path: Path | str, shots: Sequence[Shot]) -> None:
    """Write a stage with one Xform a shot that takes its file as a payload: none is loaded before it is asked for.

    The variant set `layout` of /World has two variants: `apart` lays the shots out side by side, so that all are in
    sight, `in_place` leaves them where they are.  Time codes are those of the fastest shot; the USD library scales
    the others to it.
    """
    path = Path(path)
    if not shots:
        raise InvalidInput("a stage of shots needs at least one")
    check_extra("usd", "USD files")
    from gambol.files.usd import shot_stage, stage

    layer = shot_stage.build_layer(shots, path.parent)
    with atomic_path(path) as temporary:
        stage.export(layer, temporary)
