"""A crowd that runs in the browser."""
