"""The core built in other ways: core/variants.py, which belongs to no package, and the system's compiler."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent.parent


def _variants() -> ModuleType:
    spec = importlib.util.spec_from_file_location("gambol_core_variants", ROOT / "core" / "variants.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


variants = _variants()
COMMAND: list[str] | None = variants.core.system_compiler()
