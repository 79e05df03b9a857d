"""Motion formats and other files: BVH, glTF, USD, ASF/AMC, meshes."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".formats": "ReadOptions read_motion write_motion",
        ".reading": "Reading",
    },
)
