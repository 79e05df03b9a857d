"""New motions inside the range of the data, with what is planted at rest [L09 5.5]."""
