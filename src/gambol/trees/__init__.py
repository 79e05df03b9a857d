"""Search trees: grown from a character once, looked up in any world."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".audit": "audit_tree",
        ".cache": "kept_tree",
        ".cheapest": "grow_cheapest",
        ".diverse": "grow_diverse",
        ".exhaustive": "grow_exhaustive",
        ".file": "read_tree write_tree",
        ".look_up": "Found LookUp",
        ".planner": "TreePlanner",
        ".queries": "Clutter Query QuerySet square_region",
        ".roots": "trees_for",
        ".tree": "SearchTree",
    },
)
