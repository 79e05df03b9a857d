"""All motion formats behind two functions, chosen by a file's suffix."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from pathlib import Path

from gambol.errors import InvalidInput, UnknownName, UnreadableFile
from gambol.files.asf_amc import read_asf_amc
from gambol.files.bvh import read_bvh, write_bvh
from gambol.files.gltf import read_gltf, write_glb
from gambol.files.reading import Reading
from gambol.files.usd import read_usd, write_usd
from gambol.motion.motion import Motion


@dataclass(frozen=True)
class ReadOptions:
    """Options for reading a file; None leaves the choice to the format."""

    unit: str | float | None = None  # BVH, ASF/AMC: name or metres of one file unit
    rate_hz: float | None = None  # the true rate, or the rate at which to sample keyframes
    t_pose: str | None = None  # BVH: "auto", "keep" or "drop" the first frame
    character: str | None = None  # glTF, USD: name of the character to read
    animation: str | None = None  # glTF: name of the animation to read
    asf: Path | None = None  # AMC: the skeleton; by default the only .asf file beside it


@dataclass(frozen=True)
class Format:
    """One file format: its reader, its writer, if it has one, and the options of both."""

    name: str
    read: Callable[..., Reading]
    read_options: tuple[str, ...]
    write: Callable[..., None] | None
    write_options: tuple[str, ...] = ()


def _read_amc(path: Path, *, asf: Path | None = None, **options: object) -> Reading:
    return read_asf_amc(asf or _asf_beside(path), path, **options)  # pyright: ignore[reportArgumentType]


def _asf_beside(amc: Path) -> Path:
    """Find the skeleton of an AMC file: the only one in its folder, or CMU's 07.asf for 07_01.amc."""
    candidates = sorted(amc.parent.glob("*.asf"))
    own = [path for path in candidates if path.stem in (amc.stem, amc.stem.partition("_")[0])]
    for found in (own, candidates):
        if len(found) == 1:
            return found[0]
    listed = ", ".join(path.name for path in candidates) or "none"
    raise UnreadableFile(f"which .asf file is its skeleton? Name it; beside it lie: {listed}", path=amc)


_BVH = Format("BVH", read_bvh, ("unit", "rate_hz", "t_pose"), write_bvh, ("unit",))
_GLTF = Format("glTF", read_gltf, ("rate_hz", "character", "animation"), None)
_GLB = Format("glTF", read_gltf, ("rate_hz", "character", "animation"), write_glb, ("name",))
_USD = Format("USD", read_usd, ("rate_hz", "character"), write_usd, ("name",))
_AMC = Format("ASF/AMC", _read_amc, ("unit", "rate_hz", "asf"), None)

FORMATS: Mapping[str, Format] = {
    ".bvh": _BVH,
    ".glb": _GLB,
    ".gltf": _GLTF,
    ".amc": _AMC,
    **dict.fromkeys((".usda", ".usdc", ".usd", ".usdz"), _USD),
}
WRITTEN = tuple(suffix for suffix, form in FORMATS.items() if form.write is not None)


def read_motion(path: Path | str, options: ReadOptions | None = None) -> Reading:
    """Read a motion from a file of any known format; an option that the format does not know is an error."""
    path = Path(path)
    form = _format_of(path, tuple(FORMATS))
    given = {
        field.name: getattr(options, field.name)
        for field in fields(ReadOptions)
        if options is not None and getattr(options, field.name) is not None
    }
    for name in given:
        if name not in form.read_options:
            raise InvalidInput(
                f"{form.name} files are read without the option {name!r}; they know: {', '.join(form.read_options)}"
            )
    return form.read(path, **given)


def write_motion(path: Path | str, motion: Motion, *, name: str | None = None, unit: str | float | None = None) -> None:
    """Write a motion to a file of the format that its suffix names.

    name: the character's name, where the format has names; by default the file's.
    unit: the length of one file unit, where the format leaves it open (BVH).
    """
    path = Path(path)
    form = _format_of(path, WRITTEN)
    assert form.write is not None
    options: dict[str, object] = {"name": name or path.stem, "unit": unit}
    if unit is not None and "unit" not in form.write_options:
        raise InvalidInput(f"{form.name} files are always in metres; a unit is for BVH")
    form.write(path, motion, **{key: options[key] for key in form.write_options if options[key] is not None})


def _format_of(path: Path, suffixes: tuple[str, ...]) -> Format:
    suffix = path.suffix.lower()
    if path.is_dir():
        raise UnreadableFile("this is a folder, not a file", path=path)
    if not suffix:
        raise InvalidInput(f"{path.name!r} has no suffix to tell its format by; there are: {', '.join(suffixes)}")
    if suffix not in suffixes:
        error = UnknownName("motion format", suffix or path.name, suffixes)
        error.where = str(path)
        raise error
    return FORMATS[suffix]
