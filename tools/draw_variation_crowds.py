"""Draw joggers with five clips and with 37: variants laid over each other, and people side by side with and without.

Needs captures (GAMBOL_MOCAP) and some minutes, to learn the variants; --kept FILE keeps the filled character.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from io import BytesIO
from pathlib import Path

import numpy as np
from evidence.soak.joggers import AHEAD, FIVE, counts, joggers
from evidence.soak.sequences import cmu_108
from evidence.soak.variation_crowd import LABEL, PRESET, recording_of, side_by_side
from PIL import Image

from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.characters.store import load_character, write_character
from gambol.crowd.moment import moment, places
from gambol.crowd.recording import Recording
from gambol.crowd.repeats import count_repeats, repeating_at
from gambol.files.disk import write_atomically
from gambol.motion import edits
from gambol.motion.motion import Motion
from gambol.pictures.camera import Camera
from gambol.pictures.crowd_figures import CrowdFigures
from gambol.pictures.crowd_video import CrowdFilm
from gambol.pictures.lettering import INK, Text, draw_texts
from gambol.pictures.stage import PictureStage
from gambol.pictures.variation_poses import overlaid_poses
from gambol.search.shared_out import SharedOut
from gambol.stages import PlanStage, perform
from gambol.trees.diverse import grow_diverse
from gambol.trees.planner import TreePlanner
from gambol.variation.characters.fill import fill

ROOT = Path(__file__).parent.parent
PICTURES = ROOT / "docs" / "pictures" / "variation"
AT_S = 2.2
SEED, PEOPLE, NODES = 3, 16, 40_000
SIZE = (1200, 360)
QUALITY = 84
ALIKE, UNLIKE = (0.91, 0.42, 0.12), (0.45, 0.56, 0.66)  # who repeats somebody near by, and who does not


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kept", type=Path, help="a filled character, read if it is there, else written")
    kept = parser.parse_args().kept
    if kept is not None and kept.exists():
        many = load_character(kept)
    else:
        many = fill(joggers(cmu_108()), counts(), preset=PRESET, seed=1)
        if kept is not None:
            write_character(kept, many)
    few = replace(
        many,
        behaviors=tuple(replace(one, clips=one.clips[:1]) if one.name in FIVE else one for one in many.behaviors),
    )
    PICTURES.mkdir(parents=True, exist_ok=True)
    draw_variants(many)
    draw_groups((("5 clips", few, 1), ("37 clips", many, 1), ("37 clips in 4 trees", many, 4)))


def draw_variants(character: Character) -> None:
    """Lay all clips of three jogs over each other."""
    shown = [character.behavior(name) for name in (AHEAD, FIVE[2], FIVE[4])]
    rows = [(f"{one.name}: {len(one.clips)} clips", [inside(clip) for clip in one.clips]) for one in shown]
    path = PICTURES / "jogs.png"
    overlaid_poses(path, rows, phases=(0.0, 0.25, 0.5, 0.75, 1.0), width_px=1100)
    save_jpeg(np.array(Image.open(path).convert("RGB")), path.with_suffix(".jpg"))
    path.unlink()


def draw_groups(kinds: Sequence[tuple[str, Character, int]]) -> None:
    """Draw the same people some seconds after they set off, with other clips and numbers of trees below each other."""
    pictures = []
    for name, character, count in kinds:
        five = character.subset("five")
        trees = [grow_diverse(five, nodes=NODES, begins=LABEL, seed=seed) for seed in range(count)]
        planner = SharedOut(tuple(TreePlanner(trees=[tree]) for tree in trees))
        scene = side_by_side(five, PEOPLE, SEED)
        recording = recording_of(perform(scene, PlanStage(planner), check=False))
        alike = repeating_at(recording, round(AT_S * recording.rate_hz))
        colors = np.where(alike[:, None], ALIKE, UNLIKE)
        film = CrowdFilm(
            PictureStage.of(scene.world),
            CrowdFigures.of(recording, colors),
            np.array([AT_S]),
            (camera(recording),),
            SIZE,
        )
        share = count_repeats(recording).share
        words = f"{name}: {alike.sum()} of {len(recording)} repeat somebody near by; {share:.0%} of all clips begun"
        pictures.append(draw_texts(film.frame(0), [Text(words, 16, 30, 20, INK)]))
    save_jpeg(np.concatenate(pictures), PICTURES / "joggers.jpg")


def camera(recording: Recording) -> Camera:
    """Look at everybody from ahead and above."""
    x, y = places(recording, moment(recording, AT_S))[:, :2].mean(axis=0).tolist()
    return Camera((x + 17.0, y + 6.0, 6.5), (x, y, 0.7))


def inside(clip: Clip) -> Motion:
    return edits.cut(clip.motion, clip.margin, clip.motion.frame_count - 1 - clip.margin)


def save_jpeg(pixels: np.ndarray, path: Path) -> None:
    data = BytesIO()
    Image.fromarray(pixels).save(data, "JPEG", quality=QUALITY, optimize=True, progressive=True)
    write_atomically(path, data.getvalue())
    print(path)


if __name__ == "__main__":
    main()
