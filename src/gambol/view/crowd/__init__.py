"""The tab "Crowd": a crowd that runs in the browser."""
