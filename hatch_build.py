"""Build the core when the package is installed: by the system's C compiler, else by zig's from PyPI.

GAMBOL_PLATFORM names the platform of a wheel that is for other machines, such as win_amd64 (core/build.py lists them).
"""

from __future__ import annotations

import os
import sys
import sysconfig
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

sys.path.insert(0, str(Path(__file__).parent / "core"))
import build as core

PLATFORM = os.environ.get("GAMBOL_PLATFORM", "")
ZIG = "ziglang>=0.13"  # 0.4 GB, of the isolated build alone


class CoreBuildHook(BuildHookInterface):
    """Puts the library and its binding beside the package's Python; the wheel is for one platform and any Python."""

    def dependencies(self) -> list[str]:
        """Return what the isolated build needs beside hatchling: zig's compiler only where there is no other."""
        return ["cffi>=1.16", *([ZIG] if PLATFORM or not core.system_compiler() else [])]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        build_data["pure_python"] = False
        if PLATFORM:
            files = core.build_for(PLATFORM, Path(self.root) / "build" / PLATFORM)
            build_data["force_include"] |= {str(file): f"gambol/core/{file.name}" for file in files}
            build_data["tag"] = f"py3-none-{PLATFORM}"
            return
        files = core.build()
        build_data["tag"] = f"py3-none-{sysconfig.get_platform().replace('-', '_').replace('.', '_')}"
        build_data["artifacts"] += [f"/{file.relative_to(self.root).as_posix()}" for file in files]
