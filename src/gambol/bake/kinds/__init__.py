"""The kinds of tasks, a module each: what a job file says of them, and how they are done."""
