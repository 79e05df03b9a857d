"""Take the joint transforms out of a USD file, in a process of its own.

`gambol.files.usd.read` runs this package as a program: the USD library crashes on some malformed files and takes all
memory on others, so it must not open unknown files in the caller's process.  The package imports nothing of gambol,
and its own modules relatively: as a package of its own it starts in a third of a second.
"""
