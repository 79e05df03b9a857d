"""The people of a crowd at their starts, for the time in which the crowd itself is prepared."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import viser

from gambol.body.capsules import Body
from gambol.characters.character import Character
from gambol.characters.clip import Clip
from gambol.crowd.kind import WAIT
from gambol.scenes.scene import Actor
from gambol.view.bodies import Bodies
from gambol.view.crowd.bodies import MANY, Palette
from gambol.view.plan.way import placed


class Starts:
    """Bodies that stand where the cast begins; those who appear later are left out."""

    def __init__(self, scene: viser.SceneApi, name: str, cast: Sequence[Actor], palette: Palette) -> None:
        here = [(number, actor) for number, actor in enumerate(cast) if actor.appears_s == 0.0]
        kinds = {id(actor.character): actor.character for _, actor in here}
        self._bodies = []
        for kind, character in kinds.items():
            own = [(number, actor) for number, actor in here if id(actor.character) == kind]
            colors = np.array([palette.color(number, actor.name) for number, actor in own])
            detail = "rough" if len(own) > MANY else None
            body = Body.from_skeleton(character.skeleton)
            bodies = Bodies(scene, f"{name}/{len(self._bodies)}", body, colors, detail=detail)
            clip, begun = _stand(character), np.array([actor.start for _, actor in own], dtype=np.float64)
            bodies.place(*placed([clip] * len(own), [clip.margin] * len(own), begun))
            self._bodies.append(bodies)

    def remove(self) -> None:
        for bodies in self._bodies:
            bodies.remove()


def _stand(character: Character) -> Clip:
    """Return a clip that begins as somebody stands, if there is one."""
    waits = [behavior for behavior in character.behaviors if behavior.kind == WAIT]
    return (waits or character.behaviors)[0].clips[0]
