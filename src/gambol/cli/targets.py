"""Check where results go, before long work begins."""

from __future__ import annotations

import os
from pathlib import Path

from gambol.errors import UnreadableFile


def check_writable(folder: Path) -> None:
    """Raise an error if a folder is not writable and cannot be made."""
    nearest = next(one for one in (folder, *folder.absolute().parents) if one.exists())
    if not nearest.is_dir():
        raise UnreadableFile(f"cannot write: {nearest} is a file", path=folder)
    if not os.access(nearest, os.W_OK | os.X_OK):
        raise UnreadableFile(f"cannot write: not allowed to in {nearest}", path=folder)
