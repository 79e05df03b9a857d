"""Loops of the network, compiled."""
