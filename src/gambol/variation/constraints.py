"""Keep planted feet where they are in new motions [L09 5.5]."""

from __future__ import annotations

from gambol.motion.contacts import Contacts
from gambol.motion.foot_skate import remove_foot_skate
from gambol.motion.motion import Motion
from gambol.variation.examples import Examples
from gambol.variation.model import Drawn


def constrained(examples: Examples, drawn: Drawn, contacts: Contacts) -> Motion:
    """Return the motion that was drawn, its planted feet at rest."""
    return remove_foot_skate(examples.encoding.decode(drawn.values), contacts)
