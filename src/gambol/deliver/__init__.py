"""From a performance to files, each written by the suffix of its name."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".registry": "Delivery WriteOptions Writer suffixes_of writers",
        ".variants": "VariantFiles",
    },
)
