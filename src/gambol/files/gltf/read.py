"""glTF in: turn any animated .glb or .gltf into a motion."""

from __future__ import annotations

from pathlib import Path

from gambol.errors import FileProblem, UnknownName
from gambol.files.disk import read_bytes
from gambol.files.gltf import fields
from gambol.files.gltf.animation import animated_nodes, read_channels
from gambol.files.gltf.assemble import assemble
from gambol.files.gltf.bind import rest_pose
from gambol.files.gltf.poses import sample_poses
from gambol.files.gltf.rigs import Rig, choose_rig
from gambol.files.gltf.source import GltfSource, open_source
from gambol.files.gltf.tree import arrange
from gambol.files.reading import Reading


def read_gltf(
    path: Path | str,
    *,
    character: str | None = None,
    animation: str | None = None,
    rate_hz: float | None = None,
) -> Reading:
    """Read a .glb or .gltf file; see `parse_gltf` for the options."""
    path = Path(path)
    data = read_bytes(path)
    try:
        return parse_gltf(data, folder=path.parent, character=character, animation=animation, rate_hz=rate_hz)
    except FileProblem as problem:
        raise (problem if problem.path else problem.in_file(path)) from None


def parse_gltf(
    data: bytes,
    *,
    folder: Path | None = None,
    character: str | None = None,
    animation: str | None = None,
    rate_hz: float | None = None,
) -> Reading:
    """Turn a glTF file's contents into a motion.

    folder: the folder of buffers in files of their own, if there are any; nothing outside it is read.
    character: the name of a skin, of a node that wears one or, in a file without skins, of the top node; None takes
        the first character that moves.
    animation: the name of an animation; None takes the first that moves the character.
    rate_hz: frames a second; None takes the rate of the key times.
    """
    source = open_source(data, folder=folder)
    moved_by = _nodes_moved_by_animations(source)
    rig = choose_rig(source, set().union(*moved_by), character)
    chosen = _choose_animation(source, moved_by, rig, animation)
    tree = arrange(source, rig)
    rest = rest_pose(source, rig, tree)
    wanted = set(source.nodes.with_ancestors(tree.members))
    channels = {} if chosen is None else read_channels(source.json, chosen, source.accessors, wanted)
    hint_hz = None if chosen is None else _rate_hint(source, chosen)
    poses = sample_poses(source, tree, rest, channels, rate_hz=rate_hz, hint_hz=hint_hz)
    return Reading(assemble(source, tree, rest, poses), tuple(source.notes))


#: A .glb is a .gltf with its parts in one file; the contents tell them apart.
read_glb = read_gltf


def _nodes_moved_by_animations(source: GltfSource) -> list[set[int]]:
    count = len(fields.objects(source.json, "animations"))
    return [animated_nodes(source.json, index) for index in range(count)]


def _choose_animation(source: GltfSource, moved_by: list[set[int]], rig: Rig, asked: str | None) -> int | None:
    """Return the animation of this name, or the first that moves a joint, or a node above the joints."""
    specs = fields.objects(source.json, "animations")
    names = [fields.text(spec, "name") or f"animation {index}" for index, spec in enumerate(specs)]
    if asked is not None and asked not in names:
        raise UnknownName("animation", asked, names)
    if asked is not None:
        return names.index(asked)
    for movers in (set(rig.joints), set(source.nodes.with_ancestors(rig.joints))):
        candidates = [index for index, moved in enumerate(moved_by) if not moved.isdisjoint(movers)]
        candidates = [index for index in candidates if not _note_of_ours(source, index, "everyone")] or candidates
        if len(candidates) > 1:
            source.notes.append(f"took {names[candidates[0]]!r}, the first of {len(candidates)} animations")
        if candidates:
            return candidates[0]
    return None


def _rate_hint(source: GltfSource, animation: int) -> float | None:
    """Return the rate that our writer noted, as the keys are too coarse to distinguish 29.97 from 30000/1001."""
    rate_hz = _note_of_ours(source, animation, "rate_hz")
    if not isinstance(rate_hz, (int, float)) or not 1e-6 <= rate_hz <= 1e6:
        return None
    return float(rate_hz)


def _note_of_ours(source: GltfSource, animation: int, key: str) -> object:
    """Return our own writer's note beside an animation, or None."""
    extras = source.json["animations"][animation].get("extras")
    ours = extras.get("gambol") if isinstance(extras, dict) else None
    return ours.get(key) if isinstance(ours, dict) else None
