"""Many scenes, seeds and settings at once: on this machine or on a Ray cluster, with the same results."""
