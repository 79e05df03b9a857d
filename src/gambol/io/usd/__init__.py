"""USD, in and out: UsdSkel characters.  Needs the extra `usd`."""

from gambol.io.usd.read import read_usd
from gambol.io.usd.write import write_usd

__all__ = ["read_usd", "write_usd"]
