"""Crowds in real time: many characters that plan as they go and never touch."""

from gambol.lazy import public

__getattr__, __dir__, __all__ = public(
    __name__,
    {
        ".crowd": "Crowd",
        ".errand": "Errand",
        ".recording": "Recording",
        ".recording_file": "read_recording write_recording",
    },
)
