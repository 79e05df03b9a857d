"""ASF/AMC, the native pair of CMU's captures: a skeleton file and a motion file, in."""

from gambol.files.asf_amc.amc import parse_amc, read_asf_amc
from gambol.files.asf_amc.asf import AcclaimSkeleton, parse_asf

__all__ = ["AcclaimSkeleton", "parse_amc", "parse_asf", "read_asf_amc"]
