"""The core built in other ways: its tests in C as a program, and the package with a library of another compiler.

    python core/variants.py                    # the tests in C, with sanitizers
    python core/variants.py --compiler clang   # with another compiler

core/sanitize.py and tests/core use it too.
"""

from __future__ import annotations

import argparse
import importlib.util
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent


def _build_module() -> ModuleType:
    """Return core/build.py, which is a script and no module of a package."""
    spec = importlib.util.spec_from_file_location("gambol_core_build", ROOT / "build.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


core = _build_module()
#: Reads and writes out of bounds, sums that overflow, numbers that do not fit: the first one ends the program.
SANITIZERS = (
    "-fsanitize=address,undefined,float-cast-overflow", "-fno-sanitize-recover=all", "-fno-omit-frame-pointer", "-g",
)  # fmt: skip
INCLUDES = (f"-I{ROOT / 'include'}", f"-I{ROOT / 'src'}")


def test_files() -> list[Path]:
    """Return the files of the tests in C."""
    return sorted((ROOT / "tests").glob("*.c"))


def compile_tests(program: Path, command: Sequence[str], extra: Sequence[str] = ()) -> None:
    """Compile the tests in C, and the core with them, into a program."""
    arguments = [*command, *core.FLAGS, *core.WARNINGS, *extra, *INCLUDES, "-o", str(program)]
    subprocess.run([*arguments, *map(str, [*test_files(), *core.sources()]), "-lm"], check=True)


def compile_replay(program: Path, command: Sequence[str], extra: Sequence[str] = ()) -> None:
    """Compile the program that asks the core what images say."""
    sources = [*(ROOT / "tests" / "replay").glob("*.c"), *core.sources()]
    arguments = [*command, *core.FLAGS, *core.WARNINGS, *extra, *INCLUDES, "-o", str(program)]
    subprocess.run([*arguments, *map(str, sources), "-lm"], check=True)


def compile_for_gpu(zig: Sequence[str], source: Path) -> str:
    """Compile one source for a GPU and return what is said against it; zig's clang has all that this needs."""
    gpu = ROOT / "tests" / "gpu"
    included = [part for name in ("stdint", "math", "string", "functions") for part in ("-include", f"{name}.h")]
    arguments = [
        *zig, "clang", "-x", "cuda", "--cuda-device-only", "--cuda-gpu-arch=sm_70", "-nocudainc", "-nocudalib",
        "-nostdinc", "-isystem", str(gpu), *included, "-DGB_FN=__attribute__((device)) __attribute__((host))",
        "-Wno-unknown-cuda-version", "-ffp-contract=off", "-O1", *INCLUDES, "-S", "-o", os.devnull, str(source),
    ]  # fmt: skip
    done = subprocess.run(arguments, capture_output=True, text=True)
    return done.stderr if done.returncode else ""


def package_with(folder: Path, command: Sequence[str], extra: Sequence[str] = ()) -> Path:
    """Make a folder for PYTHONPATH that holds the package with a core of another compiler; all else is linked to."""
    package = core.PACKAGE.parent
    copy = folder / package.name
    (copy / "core").mkdir(parents=True)
    for path in [*package.iterdir(), *(package / "core").iterdir()]:
        made = copy / path.relative_to(package)
        if path.name not in ("core", core.library_name(), "__pycache__") and not path.name.endswith(".partial"):
            made.symlink_to(path)
    core.compile_library(copy / "core" / core.library_name(), command, extra)
    core.write_binding(_unlinked(copy / "core" / "_binding.py"))
    return folder


def _unlinked(path: Path) -> Path:
    path.unlink(missing_ok=True)
    return path


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="", help="a command, or `zig`; by default the system's")
    parser.add_argument("--plain", action="store_true", help="without sanitizers")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "tests"
        compile_tests(program, core.compiler_command(options.compiler), () if options.plain else SANITIZERS)
        sys.exit(subprocess.run([str(program)]).returncode)


if __name__ == "__main__":
    main()
