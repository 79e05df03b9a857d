"""Search trees: grown from a character once, looked up in any world."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".audit": "audit_tree",
        ".builders": "BUILDERS",
        ".cache": "kept_tree",
        ".cheapest": "grow_cheapest",
        ".choosing": "grow_green_kelly grow_inclusion_exclusion grow_inner_product grow_survivor",
        ".diverse": "grow_diverse",
        ".exhaustive": "grow_exhaustive",
        ".file": "read_tree write_tree",
        ".look_up": "Answer Found LookUp",
        ".planner": "TreePlanner",
        ".pruned": "grow_pruned",
        ".queries": "Clutter Query QuerySet square_region",
        ".region": "Region",
        ".roots": "trees_for",
        ".surviving": "grow_surviving",
        ".tree": "SearchTree",
    },
)
