"""Precomputed search trees: grown once from a character, looked up in any world for any goal [LK06, L09 chapter 4]."""
