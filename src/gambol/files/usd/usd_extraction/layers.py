"""Open a USD file without following it anywhere."""

# pyright: reportAttributeAccessIssue=false
# The USD library is C++ and comes without stubs.

from __future__ import annotations

import posixpath
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pxr import Ar, Sdf, Tf, Usd

BASE_MEMORY = 384 << 20  # bytes of memory for any file: the libraries alone take less than half of it
MEMORY_PER_BYTE = 16  # bytes of memory for each byte of the files: text takes some ten
CLIPS = "clips"  # metadata key of value clips


class Refusal(ValueError):
    """The file cannot be read; says why, and in which line where that is known."""

    def __init__(self, message: str, line: int | None = None) -> None:
        super().__init__(message)
        self.line = line


@dataclass
class PrivateLayers:
    """Copies of a file and of the files it refers to within its folder, edited to refer to nothing else.

    The library opens any file that a file names, on disk or by plug-ins from the network; the copies name only each
    other.  They are not in its registry of open layers, so the file is always read afresh.
    """

    folder: Path  # resolved: no links in it
    max_bytes: int
    bytes_read: int = 0
    copies: dict[str, Sdf.Layer] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)

    def load(self, where: str) -> Sdf.Layer:
        """Return the copy of a file ("a.usda") or of a member of a package ("b.usdz[a.usda]")."""
        if where.lower().endswith(".usdz"):  # a package stands for its first member
            where = Ar.JoinPackageRelativePath([where, members(where)[0]])
        if where in self.copies:
            return self.copies[where]
        self.bytes_read += Path(Ar.SplitPackageRelativePathOuter(where)[0]).stat().st_size
        if self.bytes_read > self.max_bytes:
            raise Refusal(f"the file and what it refers to have more than the {self.max_bytes:,} bytes that are read")
        self.limit_memory()
        layer = self.copies[where] = open_layer(where)
        for index, asset in reversed(list(enumerate(layer.subLayerPaths))):
            target = self._private(asset, where)
            if target is None:
                del layer.subLayerPaths[index]
            else:
                layer.subLayerPaths[index] = target
        paths: list[Sdf.Path] = []
        layer.Traverse(Sdf.Path.absoluteRootPath, paths.append)
        for path in paths:
            if path.IsPrimPath() or path.IsPrimVariantSelectionPath():
                self._redirect_prim(layer.GetObjectAtPath(path), where)
        return layer

    def limit_memory(self, extra: int = 0) -> None:
        """Limit this process to the memory that the files justify, plus some extra bytes."""
        limit_memory(BASE_MEMORY + MEMORY_PER_BYTE * self.bytes_read + extra)

    def _redirect_prim(self, spec: Sdf.Spec, where: str) -> None:
        for arcs, kind in (("references", Sdf.Reference), ("payload", Sdf.Payload)):
            if spec.HasInfo(arcs):
                spec.SetInfo(arcs, self._redirected(spec.GetInfo(arcs), kind, where))
        if spec.HasInfo(CLIPS):
            spec.ClearInfo(CLIPS)
            self.notes.append(f"{spec.path}: value clips are not read")

    def _redirected(self, arcs: Any, kind: Callable[..., Any], where: str) -> Any:
        """Return a list operation on arcs with each asset path made private, or the arc left out."""

        def private(arc: Any) -> Any:
            target = self._private(arc.assetPath, where) if arc.assetPath else ""
            return None if target is None else kind(target, arc.primPath, arc.layerOffset)

        for name in ("explicitItems", "prependedItems", "appendedItems", "addedItems", "deletedItems", "orderedItems"):
            if items := getattr(arcs, name):
                setattr(arcs, name, [new for arc in items if (new := private(arc)) is not None])
        return arcs

    def _private(self, asset: str, where: str) -> str | None:
        target = self._inside_folder(asset, where)
        if target is None:
            self.notes.append(f"{asset!r} is not read: it is not a file inside the folder of this one")
            return None
        try:
            return self.load(target).identifier
        except Refusal as refusal:
            self.notes.append(f"{asset!r} is not read: {refusal}")
            return None

    def _inside_folder(self, asset: str, where: str) -> str | None:
        outer, member = Ar.SplitPackageRelativePathOuter(asset)
        package, own_member = Ar.SplitPackageRelativePathOuter(where)
        if own_member:  # relative to its own place inside the package
            inner = posixpath.normpath(posixpath.join(posixpath.dirname(own_member), asset))
            return Ar.JoinPackageRelativePath([package, inner]) if inner in members(package) else None
        real = (Path(where).parent / outer).resolve()  # follows links
        if not (real.is_relative_to(self.folder) and real.is_file()):
            return None
        return Ar.JoinPackageRelativePath([str(real), member]) if member else str(real)


def limit_memory(size: int) -> None:
    """Limit this process to a number of bytes of data, and to no core file, where the system can do that."""
    _set_limits(RLIMIT_DATA=size, RLIMIT_CORE=0)


def limit_time(seconds: int) -> None:
    """Limit the computing time of this process, where the system can do that."""
    _set_limits(RLIMIT_CPU=seconds)


def _set_limits(**limits: int) -> None:
    try:
        import resource
    except ImportError:  # Windows
        return
    for name, wanted in limits.items():
        limit = getattr(resource, name)
        hard = resource.getrlimit(limit)[1]
        try:
            resource.setrlimit(limit, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
        except (OSError, ValueError):  # not every system lets a limit be set
            continue


def members(package: str) -> list[str]:
    """Return the names of the files in a package."""
    archives = Sdf if hasattr(Sdf, "ZipFile") else Usd  # it moved after 24.11
    archive = archives.ZipFile.Open(package)
    names = archive.GetFileNames() if archive else []
    if not names:
        raise Refusal("it is not a USD package")
    return names


def open_layer(where: str) -> Sdf.Layer:
    """Return a copy of a layer that no one else holds."""
    try:
        layer = Sdf.Layer.OpenAsAnonymous(where)
    except Tf.ErrorException as error:
        raise library_refusal(error) from error
    if not layer:
        raise Refusal("the USD library cannot open it")
    return layer


def library_refusal(error: Tf.ErrorException) -> Refusal:
    """Return the library's first complaint, without its own source lines."""
    said = re.search(r" : '(.*?)'(?:\n|$)", str(error), re.DOTALL)
    message = said.group(1).strip() if said else str(error).strip()
    place = re.match(r".*?:(\d+):\d+: (.*)", message, re.DOTALL)
    if place:
        return Refusal(_shortened(place.group(2)), int(place.group(1)))
    return Refusal(_shortened(message))


def _shortened(message: str) -> str:
    line = message.split("\n", 1)[0]
    return line if len(line) <= 200 else f"{line[:200]}…"
