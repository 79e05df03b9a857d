"""The viewer and scene editor, in a browser."""

from gambol.extras import check_extra
from gambol.lazy import public

check_extra("view", "the viewer")

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".meshes": "facing_out",
        ".tab": "Tab",
        ".viewer": "Viewer",
    },
)
