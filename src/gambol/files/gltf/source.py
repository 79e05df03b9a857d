"""A glTF file, opened."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gambol.files.gltf.accessors import Accessors
from gambol.files.gltf.container import open_document
from gambol.files.gltf.fields import Json
from gambol.files.gltf.nodes import Nodes, read_nodes


@dataclass(frozen=True, eq=False)
class GltfSource:
    """The file's JSON, nodes and arrays, and notes, to which the steps of reading add."""

    json: Json
    nodes: Nodes
    accessors: Accessors
    notes: list[str] = field(default_factory=list)


def open_source(data: bytes, *, folder: Path | None) -> GltfSource:
    """Open a .glb or .gltf file; buffers in files of their own are read from `folder` only."""
    document = open_document(data, folder=folder)
    return GltfSource(document.json, read_nodes(document.json), Accessors(document))
