"""Motion files of other programs, in and out: one module a format, axes and units converted here only."""
