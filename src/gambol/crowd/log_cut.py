"""Forgetting what a running crowd has done, so that its memory does not grow with the time."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from gambol.crowd.crowd import Crowd
    from gambol.crowd.edit import Edit


def cut_log(crowd: Crowd, frame: int) -> None:
    """Forget clips, arrivals, events, edits and worlds that were over before a frame.

    What is recorded and judged from this frame on is what it would have been; the world of that frame is kept.
    """
    gone = [who for who, until in enumerate(crowd._until) if 0 <= until <= frame]
    crowd._log.cut(frame, gone=gone)
    editor = crowd._edits
    held = sum(begins <= frame for begins, _ in editor.worlds)
    del editor.worlds[: max(held - 1, 0)]
    editor.edits[:] = [edit for edit in editor.edits if _matters(edit, frame)]


def _matters(edit: Edit, frame: int) -> bool:
    """Tell whether an edit is to come, holds, or meets somebody after a frame."""
    if edit.dropped:
        return False
    if edit.frame is None or edit.frame >= frame or not edit.is_clear:
        return True
    if edit.kind in ("remove", "take"):
        return False
    return edit.until is None or edit.until >= frame
