"""USD, in and out: UsdSkel characters.  Needs the extra `usd`."""

from gambol.files.usd.read import read_usd
from gambol.files.usd.write import write_usd

__all__ = ["read_usd", "write_usd"]
