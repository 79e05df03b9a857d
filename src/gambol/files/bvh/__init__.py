"""Read and write BVH."""

from gambol.files.bvh.read import parse_bvh, read_bvh
from gambol.files.bvh.write import to_bvh, write_bvh

__all__ = ["parse_bvh", "read_bvh", "to_bvh", "write_bvh"]
