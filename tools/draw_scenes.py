"""Draw the scenes that ship, planned, and the page that shows them.

Without names all are drawn, which takes some minutes; the page is always written anew.
"""

from __future__ import annotations

import sys
import tempfile
from io import BytesIO
from pathlib import Path

from PIL import Image

from gambol.deliver import deliver
from gambol.io.files import write_atomically
from gambol.plan.choice import default_planner, planner_named
from gambol.scene.file import load_scene
from gambol.scene.shipped import shipped_scenes
from gambol.synthesis.perform import perform

DOCS = Path(__file__).parent.parent / "docs"
PICTURES = DOCS / "pictures" / "scenes"
PAGE = DOCS / "scene_gallery.md"
WIDTH_PX = 1100
MOST_BYTES = 150_000
MOST_TRACED = 4  # characters whose search trees are drawn

HEAD = """# Scenes that ship

Each as `gambol plan NAME -o NAME.png` draws it: what stands and moves, the search tree coloured by cost where there are
few characters, the ways with the behaviors played, and the motions from the side. [scenes.md](scenes.md) is the format,
[planning.md](planning.md) says what happens. This page is written by `tools/draw_scenes.py`.
"""


def draw(name: str) -> None:
    """Plan a scene and draw it, smaller than the command does."""
    scene = load_scene(name)
    count = len(scene.cast)
    performance = perform(scene, planner=planner_named(default_planner(count), trace=count <= MOST_TRACED))
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / f"{name}.png"
        deliver(performance, [path])
        picture = Image.open(path).convert("RGB")
    size = (WIDTH_PX, round(picture.height * WIDTH_PX / picture.width))
    write_atomically(PICTURES / f"{name}.jpg", as_jpeg(picture.resize(size, Image.Resampling.LANCZOS)))


def as_jpeg(picture: Image.Image) -> bytes:
    """Return a picture as a JPEG file, as good as is small enough."""
    for quality in range(88, 30, -4):
        data = BytesIO()
        picture.save(data, "JPEG", quality=quality, optimize=True, progressive=True)
        if data.tell() <= MOST_BYTES:
            break
    return data.getvalue()


def page() -> str:
    """Return the page with every scene, its line and its picture."""
    parts = [HEAD]
    for scene in shipped_scenes():
        parts.append(f"## {scene.name}\n\n{scene.summary}\n\n![{scene.name}](pictures/scenes/{scene.name}.jpg)\n")
    return "\n".join(parts)


def main() -> None:
    perform(load_scene("first"))  # so that the times in the pictures are not those of compiling
    for name in sys.argv[1:] or [scene.name for scene in shipped_scenes()]:
        draw(name)
        print(f"{name}: {(PICTURES / f'{name}.jpg').stat().st_size // 1000} kB", flush=True)
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
