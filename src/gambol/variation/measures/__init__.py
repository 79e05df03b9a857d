"""Measures of motions and models."""
