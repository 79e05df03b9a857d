"""Build the core when the package is installed: by the system's C compiler, else by zig's from PyPI."""

from __future__ import annotations

import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "core"))
import build as core


class CoreBuildHook(BuildHookInterface):
    """Puts the library and its binding beside the package's Python; the wheel is for one platform and any Python."""

    def dependencies(self) -> list[str]:
        """Return what the isolated build needs beside hatchling: zig's compiler only where there is no other."""
        return ["cffi>=1.16", *([] if core.system_compiler() else ["ziglang>=0.13"])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        files = core.build()
        build_data["pure_python"] = False
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
        build_data["artifacts"] += [f"/{file.relative_to(self.root).as_posix()}" for file in files]
