"""Read ASF/AMC, the native pair of files of CMU's captures: a skeleton and a motion."""

from gambol.files.asf_amc.amc import parse_amc, read_asf_amc
from gambol.files.asf_amc.asf import AcclaimSkeleton, parse_asf

__all__ = ["AcclaimSkeleton", "parse_amc", "parse_asf", "read_asf_amc"]
