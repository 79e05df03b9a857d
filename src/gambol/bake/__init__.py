"""Many scenes, seeds and settings at once: on this machine or on a Ray cluster, with the same results."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".baking": "Baked bake",
        ".engine": "Attempt Engine",
        ".inputs": "Gathered Inputs lay_out",
        ".job": "Job load_job parse_job",
        ".pool": "Pool",
        ".ray_engine": "RayEngine",
        ".report": "write_outputs",
        ".store": "Store",
        ".task": "Scalar Task",
        ".worker": "bake_here",
    },
)
