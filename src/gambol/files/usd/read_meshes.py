"""USD in: the meshes of a stage."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from gambol.errors import MalformedFile
from gambol.extras import check_extra
from gambol.files.usd.extraction import check_encoding, run_extraction

MAX_CORNERS = 12_000_000  # the most corners of triangles that are read


def read_usd_meshes(
    path: Path | str,
) -> tuple[list[tuple[NDArray[np.float64], NDArray[np.int64]]], str, tuple[str, ...]]:
    """Return the vertices in metres and the triangles of each mesh in a stage, its up axis and notes.

    Meshes are placed as at the first time code and turned right side out; hidden meshes, guides and proxies are left
    out.  The library runs in a process of its own, as in `read_usd`.
    """
    path = Path(path)
    check_encoding(path)
    check_extra("usd", "USD files")
    report, arrays = run_extraction(path, "meshes", {"max_corners": MAX_CORNERS})
    if "error" in report:
        raise MalformedFile(report["error"], path=path, line=report.get("line"))
    metres = float(report["metres_per_unit"])
    if not (np.isfinite(metres) and metres > 0.0):
        raise MalformedFile(f"metersPerUnit must be a positive number, not {metres}", path=path)
    points, triangles = arrays["points"] * metres, arrays["triangles"].astype(np.int64)
    point_ends, triangle_ends = np.cumsum(arrays["point_counts"])[:-1], np.cumsum(arrays["triangle_counts"])[:-1]
    shapes = list(zip(np.split(points, point_ends), np.split(triangles, triangle_ends), strict=True))
    return shapes, report["up"].lower(), tuple(report["notes"])
