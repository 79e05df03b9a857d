"""Search trees: grown from a character once, looked up in any world."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".planner": "TreePlanner",
        ".look_up": "LookUp",
        ".tree": "SearchTree",
        ".file": "read_tree write_tree",
        ".diverse": "grow_diverse",
    },
)
