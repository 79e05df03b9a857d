"""Earlier states of this repository, each in an environment of its own, to be asked what they answer and how fast.

*Old* is commit b3af629: the last before rooms, corridor and core.  `python -m evidence.old` makes its environment;
`python -m evidence.old COMMIT` that of any other.  `worker/` is what runs inside; it imports nothing from here.
"""
