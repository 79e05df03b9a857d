"""Mathematics of rotations and planar poses: batched functions, and scalar kernels beside them."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".planar": "compose planar",
        ".quaternion": "quaternion",
    },
)
