"""Options that several commands share, declared once."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON, for machines.")]
TposeOption = Annotated[str | None, typer.Option(help="A T-pose as first frame of a BVH file: auto, keep or drop.")]
CharacterOption = Annotated[str | None, typer.Option(help="Which character of a glTF or USD file.")]
AnimationOption = Annotated[str | None, typer.Option(help="Which animation of a glTF file.")]
AsfOption = Annotated[Path | None, typer.Option(help="The skeleton of an .amc file (default: the .asf beside it).")]


def parse_unit(text: str | None) -> str | float | None:
    """Take a unit as a name, or as a number of metres."""
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        return text
