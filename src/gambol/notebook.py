"""How a notebook shows values: as pictures, where an installed package draws them.

Such a package names a function `(value) -> bytes of a PNG, or None` in its entry points of the group `gambol.notebook`,
so that values need not know who draws them.
"""

from __future__ import annotations

from base64 import b64encode
from contextlib import suppress
from importlib.metadata import entry_points
from typing import Any

GROUP = "gambol.notebook"


def mime_bundle(value: object, include: object = None, exclude: object = None) -> dict[str, Any]:
    """Return the picture of a value as Jupyter takes it; nothing, and so its text is shown, where nobody draws it.

    It becomes the method `_repr_mimebundle_` of a class.
    """
    for entry in entry_points(group=GROUP):
        with suppress(ImportError):  # what pictures need is not installed
            picture = entry.load()(value)
            if picture is not None:
                return {"image/png": b64encode(picture).decode("ascii")}
    return {}
