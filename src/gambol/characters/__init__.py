"""Characters: clips, behaviors, what may follow what; from files, built or shipped."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".character": "Character Transition",
        ".file": "load_character",
        ".behavior": "Behavior",
        ".clip": "Clip",
        ".step": "Step",
    },
)
