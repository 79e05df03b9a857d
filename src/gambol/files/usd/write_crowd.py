"""USD out: a crowd, with one description for each kind."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from gambol.body.skin import Skin, skin_around
from gambol.errors import InvalidInput, UnknownName
from gambol.extras import check_extra
from gambol.files.disk import atomic_path
from gambol.files.usd.write import SUFFIXES
from gambol.motion.motion import Motion


class CrowdMember(NamedTuple):
    """A character to write, which is there from `start_s` on for as long as its motion lasts."""

    name: str
    kind: str  # members of one kind have one skeleton
    motion: Motion
    start_s: float  # seconds on the clock of the whole crowd


def write_crowd_usd(
    path: Path | str,
    members: Sequence[CrowdMember],
    *,
    instanced: bool = True,
    from_s: float | None = None,
    until_s: float | None = None,
) -> None:
    """Write a crowd as a USD stage on one timeline; the suffix chooses the encoding as in `write_usd`.

    Each kind is a prototype with skeleton, mesh and material, abstract and not drawn; each member is an instance of
    it with an animation of its own, bound where the instance begins and inherited by the skeleton in it.  A member is
    invisible outside its time.  Time codes are the crowd's clock times the first member's rate.

    instanced: False gives each member a skeleton and a mesh of its own, for programs that cannot read instances.
    from_s, until_s: the range of the timeline; by default from the first start to the last end.
    """
    path = Path(path)
    if path.suffix.lower() not in SUFFIXES:
        raise UnknownName("USD suffix", path.suffix, SUFFIXES)
    if not members:
        raise InvalidInput("a USD file needs at least one character")
    check_extra("usd", "USD files")
    from gambol.files.usd import stage
    from gambol.files.usd.crowd_stage import UsdCrowdStage

    begin_s = min(member.start_s for member in members) if from_s is None else from_s
    end_s = max(member.start_s + member.motion.duration_s for member in members) if until_s is None else until_s
    crowd = UsdCrowdStage(members[0].motion.rate_hz, begin_s, end_s, instanced=instanced)
    crowd.add(members, _skins(members))
    with atomic_path(path) as temporary:
        stage.export(crowd.layer, temporary)


def _skins(members: Sequence[CrowdMember]) -> dict[str, Skin]:
    """Return a skin for each kind, built from its skeleton."""
    skins: dict[str, Skin] = {}
    for member in members:
        skeleton = member.motion.skeleton
        if member.kind not in skins:
            skins[member.kind] = skin_around(skeleton)
        elif not skins[member.kind].skeleton.is_like(skeleton):
            raise InvalidInput(f"members of the kind {member.kind!r} have different skeletons")
    return skins
