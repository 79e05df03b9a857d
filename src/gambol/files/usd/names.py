"""Names as USD allows them: identifiers for prims, and paths of identifiers for joints."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from gambol.errors import InvalidInput
from gambol.motion.skeleton import Skeleton

_ILLEGAL = re.compile(r"[^A-Za-z0-9_]")


class JointTokens(NamedTuple):
    """The names of a skeleton's joints, and of its tips after them, in USD."""

    paths: list[str]  # (J + E) each is its parent's path and a legal name: "Hips/Spine/Neck"
    names: list[str]  # (J + E) unique; joints keep their names, and a tip has its joint's name with "_end"
    tips: list[str]  # (E) the paths of the tips


def joint_tokens(skeleton: Skeleton) -> JointTokens:
    """Name joints and tips for UsdSkel; last parts of paths are unique, as programs use them alone."""
    names = list(skeleton.names)
    taken = set(names)
    for joint in skeleton.tip_parents:
        name = _free(f"{skeleton.names[joint]}_end", taken)
        taken.add(name)
        names.append(name)
    paths: list[str] = []
    parents = [*skeleton.parents, *skeleton.tip_parents]
    for parent, leaf in zip(parents, legal_names(names), strict=True):
        paths.append(leaf if parent < 0 else f"{paths[parent]}/{leaf}")
    return JointTokens(paths, names, paths[skeleton.joint_count :])


def legal_names(names: Sequence[str]) -> list[str]:
    """Return unique ASCII identifiers: illegal characters become "_", repeated names are numbered.

    USD has allowed letters of all scripts since 24.03; many programs that read it do not.
    """
    legal: list[str] = []
    # Legal names stay, whatever the others become.
    taken = {name for name in names if _cleaned(name) == name}
    for name in names:
        if "\0" in name or not _is_unicode(name):
            raise InvalidInput(f"the name {name!r} cannot be written to USD: it is not valid text")
        clean = _cleaned(name)
        free = clean if clean == name else _free(clean, taken)
        taken.add(free)
        legal.append(free)
    return legal


def _cleaned(name: str) -> str:
    clean = _ILLEGAL.sub("_", name)
    return f"_{clean}" if not clean or clean[0].isdigit() else clean


def _free(name: str, taken: set[str]) -> str:
    number, free = 2, name
    while free in taken:
        free = f"{name}_{number}"
        number += 1
    return free


def _is_unicode(name: str) -> bool:
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True
