"""The planner core as the paper has it [KP00 3.1-3.4]: state machine, descent, random walk, backtracking."""
