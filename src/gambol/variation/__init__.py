"""Motion variation: models of how similar motions differ, and new motions from them."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".from_motions": "vary",
        ".model": "VariationModel learn",
        ".file": "read_model write_model",
    },
)
