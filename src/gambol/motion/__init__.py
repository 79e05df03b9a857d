"""Skeletons and motions, and functions that turn them into new ones."""
