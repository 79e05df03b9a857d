"""Options that several commands share."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

JsonOption = Annotated[bool, typer.Option("--json", help="Print the result as JSON.")]
TposeOption = Annotated[
    str | None, typer.Option(help="What to do with a T-pose in the first frame of a BVH file: auto, keep or drop.")
]
CharacterOption = Annotated[str | None, typer.Option(help="Name of the character in a glTF or USD file.")]
AnimationOption = Annotated[str | None, typer.Option(help="Name of the animation in a glTF file.")]
AsfOption = Annotated[
    Path | None, typer.Option(help="Skeleton file of an .amc file (default: the .asf file beside it).")
]


def parse_unit(text: str | None) -> str | float | None:
    """Return a unit as a name, or as a number of metres."""
    if text is None:
        return None
    try:
        return float(text)
    except ValueError:
        return text
