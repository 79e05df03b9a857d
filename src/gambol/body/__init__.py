"""Bodies: capsules around bones, and skins drawn around them."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".capsules": "Body",
        ".skin": "Skin build_skin",
    },
)
