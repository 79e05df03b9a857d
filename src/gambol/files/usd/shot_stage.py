"""Build a top stage of shots in memory.  Imports pxr: import this module only where it is needed."""

# pyright: reportAttributeAccessIssue=false
# The USD library is C++ and comes without stubs.

from __future__ import annotations

import math
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from pxr import Gf, Kind, Sdf, Tf, Usd, UsdGeom

from gambol.errors import MalformedFile
from gambol.files.usd.names import legal_names
from gambol.files.usd.stage import WORLD

if TYPE_CHECKING:
    from gambol.files.usd.write_shots import Shot

LAYOUT = "layout"  # name of the variant set
APART = "apart"  # the variant with shots side by side
IN_PLACE = "in_place"  # the variant with shots where they are
GAP_M = 2.0  # metres between shots side by side


class Timeline(NamedTuple):
    """The time of a shot, in its own time codes."""

    start: float
    end: float
    codes_per_second: float


def build_layer(shots: Sequence[Shot], beside: Path) -> Sdf.Layer:
    """Return a layer with a payload for each shot; beside: the folder at which their paths begin."""
    layer = Sdf.Layer.CreateAnonymous(".usda")
    layer.customLayerData = {"creator": "Gambol"}
    stage = Usd.Stage.Open(layer, Usd.Stage.LoadNone)
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0)
    timelines = [_timeline(beside / shot.path) for shot in shots]
    _set_time(stage, timelines)
    world = UsdGeom.Xform.Define(stage, WORLD).GetPrim()
    Usd.ModelAPI(world).SetKind(Kind.Tokens.assembly)
    stage.SetDefaultPrim(world)
    prims = []
    for shot, legal in zip(shots, legal_names([shot.name for shot in shots]), strict=True):
        prim = UsdGeom.Xform.Define(stage, f"{WORLD}/{legal}").GetPrim()
        Usd.ModelAPI(prim).SetKind(Kind.Tokens.group)
        prim.GetPayloads().AddPayload(f"./{shot.path}")
        if legal != shot.name:
            prim.SetDisplayName(shot.name)
        prims.append(prim)
    _lay_out(world, prims, shots)
    return layer


def _timeline(path: Path) -> Timeline:
    """Read the time of a shot, without its motions."""
    try:
        layer = Sdf.Layer.OpenAsAnonymous(str(path), True)
    except Tf.ErrorException:
        layer = None
    if layer is None:
        raise MalformedFile("the USD library cannot open this shot", path=path)
    return Timeline(layer.startTimeCode, layer.endTimeCode, layer.timeCodesPerSecond)


def _set_time(stage: Usd.Stage, timelines: Sequence[Timeline]) -> None:
    """Set the rate of the fastest shot, to which the library scales the others, and the time of all shots."""
    rate = max(one.codes_per_second for one in timelines)
    stage.SetTimeCodesPerSecond(rate)
    stage.SetFramesPerSecond(rate)
    stage.SetStartTimeCode(min(rate * one.start / one.codes_per_second for one in timelines))
    stage.SetEndTimeCode(max(rate * one.end / one.codes_per_second for one in timelines))


def _lay_out(world: Usd.Prim, prims: Sequence[Usd.Prim], shots: Sequence[Shot]) -> None:
    """Offer two variants: shots side by side, all in sight, or shots where their worlds are."""
    variants = world.GetVariantSets().AddVariantSet(LAYOUT)
    for name in (APART, IN_PLACE):
        variants.AddVariant(name)
    variants.SetVariantSelection(APART)
    wide = max(shot.bounds_m[2] - shot.bounds_m[0] for shot in shots) + GAP_M
    deep = max(shot.bounds_m[3] - shot.bounds_m[1] for shot in shots) + GAP_M
    columns = max(1, round(math.sqrt(len(shots) * deep / wide)))
    with variants.GetVariantEditContext():
        for number, (prim, shot) in enumerate(zip(prims, shots, strict=True)):
            row, column = divmod(number, columns)
            shift = Gf.Vec3d(column * wide - shot.bounds_m[0], row * deep - shot.bounds_m[1], 0.0)
            UsdGeom.Xformable(prim).AddTranslateOp().Set(shift)
