"""The tab "Play": motions and recordings."""
