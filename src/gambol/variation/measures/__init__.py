"""What motions and models are like, in numbers."""
