"""How LK06's tables may test for collisions: as the paper does, by a disc and annotations, and by the real body."""

from __future__ import annotations

from dataclasses import dataclass, replace

from evidence.reproductions.bodies import DISC_RADIUS_M, with_disc
from evidence.reproductions.subjects import lk06_character
from gambol.characters import Annotation, Character
from gambol.scenes import load_scene
from gambol.world import Special, World

#: Which behaviors get across which obstacles of the scene `duck-and-jump` where that is annotated [LK06 4.1, LK05 3.2].
#: A crawl is three states, only the middle one of which has its event beneath the beam.
_ANNOTATED = {
    "first hurdle": (Special("hurdle", near_m=3.0, within_m=0.3), ("jump-over", "jump", "jump-two-foot")),
    "beam": (Special("beam", near_m=3.0, within_m=0.5), ("duck",)),
    "low beam": (Special("low beam", near_m=5.0, within_m=3.0), ("crawl-in", "crawl-cycle", "crawl-out")),
}


@dataclass(frozen=True)
class Testing:
    """A character and a world, and what is tested where they meet."""

    name: str
    about: str  # a sentence
    character: Character
    world: World


def as_the_paper_tests(states: int, scene: str) -> Testing:
    """Return the paper's way: one disc, and obstacles that annotated behaviors get across."""
    about = (
        f"*As the paper tests*: a disc of {DISC_RADIUS_M:g} m, and hurdle and beams annotated by hand for jumps, ducks "
        "and crawls; ours looks at every instant of a clip, the paper's at two."
    )
    kinds = {name: special.kind for special, names in _ANNOTATED.values() for name in names}
    character = with_disc(lk06_character(states))
    behaviors = tuple(
        replace(one, annotation=Annotation(special=kinds.get(one.name))) for one in character.behaviors
    )  # fmt: skip
    world = load_scene(scene).world
    obstacles = tuple(
        replace(one, special=_ANNOTATED[one.name][0]) if one.name in _ANNOTATED else one for one in world.obstacles
    )
    return Testing(
        "as the paper tests", about, replace(character, behaviors=behaviors), replace(world, obstacles=obstacles)
    )


def by_the_body(states: int, scene: str) -> Testing:
    """Return ours: eight parts at every instant, and crossing by heights alone."""
    about = "*The real body*: eight parts at every instant, and crossing follows from heights alone."
    return Testing("the real body", about, lk06_character(states), load_scene(scene).world)
