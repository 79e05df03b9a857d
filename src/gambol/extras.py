"""What is not installed with the core: which extra of the package brings it, and what needs it."""

from __future__ import annotations

from importlib.util import find_spec

from gambol.errors import MissingExtra

#: The modules that an extra brings and that are imported.
EXTRAS = {
    "pictures": ("matplotlib", "contourpy", "PIL", "imageio_ffmpeg"),
    "view": ("viser", "websockets"),
    "usd": ("pxr",),
    "tables": ("pyarrow",),
    "cluster": ("ray",),
    "crowds": ("numba",),
}
#: The extra that a kind of file needs; others need none.
NEEDED_BY = {
    **dict.fromkeys((".usda", ".usdc", ".usd", ".usdz"), "usd"),
    ".parquet": "tables",
    ".png": "pictures",
    ".mp4": "pictures",
}


def is_installed(extra: str) -> bool:
    """Return whether all modules of an extra can be imported."""
    return all(find_spec(module) is not None for module in EXTRAS[extra])


def check_extra(extra: str, what: str) -> None:
    """Raise, naming the extra to install, where a module is missing without which `what` is impossible."""
    if not is_installed(extra):
        raise MissingExtra(what, extra)


def check_suffix(suffix: str) -> None:
    """Raise, naming the extra to install, where files with this suffix cannot be written."""
    if suffix in NEEDED_BY:
        check_extra(NEEDED_BY[suffix], f"a {suffix} file")
