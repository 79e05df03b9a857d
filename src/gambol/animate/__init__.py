"""From steps to motion: blends, terrain, the ground."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".blends": "Blends",
        ".playing": "play realize realized_contacts",
        ".terrain_report": "terrain_contact_report",
    },
)
