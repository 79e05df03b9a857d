"""How the built-in human gets about: stands, steps, walks and jogs, made from plans of footfalls."""
