"""Motions and recordings that are played."""
