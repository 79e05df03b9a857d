"""Build the core: C sources to a shared library, and what cffi reads of the header, beside the package's Python.

    python core/build.py                # with the system's compiler, else with zig's from the package `ziglang`
    python core/build.py --compiler zig # with zig's
    python core/build.py --platform win_amd64 --into build  # for another machine, with zig's
    python core/build.py --check        # tell whether what was built is of these sources; exit code 1 if it is not

`pip install` runs it through hatch_build.py.  Everything is plain C99 of a baseline processor: the same sources give
the same answers from each compiler.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import platform
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).parent
HEADER = ROOT / "include" / "gambol.h"
PACKAGE = ROOT.parent / "src" / "gambol" / "core"
#: Products are never fused with sums, errors of libm set no variable, and nothing is asked of newer processors.
FLAGS = ("-std=c99", "-O2", "-fPIC", "-ffp-contract=off", "-fno-math-errno", "-fvisibility=hidden")
WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Werror")
SUFFIXES = {"Windows": ".dll", "Darwin": ".dylib"}
#: Platforms that wheels are made for, by their tag: zig's name of each, and its system.
PLATFORMS = {
    "manylinux_2_17_x86_64": ("x86_64-linux-gnu.2.17", "Linux"),
    "manylinux_2_17_aarch64": ("aarch64-linux-gnu.2.17", "Linux"),
    "musllinux_1_2_x86_64": ("x86_64-linux-musl", "Linux"),
    "macosx_11_0_x86_64": ("x86_64-macos.11.0", "Darwin"),
    "macosx_11_0_arm64": ("aarch64-macos.11.0", "Darwin"),
    "win_amd64": ("x86_64-windows-gnu", "Windows"),
    "win_arm64": ("aarch64-windows-gnu", "Windows"),
}
NO_COMPILER = (
    "Gambol's core is written in C, and no C compiler was found: install one (Debian: apt install gcc; macOS: "
    "xcode-select --install), name one in CC, or pip install ziglang"
)


class NoCompiler(RuntimeError):
    """There is no C compiler."""

    def __init__(self) -> None:
        super().__init__(NO_COMPILER)


def library_name(system: str = platform.system()) -> str:
    """Return the file name of the shared library on a system."""
    return "libgambol" + SUFFIXES.get(system, ".so")


def system_compiler() -> list[str] | None:
    """Return the command of the system's C compiler: the one named in CC, else a usual one; None without any."""
    named = os.environ.get("CC", "")
    if named:
        return named.split()
    return next(([found] for name in ("cc", "gcc", "clang") if (found := shutil.which(name))), None)


def zig_compiler(target: str = "") -> list[str] | None:
    """Return the command of zig's C compiler for a target, as a baseline processor of it; None without zig.

    zig is that of the package `ziglang`, or the command named in GAMBOL_ZIG.
    """
    named = os.environ.get("GAMBOL_ZIG", "").split()
    if not named and find_spec("ziglang") is None:
        return None
    zig = named or [sys.executable, "-m", "ziglang"]
    return [*zig, "cc", *(["-target", target] if target else []), "-mcpu=baseline"]


def compiler_command(choice: str = "") -> list[str]:
    """Return the command of the compiler asked for, or of the first there is."""
    if choice == "zig":
        found = zig_compiler()
    elif choice:
        found = choice.split()
    else:
        found = system_compiler() or zig_compiler()
    if found is None:
        raise NoCompiler
    return found


def sources() -> list[Path]:
    """Return the C files."""
    return sorted((ROOT / "src").glob("*.c"))


def header_hash() -> str:
    """Return a short hash of the header: library and binding must be of the same one."""
    return hashlib.sha256(HEADER.read_bytes().replace(b"\r\n", b"\n")).hexdigest()[:16]


def source_hash() -> str:
    """Return a hash of everything that is compiled."""
    digest = hashlib.sha256(Path(__file__).read_bytes())
    for path in sorted([*ROOT.glob("src/*.[ch]"), HEADER]):
        digest.update(path.name.encode() + path.read_bytes())
    return digest.hexdigest()[:16]


def definitions() -> str:
    """Return what cffi understands of the header: types, numbers and functions."""
    text = re.sub(r"/\*.*?\*/", "", HEADER.read_text(), flags=re.DOTALL)
    text = re.sub(r"//[^\n]*", "", text)
    text = re.sub(r"#ifdef __cplusplus.*?#endif", "", text, flags=re.DOTALL)
    kept = [line for line in text.splitlines() if not line.startswith("#") or re.match(r"#define \w+ \d", line)]
    return "\n".join(kept).replace("GB_FN ", "")


def write_binding(path: Path) -> None:
    """Write the Python module through which cffi calls the library."""
    from cffi import FFI

    ffi = FFI()
    ffi.set_source("gambol.core._binding", None)
    ffi.cdef(definitions())
    with tempfile.TemporaryDirectory() as folder:
        written = Path(folder) / "_binding.py"
        ffi.emit_python_code(str(written))
        text = written.read_text() + f'HEADER_HASH = "{header_hash()}"\nSOURCE_HASH = "{source_hash()}"\n'
    _replace(path, text.encode())


def compile_library(path: Path, command: Sequence[str], extra: Sequence[str] = ()) -> None:
    """Compile all sources into a shared library."""
    with tempfile.TemporaryDirectory() as folder:
        made = Path(folder) / path.name
        arguments = [
            *command, *FLAGS, *extra, f'-DGB_HEADER_HASH="{header_hash()}"', f"-I{HEADER.parent}", "-shared", "-o",
            str(made), *map(str, sources()), *([] if path.suffix == ".dll" else ["-lm"]),
        ]  # fmt: skip
        subprocess.run(arguments, check=True)
        _replace(path, made.read_bytes())


def _replace(path: Path, content: bytes) -> None:
    """Write a file that is whole or not there, also while an older one is in use."""
    partial = path.with_name(f"{path.name}.{os.getpid()}.partial")
    partial.write_bytes(content)
    partial.replace(path)


def is_current() -> bool:
    """Return whether what was built is of these sources."""
    binding = PACKAGE / "_binding.py"
    return (PACKAGE / library_name()).exists() and binding.exists() and source_hash() in binding.read_text()


def build(choice: str = "") -> list[Path]:
    """Build what the package needs, where it is not there yet; return the files."""
    files = [PACKAGE / library_name(), PACKAGE / "_binding.py"]
    if choice or not is_current():
        compile_library(files[0], compiler_command(choice))
        write_binding(files[1])
    return files


def build_for(tag: str, into: Path) -> list[Path]:
    """Build what a wheel for a platform needs, with zig's compiler; return the files."""
    target, system = PLATFORMS[tag]
    command = zig_compiler(target)
    if command is None:
        raise NoCompiler
    into.mkdir(parents=True, exist_ok=True)
    files = [into / library_name(system), into / "_binding.py"]
    compile_library(files[0], command)
    write_binding(files[1])
    return files


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--compiler", default="", help="a command, or `zig`; by default the system's, else zig's")
    parser.add_argument("--platform", default="", choices=["", *PLATFORMS], help="the tag of a wheel's platform")
    parser.add_argument("--into", type=Path, default=Path("build"), help="a folder, for --platform")
    parser.add_argument("--check", action="store_true", help="only tell whether what was built is of these sources")
    options = parser.parse_args()
    if options.check:
        sys.exit(0 if is_current() else "the core was not built of these sources: run python core/build.py")
    try:
        made = build_for(options.platform, options.into) if options.platform else build(options.compiler)
        for path in made:
            print(path)
    except (NoCompiler, subprocess.CalledProcessError) as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
