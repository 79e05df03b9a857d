"""Skeletons, motions and what is done to them: values in, new values out."""
