"""Studies for people to take: pages that show motions and ask what they look like, and what came of it."""
