"""USD out: motions to a stage."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from gambol.errors import InvalidInput, MissingExtra, UnknownName
from gambol.io.files import atomic_path
from gambol.motion.motion import Motion

if TYPE_CHECKING:
    from types import ModuleType

    from gambol.motion.skin import Skin

SUFFIXES = (".usda", ".usdc", ".usd", ".usdz")


def write_usd(
    path: Path | str,
    characters: Motion | Mapping[str, Motion],
    *,
    skin: Skin | None = None,
    name: str = "Character",
) -> None:
    """Write motions as a USD stage: for each character skeleton, animation and skinned mesh.

    characters: motions by the characters' names, or one motion, whose character is called `name`.
    skin: a mesh that fits every character's skeleton; without one each gets the default body's.

    The suffix chooses the encoding: .usda is text, .usdc and .usd are binary crates, .usdz is a
    package of one crate.  The stage keeps our axes and unit: Z up, X forward, metres; a program
    that is Y up turns it, as the stage's upAxis asks.  Time codes count the first character's
    frames from 0; the samples of a character at another rate lie between them.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise UnknownName("USD suffix", path.suffix, SUFFIXES)
    cast = {name: characters} if isinstance(characters, Motion) else dict(characters)
    if not cast:
        raise InvalidInput("a USD file needs at least one character")
    stage = _stage_module()
    skins = {name: _fitting_skin(name, motion, skin) for name, motion in cast.items()}
    layer = stage.build_layer(cast, skins)
    with atomic_path(path) as temporary:
        stage.export(layer, temporary)


def _stage_module() -> ModuleType:
    try:
        from gambol.io.usd import stage  # imports pxr, an optional dependency
    except ImportError as error:
        raise MissingExtra("USD files", "usd") from error
    return stage


def _fitting_skin(name: str, motion: Motion, skin: Skin | None) -> Skin:
    if skin is None:
        from gambol.motion.body import Body
        from gambol.motion.skin import build_skin

        return build_skin(Body.from_skeleton(motion.skeleton))
    if skin.joints.size > 0 and skin.joints.max() >= motion.skeleton.joint_count:
        raise InvalidInput(
            f"the skin moves with joint {skin.joints.max()}, but {name!r} has only {motion.skeleton.joint_count} joints"
        )
    return skin
