"""`gambol inspect`: measure how good a motion is."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from gambol.cli.options import AnimationOption, AsfOption, CharacterOption, JsonOption, TposeOption, parse_unit
from gambol.errors import InvalidInput
from gambol.extras import check_extra
from gambol.files.formats import ReadOptions, read_motion
from gambol.motion.quality import Quality, measure_quality


def inspect(
    motion: Annotated[Path, typer.Argument(help="A motion file: BVH, glTF, USD or AMC.")],
    picture: Annotated[
        Path | None, typer.Option("-o", "--picture", help="Also draw the report into this .png file.")
    ] = None,
    unit: Annotated[
        str | None, typer.Option(help="Unit of the file: auto, m, cm, mm, inch, cmu or metres as a number.")
    ] = None,
    true_rate: Annotated[float | None, typer.Option(help="The true rate, if the file states a wrong one.")] = None,
    t_pose: TposeOption = None,
    character: CharacterOption = None,
    animation: AnimationOption = None,
    asf: AsfOption = None,
    as_json: JsonOption = False,
) -> None:
    """Report on a motion: foot slide, ground penetration, smoothness, contacts."""
    if picture is not None and picture.suffix.lower() != ".png":
        raise InvalidInput(f"the report is drawn as a .png file, not {picture.suffix or picture.name!r}")
    if picture is not None:
        check_extra("pictures", "drawing a report")
    options = ReadOptions(
        unit=parse_unit(unit), rate_hz=true_rate, t_pose=t_pose, character=character, animation=animation, asf=asf
    )
    reading = read_motion(motion, options)
    quality = measure_quality(reading.motion)
    if picture is not None:
        from gambol.pictures.quality_picture import quality_picture

        quality_picture(reading.motion, quality, picture, title=motion.name)
    if as_json:
        report = {
            **quality.as_dict(),
            "first_frame": reading.first_frame,
            "notes": list(reading.notes),
            "files": [str(picture)] if picture else [],
        }
        typer.echo(json.dumps(report))
        return
    for note in reading.notes:
        typer.echo(f"note: {note}", err=True)
    typer.echo(f"{motion}\n{quality.describe()}")
    for line in _planted(quality, reading.first_frame):
        typer.echo(line)
    if picture is not None:
        typer.echo(f"picture: {picture}")


def _planted(quality: Quality, first_frame: int) -> list[str]:
    """Return a line for each point with the frames in which it is planted, counted as in character files."""
    frames: dict[str, list[str]] = {}
    for name, first, last in quality.contacts:
        frames.setdefault(name, []).append(f"{first + first_frame}-{last + first_frame}")
    counted = "frames as in the file" + (", its T-pose being frame 0" if first_frame else "")
    return [f"planted, in {counted}:"] * bool(frames) + [f"  {name} {', '.join(at)}" for name, at in frames.items()]
