"""KP00 figure 12: climbs done by a body of three dimensions, and what that costs in penetration and skating."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from evidence.reproductions.claim import claim
from evidence.reproductions.climb_runs import climbed, judged
from evidence.reproductions.imported_body import angles_on_body
from evidence.reproductions.item import Item, Picture, Result, Say
from evidence.reproductions.report import Report, Table, row
from evidence.reproductions.scene_drawing import GAP_PX, TEXT_PX, tiled
from gambol.climb import Climb, ClimbMotion, Mode, full_motion
from gambol.judges import BodyReport, ClimbReport, judge_climb_body
from gambol.motion import Motion
from gambol.pictures import INK, PALE_INK, Camera, Diorama, Text, Track, draw_texts, faded, skin_of
from gambol.pictures.climb_figure import MODE_COLORS, WHITE
from gambol.pictures.climb_round import FIELD_OF_VIEW_RAD, PALE, VIEWS
from gambol.pictures.climb_strip import evenly
from gambol.pictures.figure import figure

NAME = "kp00-figure-12"
TITLE = "KP00 figure 12: climbs by a full body"
FULL = (
    "climb-course", "climb-wall", "climb-bars", "climb-tunnel", "climb-ladder", "climb-cave", "climb-chimney",
    "climb-down",
)  # fmt: skip
QUICK = ("climb-wall", "climb-bars")
FULL_DRAWN, QUICK_DRAWN = ("climb-course", "climb-wall", "climb-bars", "climb-ladder"), QUICK
SEED, ACROSS, WIDTH_PX, ASPECT = 0, 5, 1400, 0.92
BODIES_HIGH = 1.75  # statures that a snapshot is high
OTHER_SHARE = 0.03  # by which legs are longer and arms shorter of a body that a motion was not made for
PLANNED, OURS = "as planned, in the plane", "by our full body"
IMPORTED, OTHER = "angles on that body as they are", "angles on a body of other proportions"
BODIES = "penetration and skating"
ENTRY, DEEP, SLIDE = "deepest in a polygon, cm", "% of frames deeper than 1 cm", "farthest that a hold slides, mm"


@dataclass(frozen=True, eq=False)
class Embodied:
    climb: Climb
    motion: ClimbMotion
    body: Motion
    plane: ClimbReport
    ours: BodyReport
    imported: BodyReport
    other: BodyReport


def run(quick: bool, say: Say) -> Result:
    """Embody climbs in two ways, judge both, and draw snapshots of ours."""
    scenes, drawn = (QUICK, QUICK_DRAWN) if quick else (FULL, FULL_DRAWN)
    done: dict[str, Embodied] = {}
    for number, scene in enumerate(scenes):
        say(f"embodying {scene}", number / (len(scenes) + 1))
        climb, plane = climbed(scene, SEED), judged(scene, SEED)
        if climb.motion is None or plane is None:
            continue
        body = full_motion(climb.problem, climb.motion)
        unlike = replace(climb.problem.figure, legs=1.0 + OTHER_SHARE, arms=1.0 - OTHER_SHARE)
        ways = (body, *(angles_on_body(climb.problem, climb.motion, who) for who in (None, unlike)))
        done[scene] = Embodied(
            climb, climb.motion, body, plane, *(judge_climb_body(climb.problem, way, climb.motion) for way in ways)
        )
    say("drawing snapshots", len(scenes) / (len(scenes) + 1))
    pictures: dict[str, Picture] = {f"{NAME}.png": snapshots({name: done[name] for name in drawn if name in done})}
    table = _table(done)
    report = Report(
        item=NAME,
        title=TITLE,
        quick=quick,
        setting=(
            f"The shipped scenes {', '.join(scenes)}, adult figure, the search over stances, seed {SEED}. *{OURS}*: "
            "the built-in human's skeleton of 22 joints, with capsules of its own, adapted to the climb. "
            f"*{IMPORTED}*: the same skeleton with the planar figure's angles and nothing else. *{OTHER}*: likewise, "
            f"with legs {100.0 * OTHER_SHARE:g} % longer and arms as much shorter. Both are our models of importing a "
            "motion into a body it was not made for; the paper's own, of the Poser package, is not at hand.",
            "Judged in all frames and half-way between them, against the polygons drawn out in depth. A hold slides "
            "as far as the steadiest point of a hand or foot moves in the plane while it holds.",
        ),
        tables=(table,),
        differences=_differences(table, len(done), len(scenes)),
        pictures=tuple(pictures),
    )
    return Result(report, pictures)


def _worst(done: Sequence[Embodied]) -> dict[str, list[float]]:
    frames = sum(one.ours.frames for one in done)

    def of(reports: Sequence[BodyReport]) -> list[float]:
        return [
            max(report.entry_cm.value for report in reports),
            100.0 * sum(report.collisions for report in reports) / frames,
            10.0 * max(report.slide_cm.value for report in reports),
        ]

    plane = [
        max(0.0, *(0.1 * one.plane.entry_mm.value for one in done)),
        100.0 * sum(one.plane.collisions for one in done) / frames,
        max(one.plane.drift_mm.value for one in done),
    ]
    return {PLANNED: plane, OURS: of([one.ours for one in done]), IMPORTED: of([one.imported for one in done]),
            OTHER: of([one.other for one in done])}  # fmt: skip


def _table(done: dict[str, Embodied]) -> Table:
    beside = {
        PLANNED: [claim("kp00.fig12.own_entry"), None, claim("kp00.fig12.own_skating")],
        OURS: [claim("kp00.fig12.entry"), None, claim("kp00.fig12.skating")],
    }
    notes = {
        PLANNED: "Collisions in the plane count from 1 mm on. Drift of what is held is that of the judge's own "
        "kinematics in and between frames; below 1 mm is clean.",
        OURS: "The paper has words only, for a body of another program.",
        IMPORTED: "Deepest are " + _parts([one.imported for one in done.values()]) + ": the planar figure has no feet "
        "or hands that could give way. Joints are as far apart as planned, so nothing slides.",
    }
    rows = [
        row(f"all scenes, {way}", values, beside.get(way), note=notes.get(way, ""))
        for way, values in _worst(list(done.values())).items()
    ]
    for scene, one in done.items():
        rows += [row(f"{scene}, {way}", values) for way, values in _worst([one]).items() if way != PLANNED]
    return Table(BODIES, (ENTRY, DEEP, SLIDE), tuple(rows))


def _parts(reports: Sequence[BodyReport]) -> str:
    """Return the names of the joints that are deepest in something, one of each climb."""
    return ", ".join(sorted({report.entry_cm.what for report in reports}))


def _differences(table: Table, done: int, of: int) -> tuple[str, ...]:
    def ours(way: str, column: str) -> float:
        value = table.entry(f"all scenes, {way}", column).ours
        assert isinstance(value, (int, float))
        return float(value)

    return (
        f"{done} of {of} climbs are embodied. Our body is {ours(OURS, ENTRY):.2f} cm deep at most and what it holds "
        f"slides {ours(OURS, SLIDE):.2g} mm; with the planar angles as they are the same body is up to "
        f"{ours(IMPORTED, ENTRY):.1f} cm deep, in {ours(IMPORTED, DEEP):.0f} % of frames more than a centimetre; with "
        f"other proportions it is up to {ours(OTHER, ENTRY):.1f} cm deep and holds slide up to "
        f"{ours(OTHER, SLIDE):.0f} mm. The paper saw penetration and skating in its imported motions.",
        "Not reproduced: the paper's own body and its environments, which it does not describe.",
    )


def snapshots(done: dict[str, Embodied]) -> Picture:
    """Draw each climb in a row of frames that look equally different."""
    width = (WIDTH_PX - GAP_PX * (ACROSS - 1)) // ACROSS
    size = (width, round(width / ASPECT))
    pictures = []
    for scene, one in done.items():
        stage, skin = Diorama.of(one.climb.problem.environment), skin_of(one.body)
        track = Track.of(one.climb.problem, one.motion)
        frames = evenly(track.moved_m, ACROSS + 2)[1:-1]
        for frame in frames:
            mode = Mode(int(one.motion.path.modes[frame]))
            body = figure(skin, skin.deform(one.body, [frame])[0], faded(MODE_COLORS[mode], WHITE, PALE))
            picture = stage.picture(body, _camera(one, frame), size)
            below = np.full((round(1.9 * TEXT_PX), width, 3), 255, dtype=np.uint8)
            texts = [
                Text(scene, 4, 1.3 * TEXT_PX, TEXT_PX, INK),
                Text(f"{mode.label}, {frame / one.motion.rate_hz:.1f} s", width - 4, 1.3 * TEXT_PX, TEXT_PX, PALE_INK,
                     "rs"),
            ]  # fmt: skip
            pictures.append(np.concatenate((picture, draw_texts(below, texts))))
    return tiled(pictures, across=ACROSS)


def _camera(one: Embodied, frame: int) -> Camera:
    direction = np.array(VIEWS["three-quarter"])
    direction /= np.linalg.norm(direction)
    away = 0.5 * BODIES_HIGH * one.climb.problem.figure.stature_m / math.tan(0.5 * FIELD_OF_VIEW_RAD)
    points = one.body.world_positions[frame]
    middle = 0.5 * (points.min(axis=0) + points.max(axis=0))
    target = np.array([middle[0], 0.0, middle[2]])
    return Camera(tuple((target - away * direction).tolist()), tuple(target.tolist()), FIELD_OF_VIEW_RAD)


ITEM = Item(NAME, "climbs by a full body: penetration and skating, beside importing angles as they are", run)
