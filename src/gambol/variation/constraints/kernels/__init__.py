"""Compiled loops over frames and angles."""
