"""`gambol convert`: convert a motion from one format to another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.options import AnimationOption, AsfOption, CharacterOption, JsonOption, TposeOption, parse_unit
from gambol.files.conversion import Conversion, convert_motion, parse_name_map
from gambol.files.formats import ReadOptions


def convert(
    source: Annotated[Path, typer.Argument(help="A .bvh, .glb, .gltf, .usda, .usdc, .usd, .usdz or .amc file.")],
    target: Annotated[Path, typer.Argument(help="A .bvh, .glb, .usda, .usdc, .usd or .usdz file to write.")],
    scale: Annotated[float, typer.Option(help="Factor on the size of the figure and its path.")] = 1.0,
    rate: Annotated[float | None, typer.Option(help="Frames a second of the written file.")] = None,
    root: Annotated[
        str,
        typer.Option(
            help="Which bone carries the travel: hips (as it is), ground (a root bone on the floor), inplace (none)."
        ),
    ] = "hips",
    names: Annotated[
        str | None,
        typer.Option(
            help="Rename joints: mixamo, cmu, unreal or vrm to common names; to-mixamo … from common names; "
            "or a JSON file {old: new}."
        ),
    ] = None,
    unit: Annotated[
        str | None, typer.Option(help="Unit of the source file: auto, m, cm, mm, inch, cmu or metres as a number.")
    ] = None,
    out_unit: Annotated[str | None, typer.Option(help="Unit of a written BVH file (default cm).")] = None,
    true_rate: Annotated[
        float | None, typer.Option(help="The true rate, if the source file states a wrong one.")
    ] = None,
    t_pose: TposeOption = None,
    character: CharacterOption = None,
    animation: AnimationOption = None,
    asf: AsfOption = None,
    as_json: JsonOption = False,
) -> None:
    """Convert a motion between BVH, glTF, USD and ASF/AMC (only to read)."""
    conversion = Conversion(
        scale=scale,
        rate_hz=rate,
        root=root,
        names=None if names is None else parse_name_map(names),
        out_unit=parse_unit(out_unit),
    )
    options = ReadOptions(
        unit=parse_unit(unit), rate_hz=true_rate, t_pose=t_pose, character=character, animation=animation, asf=asf
    )
    reading = convert_motion(source, target, conversion, options)
    motion = reading.motion
    if as_json:
        typer.echo(
            json.dumps(
                {
                    "files": [str(target)],
                    "frames": motion.frame_count,
                    "rate_hz": motion.rate_hz,
                    "joints": motion.skeleton.joint_count,
                    "notes": list(reading.notes),
                }
            )
        )
        return
    for note in reading.notes:
        typer.echo(f"note: {note}", err=True)
    typer.echo(
        f"{target}: {motion.frame_count} frames at {motion.rate_hz:g} Hz ({motion.duration_s:.2f} s), "
        f"{motion.skeleton.joint_count} joints"
    )  # fmt: skip
