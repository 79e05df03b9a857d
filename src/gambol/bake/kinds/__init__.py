"""The kinds of tasks, each in a module: its table in job files, and the function that does a task."""
