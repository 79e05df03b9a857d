"""Mathematics of rotations and planar poses: batched functions, with scalar kernels beside them."""
