"""Scenes as they are edited: their text, the things in it, and how those are drawn and changed."""
