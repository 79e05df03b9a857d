"""Author the characters that ship, write them into the package, and say what came out."""

from __future__ import annotations

import argparse
import time

from tools.authoring.shipped import AUTHORS, largest_displacement_m

from gambol.characters.store import SHIPPED, load_character, write_character

parser = argparse.ArgumentParser(prog="python -m tools.authoring", description=__doc__)
parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(AUTHORS)}; by default all")
total = 0
for name in parser.parse_args().names or AUTHORS:
    start = time.perf_counter()
    character = AUTHORS[name]()
    path = SHIPPED / f"{name}.npz"
    write_character(path, character)
    clips = [clip for behavior in character.behaviors for clip in behavior.clips]
    total += path.stat().st_size
    print(
        f"{name}: {len(character.behaviors)} behaviors, {len(clips)} clips, "
        f"{sum(clip.motion.frame_count for clip in clips):,} frames, {path.stat().st_size:,} bytes; joints differ by "
        f"{1000.0 * largest_displacement_m(character, load_character(path)):.5f} mm at most "
        f"({time.perf_counter() - start:.1f} s)"
    )
print(f"{total:,} bytes in {SHIPPED}")
