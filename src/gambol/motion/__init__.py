"""Motions: skeletons, frames, edits, contacts, quality."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".motion": "Motion",
        ".skeleton": "Skeleton",
        ".contacts": "Contacts detect_contacts",
        ".quality": "Quality measure_quality",
        ".mirror": "mirror",
        ".foot_skate": "remove_foot_skate",
        ".retarget": "retarget",
    },
)
