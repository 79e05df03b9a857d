"""What a body knows how to do: for now a human figure and its walk, made by code."""
