"""Mathematics of rotations and planar poses: batched functions, and scalar kernels beside them."""
