"""Read and write motion files of other programs: one module for each format; only here are axes and units converted."""
