"""How a figure made on level ground stands on ground that rises and falls."""
