"""The viewer and scene editor, in a browser."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".meshes": "facing_out",
        ".tab": "Tab",
        ".viewer": "Viewer",
    },
)
