"""The characters that ship, made by code: `python -m tools.authoring` writes their files into the package."""
