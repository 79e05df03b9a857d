"""USD out: motions to a stage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gambol.body.capsules import check_same_joints
from gambol.body.skin import Skin, skin_around
from gambol.errors import InvalidInput, UnknownName
from gambol.extras import check_extra
from gambol.files.disk import atomic_path
from gambol.motion.motion import Motion

if TYPE_CHECKING:
    from types import ModuleType

SUFFIXES = (".usda", ".usdc", ".usd", ".usdz")


def write_usd(
    path: Path | str,
    characters: Motion | Mapping[str, Motion],
    *,
    skin: Skin | None = None,
    name: str = "Character",
) -> None:
    """Write motions as a USD stage: for each character a skeleton, an animation and a skinned mesh.

    characters: motions by the characters' names, or one motion, whose character is called `name`.
    skin: a mesh for joints of the same names; None builds one for each character from its skeleton.

    The suffix chooses the encoding: .usda is text, .usdc and .usd are binary crates, .usdz is a package of one crate.
    The stage keeps our axes and unit: Z up, X forward, metres; a program with Y up turns it by the stage's upAxis.
    Time codes count the first character's frames from 0; the samples of a character at another rate lie between them.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise UnknownName("USD suffix", path.suffix, SUFFIXES)
    cast = {name: characters} if isinstance(characters, Motion) else dict(characters)
    if not cast:
        raise InvalidInput("a USD file needs at least one character")
    stage = _stage_module()
    layer = stage.build_layer(cast, _skins(cast.values(), skin))
    with atomic_path(path) as temporary:
        stage.export(layer, temporary)


def _stage_module() -> ModuleType:
    check_extra("usd", "USD files")
    from gambol.files.usd import stage

    return stage


def _skins(motions: Iterable[Motion], skin: Skin | None) -> list[Skin]:
    """Return a skin for each motion, the same one for motions of the same skeleton."""
    built: dict[int, Skin] = {}  # by the skeleton's identity, which is safe as the motions outlive it
    skins = []
    for motion in motions:
        skeleton = motion.skeleton
        if skin is not None:
            check_same_joints(skin.skeleton, skeleton)
        elif id(skeleton) not in built:
            built[id(skeleton)] = skin_around(skeleton)
        skins.append(built[id(skeleton)] if skin is None else skin)
    return skins
