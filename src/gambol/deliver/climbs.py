"""Write what became of a scene of climbers: motions, modes and grasps, pictures, videos, each by its suffix."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path

from gambol.climb.file import SUFFIX as CLIMB
from gambol.climb.file import climbs_to_text, write_climb_file
from gambol.deliver.plans import USD, Delivery, check_targets, file_for, suffix_of
from gambol.errors import UnknownName
from gambol.files.bvh import write_bvh
from gambol.files.disk import write_atomically
from gambol.files.gltf import write_cast_glb
from gambol.files.gltf.write import Performer
from gambol.files.usd import write_usd
from gambol.stages.climbs import Climbed, ClimbPerformance, Progress

SUFFIXES = (".bvh", ".glb", *USD, CLIMB, ".txt", ".png", ".mp4")
WORDS = (CLIMB, ".txt")  # written whether anyone moves or not
PLANE = "plane"
VIEWS = (PLANE, "side", "three-quarter")  # of videos


def check_climb_targets(paths: Iterable[Path], *, view: str = PLANE) -> None:
    """Find what would keep files from being written, before any work is done for them."""
    check_targets(paths, SUFFIXES)
    if view not in VIEWS:
        raise UnknownName("view", view, VIEWS)


def deliver_climb(
    performance: ClimbPerformance, paths: Sequence[Path], *, view: str = PLANE, progress: Progress | None = None
) -> Delivery:
    """Write climbs to files, each by its suffix; every file is whole or not there.  Folders are made.

    .glb, .usda, .usdc, .usd, .usdz: all climbers in one file; who has arrived stays.  .climb.json, .txt: the modes
    and grasps of all, for machines and for people.  .bvh, .png, .mp4: a motion, a picture and a video for each climber,
    with its name inserted where there are several.

    view: of videos: "plane" is the planar figure among grasp points; "side" and "three-quarter" are the full body.
    Pictures and videos show the climb alone, motions also the ways over the ground before and after it.
    """
    check_climb_targets(paths, view=view)
    say = progress or (lambda what, share: None)
    files: list[Path] = []
    skipped: list[str] = []
    for path in paths:
        say(f"writing {path.name}", 0.0)
        suffix = suffix_of(path, SUFFIXES)
        if suffix in WORDS:
            files += _write_words(performance, path, suffix)
        elif suffix == ".glb" or suffix in USD:
            motions = performance.shared_motions()
            if not motions:
                skipped.append(f"{path}: nobody moves, as nobody has room to start")
                continue
            if suffix == ".glb":
                write_cast_glb(path, [Performer(*item) for item in motions.items()])
            else:
                write_usd(path, motions)
            files.append(path)
        else:
            for target, climbed in _each(performance, path):
                if climbed.motion is None and suffix != ".png":
                    skipped.append(f"{target}: {climbed.name} does not move: {climbed.reason}")
                    continue
                _write_one(performance, climbed, target, view, say)
                files.append(target)
    return Delivery(tuple(files), tuple(skipped))


def _write_words(performance: ClimbPerformance, path: Path, suffix: str) -> list[Path]:
    log = performance.log()
    if suffix == CLIMB:
        write_climb_file(path, log)
    else:
        write_atomically(path, climbs_to_text(log).encode())
    return [path]


def _each(performance: ClimbPerformance, path: Path) -> list[tuple[Path, Climbed]]:
    """Return where each climber's own file goes."""
    if len(performance.climbs) == 1:
        return [(path, performance.climbs[0])]
    targets = [file_for(path, name) for name in performance.names]
    if len(set(targets)) < len(targets):
        targets = [file_for(path, f"{number}-{name}") for number, name in enumerate(performance.names, start=1)]
    return list(zip(targets, performance.climbs, strict=True))


def _write_one(performance: ClimbPerformance, climbed: Climbed, path: Path, view: str, say: Progress) -> None:
    suffix = suffix_of(path, SUFFIXES)
    if suffix == ".bvh":
        assert climbed.motion is not None
        write_bvh(path, climbed.motion)
    elif suffix == ".png":
        _draw(performance, climbed, path)
    else:
        _film(climbed, path, view, lambda done, count: say(f"filming {path.name}", done / count))


def _draw(performance: ClimbPerformance, climbed: Climbed, path: Path) -> None:
    from gambol.pictures.climb_picture import climb_picture

    checks = () if performance.check is None else performance.check.climbs
    report = next((check.plane for check in checks if check.name == climbed.name), None)
    name = performance.scene.name
    title = name if len(performance.climbs) == 1 else f"{name}: {climbed.name}"
    climb_picture(path, climbed.climb, report, title=title)


def _film(climbed: Climbed, path: Path, view: str, progress: Callable[[int, int], None]) -> None:
    from gambol.pictures.climb_round import climb_film
    from gambol.pictures.climb_video import climb_video

    climb = climbed.climb
    assert climb.motion is not None
    assert climbed.body is not None
    if view == PLANE:
        climb_video(path, climb.problem, climb.motion, progress=progress)
    else:
        climb_film(path, climb.problem, climb.motion, climbed.body, view=view, progress=progress)
