"""Write what became of a crowd: its recording, a table, motions, the report, a picture, a video, each by its suffix."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from gambol.crowd.export import export_bvh, export_glb, export_usd
from gambol.crowd.recording import Recording
from gambol.crowd.recording_file import SUFFIX as RECORDING
from gambol.crowd.recording_file import save_recording
from gambol.crowd.table import DEFAULT_RATE_HZ, write_table
from gambol.deliver.plans import USD, Delivery
from gambol.errors import InvalidInput, MissingExtra, UnknownName, UnreadableFile
from gambol.files.disk import write_atomically
from gambol.stages.crowd_report import RunReport
from gambol.world.world import World

#: Characters whose motions are written joint by joint, frame by frame, without being asked for by name.
MOST_UNNAMED = {".bvh": 20, ".glb": 100, **dict.fromkeys(USD, 300)}
VIDEO = ".mp4"
OF_EVERYONE = (RECORDING, ".json", ".png", VIDEO)  # whoever was chosen
Progress = Callable[[str, float], None]


@dataclass(frozen=True, eq=False)
class CrowdResult:
    """What there is to be written."""

    world: World
    recording: Recording
    report: RunReport
    who: tuple[str, ...] = ()  # whose motions and rows are written; empty: everyone's
    table_rate_hz: float = DEFAULT_RATE_HZ  # rows a second and character
    instanced: bool = True  # whether USD describes each kind of character once; else everyone anew

    @property
    def chosen(self) -> list[str] | None:
        """Those of the named who have appeared, in a form that exporters take."""
        there = set(self.recording.names)
        return [name for name in self.who if name in there] if self.who else None


def check_crowd_targets(paths: Iterable[Path], *, characters: int = 0, named: bool = False) -> None:
    """Find what would keep files from being written, before any work is done for them.

    characters: how many there are; named: whether some were chosen.
    """
    seen: set[Path] = set()
    for path in paths:
        suffix = _suffix(path)
        if path.is_dir():
            raise UnreadableFile("this is a folder, cannot write a file here", path=path)
        if suffix in USD and find_spec("pxr") is None:
            raise MissingExtra("USD files", "usd")
        if suffix == ".parquet" and find_spec("pyarrow") is None:
            raise MissingExtra("Parquet files", "tables")
        if path.absolute() in seen:
            raise InvalidInput(f"{path} is to be written twice")
        seen.add(path.absolute())
        most = MOST_UNNAMED.get(suffix, characters)
        if characters > most and not named:
            raise InvalidInput(
                f"{path.name}: {characters:,} characters, joint by joint, are more than the {most} that are written to "
                f"{suffix} unasked; name some with --who, or write a {RECORDING} file, which has everyone"
            )


def deliver_crowd(result: CrowdResult, paths: Sequence[Path], *, progress: Progress | None = None) -> Delivery:
    """Write a crowd to files, each by its suffix; every file is whole or not there.  Folders are made.

    .crowd: the recording, always with everyone in it.  .csv, .parquet: where they are, row by row.
    .usda, .usdc, .usd, .usdz, .glb: motions, on the world's clock.  .bvh: motions, a file for each, with its name
    inserted where there are several.  .json: the report.  .png: a map of the end, with plots.  .mp4: a video
    of everyone, or behind the one who was chosen.
    """
    check_crowd_targets(paths, characters=len(result.recording), named=bool(result.who))
    there = set(result.recording.names)
    skipped = [f"{name}, who has not appeared" for name in result.who if name not in there]
    files: list[Path] = []
    for path in paths:
        if progress is not None:
            progress(f"writing {path.name}", 0.0)
        suffix = _suffix(path)
        if result.chosen == [] and suffix not in OF_EVERYONE:
            skipped.append(f"{path}: none of the named has appeared")
            continue
        files += _film(result, path, progress) if suffix == VIDEO else WRITERS[suffix](result, path)
    return Delivery(tuple(files), tuple(skipped))


def _write_recording(result: CrowdResult, path: Path) -> Iterable[Path]:
    save_recording(result.recording, path)
    return [path]


def _write_table(result: CrowdResult, path: Path) -> Iterable[Path]:
    write_table(result.recording, path, rate_hz=result.table_rate_hz, who=result.chosen)
    return [path]


def _write_usd(result: CrowdResult, path: Path) -> Iterable[Path]:
    export_usd(result.recording, path, who=result.chosen, instanced=result.instanced)
    return [path]


def _write_glb(result: CrowdResult, path: Path) -> Iterable[Path]:
    export_glb(result.recording, path, who=result.chosen)
    return [path]


def _write_bvh(result: CrowdResult, path: Path) -> Iterable[Path]:
    return export_bvh(result.recording, path, who=result.chosen)


def _write_report(result: CrowdResult, path: Path) -> Iterable[Path]:
    text = json.dumps(result.report.to_json(), ensure_ascii=False, indent=1)
    write_atomically(path, f"{text}\n".encode())
    return [path]


def _draw(result: CrowdResult, path: Path) -> Iterable[Path]:
    from gambol.pictures.crowd_picture import crowd_picture

    crowd_picture(path, result.recording, result.world, report=result.report, title=result.report.run.scene)
    return [path]


def _film(result: CrowdResult, path: Path, progress: Progress | None = None) -> Iterable[Path]:
    from gambol.pictures.crowd_video import crowd_video

    one = result.chosen[0] if result.chosen and len(result.chosen) == 1 else None
    crowd_video(
        path, result.recording, result.world, camera="overview" if one is None else "follow", who=one,
        progress=None if progress is None else lambda done, count: progress(f"filming {path.name}", done / count),
    )  # fmt: skip
    return [path]


#: Functions that write a result to a path, and return the files that came of it, by suffix.
WRITERS: dict[str, Callable[[CrowdResult, Path], Iterable[Path]]] = {
    RECORDING: _write_recording,
    ".csv": _write_table,
    ".parquet": _write_table,
    **dict.fromkeys(USD, _write_usd),
    ".glb": _write_glb,
    ".bvh": _write_bvh,
    ".json": _write_report,
    ".png": _draw,
    VIDEO: _film,
}


def _suffix(path: Path) -> str:
    suffix = path.suffix.lower()
    if not suffix:
        raise InvalidInput(f"{path.name!r} has no suffix to tell by what to write; there are: {', '.join(WRITERS)}")
    if suffix not in WRITERS:
        error = UnknownName("kind of output", path.suffix, tuple(WRITERS))
        error.where = str(path)
        raise error
    return suffix
