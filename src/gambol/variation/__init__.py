"""Motion variation: models of how similar motions differ, and new motions from them."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".characters.fill": "extended fill recipes",
        ".constraints.constrained": "reach",
        ".characters.varied": "vary_character",
        ".cuts": "Cut are_cyclic parse_cut read_examples",
        ".encoding": "encoding_of",
        ".examples": "Example Examples cut_example gather",
        ".file": "read_model write_model",
        ".from_motions": "vary",
        ".measures.distances": "repetition shape",
        ".measures.links": "Links links_of",
        ".measures.principal": "principal_directions",
        ".model": "Variant VariationModel learn",
        ".report": "report_on",
        ".screening": "Judged Screening",
    },
)
