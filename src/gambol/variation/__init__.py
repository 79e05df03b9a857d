"""Motion variation: models of how similar motions differ, and new motions from them."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".characters.fill": "extended fill recipes",
        ".characters.varied": "vary_character",
        ".constraints.constrained": "constrained reach",
        ".cuts": "Cut are_cyclic parse_cut read_examples",
        ".encoding": "Encoding encoding_of",
        ".examples": "Example Examples cut_example gather",
        ".file": "read_model write_model",
        ".from_motions": "vary",
        ".measures.distances": "Change change change_of distances is_varied repetition shape",
        ".measures.links": "Links links_of",
        ".measures.principal": "principal_directions",
        ".model": "DEFAULT_PRESET Drawn PRESETS Variant VariationModel learn",
        ".network.regression": "Regression",
        ".network.sampler": "NetworkSampler learn_network",
        ".report": "VariationReport report_on",
        ".screening": "Judged Screening screen",
    },
)
