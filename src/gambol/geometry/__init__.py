"""Mathematics of rotations and planar poses: batched functions, and scalar kernels beside them."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".arrays": "BoolArray FloatArray Int32Array Int64Array",
        ".planar": "compose planar",
        ".quaternion": "quaternion",
    },
)
