"""Keep new motions inside the range of the data, and planted points at rest [L09 5.5]."""
