"""Gambol plans how characters move, and hands over the finished animation."""
