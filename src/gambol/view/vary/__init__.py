"""The tab "Vary": models of variation, and their variants."""
