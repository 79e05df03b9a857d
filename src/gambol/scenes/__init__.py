"""Scenes: a world and its cast, read from files."""
