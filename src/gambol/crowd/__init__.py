"""Crowds: thousands of characters in real time, who never touch."""
