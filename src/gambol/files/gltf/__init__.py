"""Read and write glTF 2.0."""

from gambol.files.gltf.read import parse_gltf, read_glb, read_gltf
from gambol.files.gltf.write import GlbActor, cast_to_glb, to_glb, write_cast_glb, write_glb

__all__ = [
    "GlbActor",
    "cast_to_glb",
    "parse_gltf",
    "read_glb",
    "read_gltf",
    "to_glb",
    "write_cast_glb",
    "write_glb",
]
