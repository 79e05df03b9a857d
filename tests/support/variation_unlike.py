"""Motions made unlike others, as the items of papers have them."""

from __future__ import annotations

from evidence.reproductions.unlike_motions import turned, with_arms_raised, with_arms_swung

__all__ = ["turned", "with_arms_raised", "with_arms_swung"]
