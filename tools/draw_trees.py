"""Draw the pictures of search trees that the documentation shows."""

from __future__ import annotations

from pathlib import Path

from evidence.reproductions.subjects import HUB, lk06_character

from gambol.pictures.tree_picture import tree_picture
from gambol.trees.diverse import grow_diverse
from gambol.trees.pruned import grow_pruned
from gambol.trees.region import Region

FOLDER = Path(__file__).parent.parent / "docs" / "pictures"
REACH_M = 16.0


def main() -> None:
    character = lk06_character(21)
    pruned = grow_pruned(character, begins=HUB)
    tree_picture(FOLDER / "tree_pruned.png", pruned, character, title="A pruned tree, 220,000 nodes")
    diverse = grow_diverse(character, region=Region.half_disc(REACH_M), begins=HUB)
    tree_picture(FOLDER / "tree_diverse.png", diverse, character, title="A diverse tree, 500,000 nodes")
    for name, tree in (("pruned", pruned), ("diverse", diverse)):
        title = f"A {name} tree, {len(tree):,} nodes"
        tree_picture(FOLDER / f"tree_{name}_survival.png", tree, character, panels=["survival"], title=title)


if __name__ == "__main__":
    main()
