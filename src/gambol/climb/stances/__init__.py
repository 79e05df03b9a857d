"""The default core: a best-first search over stances, of mode and which limb holds what."""
