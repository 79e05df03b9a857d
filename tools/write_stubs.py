"""Write what type checkers read of packages that import their public names when they are asked for.

    python tools/write_stubs.py            # src/gambol/__init__.pyi and one for each room
    python tools/write_stubs.py --check    # exit code 1 if one of them is not up to date

Each stub says where a name comes from; the lists themselves are in the `__init__.py` files.
"""

from __future__ import annotations

import argparse
import ast
import sys
from pathlib import Path

SOURCE = Path(__file__).parent.parent / "src" / "gambol"
HEAD = "# Written by tools/write_stubs.py from the list in __init__.py.\n"


def stubs() -> dict[Path, str]:
    """Return the text of each stub by its path."""
    found = {}
    for path in [SOURCE / "__init__.py", *sorted(SOURCE.glob("*/__init__.py"))]:
        table = public_table(path)
        if table:
            found[path.with_suffix(".pyi")] = stub(path, table)
    return found


def public_table(path: Path) -> dict[str, str]:
    """Return module by public name, as the call of `public` in a package says."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "public":
            table = ast.literal_eval(node.args[1])
            return {name: module for module, names in table.items() for name in names.split()}
    return {}


def stub(path: Path, table: dict[str, str]) -> str:
    package = ".".join(("gambol", *path.parent.relative_to(SOURCE).parts))
    lines = ["__version__: str"] if package == "gambol" else []
    for name, module in sorted(table.items(), key=lambda pair: (pair[1], pair[0])):
        place = f"{package}{module}" if module.startswith(".") else module
        if module == f".{name}":
            lines.append(f"from {package} import {name} as {name}")
        else:
            lines.append(f"from {place} import {name} as {name}")
    return HEAD + "\n" + "\n".join([*sorted(lines, key=lambda line: not line.startswith("from")), ""])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    check = parser.parse_args().check
    for path, text in stubs().items():
        if check and (not path.exists() or path.read_text(encoding="utf-8") != text):
            sys.exit(f"{path} is not up to date: run python tools/write_stubs.py")
        if not check:
            path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
