"""Write what became of a scene: motions, plans, a picture, a video, each by a file's suffix."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from gambol.errors import InvalidInput, MissingExtra, UnknownName, UnreadableFile
from gambol.files.bvh import write_bvh
from gambol.files.gltf import write_cast_glb
from gambol.files.gltf.write import Performer
from gambol.files.usd import write_usd
from gambol.perform import Performance, Progress
from gambol.search.file import SUFFIX as PLAN
from gambol.search.file import write_plans

USD = (".usda", ".usdc", ".usd", ".usdz")
SUFFIXES = (".bvh", ".glb", *USD, PLAN, ".png", ".mp4")


@dataclass(frozen=True)
class Delivery:
    """Which files were written, and why others were not."""

    files: tuple[Path, ...]
    skipped: tuple[str, ...]


def check_targets(paths: Iterable[Path], suffixes: Sequence[str] = SUFFIXES) -> None:
    """Find what would keep files of these suffixes from being written, before any work is done for them."""
    seen: set[Path] = set()
    for path in paths:
        suffix = suffix_of(path, suffixes)
        if path.is_dir():
            raise UnreadableFile("this is a folder, cannot write a file here", path=path)
        if suffix in USD and find_spec("pxr") is None:
            raise MissingExtra("USD files", "usd")
        if path.absolute() in seen:
            raise InvalidInput(f"{path} is to be written twice")
        seen.add(path.absolute())


def deliver(
    performance: Performance, paths: Sequence[Path], *, video_rate_hz: float = 30.0, progress: Progress | None = None
) -> Delivery:
    """Write a performance to files, each by its suffix; every file is whole or not there.  Folders are made.

    .bvh: one file for each character, with its name inserted where there are several; it ends when
    the character has arrived.
    .glb, .usda, .usdc, .usd, .usdz: all characters in one file, on the world's clock; who has arrived stays.
    .plan.json: the plans.  .png: map, search trees where the plans have them, and strip.  .mp4: a video.
    """
    check_targets(paths)
    files: list[Path] = []
    skipped: list[str] = []
    for path in paths:
        if progress is not None:
            progress(f"writing {path.name}", 0.0)
        moves = any(motion is not None for motion in performance.motions)
        if not moves and suffix_of(path) not in (PLAN, ".png"):
            skipped.append(f"{path}: nobody moves, as no plan has steps")
            continue
        files += _write(performance, path, video_rate_hz, progress)
    return Delivery(tuple(files), tuple(skipped))


def file_for(path: Path, name: str) -> Path:
    """Return a path with a character's name inserted: out.bvh for Ann is out-Ann.bvh."""
    safe = re.sub(r"[^\w.-]+", "_", name).strip("._") or "character"
    return path.with_name(f"{path.stem}-{safe}{path.suffix}")


def _write(performance: Performance, path: Path, video_rate_hz: float, progress: Progress | None) -> list[Path]:
    suffix = suffix_of(path)
    if suffix == ".bvh":
        return _write_each(performance, path)
    if suffix == ".glb":
        write_cast_glb(path, [Performer(*item) for item in performance.shared_motions().items()])
    elif suffix in USD:
        write_usd(path, performance.shared_motions())
    elif suffix == PLAN:
        plans = dict(zip(performance.names, performance.plans, strict=True))
        write_plans(path, plans, scene=performance.scene.name, seed=performance.scene.seed)
    elif suffix == ".png":
        _draw(performance, path)
    else:
        _film(performance, path, video_rate_hz, progress)
    return [path]


def _write_each(performance: Performance, path: Path) -> list[Path]:
    motions = performance.own_motions()
    if len(performance.names) == 1:
        targets = [path]
    else:
        targets = [file_for(path, name) for name in motions]
        if len(set(targets)) < len(targets):
            targets = [file_for(path, f"{number}-{name}") for number, name in enumerate(motions, start=1)]
    for target, motion in zip(targets, motions.values(), strict=True):
        write_bvh(target, motion)
    return targets


def _draw(performance: Performance, path: Path) -> None:
    from gambol.pictures.plan_picture import plan_picture

    plan_picture(
        path, performance.scene.world, performance.plans, performance.motions,
        problems=performance.problems, names=performance.names, title=performance.scene.name,
    )  # fmt: skip


def _film(performance: Performance, path: Path, rate_hz: float, progress: Progress | None) -> None:
    from gambol.pictures.plan_video import plan_video

    plan_video(
        path, performance.scene.world, performance.plans, performance.motions,
        problems=performance.problems, names=performance.names, rate_hz=rate_hz,
        progress=_shares(f"filming {path.name}", progress),
    )  # fmt: skip


def _shares(what: str, progress: Progress | None) -> Callable[[int, int], None] | None:
    return None if progress is None else lambda done, count: progress(what, done / count)


def suffix_of(path: Path, suffixes: Sequence[str] = SUFFIXES) -> str:
    """Return which of the suffixes a path ends in, by which it is told what to write."""
    name = path.name.lower()
    for suffix in suffixes:
        if name.endswith(suffix) and name != suffix:
            return suffix
    if name in suffixes or not path.suffix:
        raise InvalidInput(f"{path.name!r} has no suffix to tell by what to write; there are: {', '.join(suffixes)}")
    error = UnknownName("kind of output", path.suffix, suffixes)
    error.where = str(path)
    raise error
