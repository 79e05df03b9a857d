from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from pathlib import Path

import pytest

from gambol.errors import MissingExtra, UnreadableFile
from gambol.extras import EXTRAS
from gambol.files import read_grey_image, write_atomically

REPOSITORY = Path(__file__).parent.parent


def test_importing_does_not_wait_for_what_only_some_programs_need():
    program = "import sys, gambol; print([name for name in ('trimesh', 'matplotlib', 'pxr') if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


#: Plans and writes without what extras bring; then tells, of each command that needs one, its exit code and error.
WITHOUT_EXTRAS = """
import io, json, sys
from contextlib import redirect_stdout
from gambol.extras import EXTRAS
for module in (name for names in EXTRAS.values() for name in names):
    sys.modules[module] = None
from gambol.cli.app import main

def run(*arguments):
    sys.argv = ["gambol", *arguments, "--json"]
    with redirect_stdout(io.StringIO()) as out:
        try:
            main()
        except SystemExit as ended:
            code = ended.code
    told = json.loads(out.getvalue().splitlines()[-1])
    return code, told.get("error", "")

print(json.dumps([run(*arguments) for arguments in json.loads(sys.argv[1])]))
"""


@pytest.mark.slow
def test_the_core_needs_no_extra_and_what_needs_one_names_it(tmp_path):
    needing = {
        "plan first -o first.png": "pictures",
        "plan first -o first.mp4": "pictures",
        "plan first -o first.usdc": "usd",
        "crowd doorway-4 -o door.parquet": "tables",
        "character show human": "pictures",
        "inspect first.bvh -o first.png": "pictures",
        "vary first.bvh -o walks --plots": "pictures",
        "crowd doorway-4 --seconds 1": "crowds",
        "climb climb-flat": "crowds",
    }
    commands = [line.split() for line in ("plan first -o first.glb -o first.bvh", *needing)]
    program = [sys.executable, "-c", WITHOUT_EXTRAS, json.dumps(commands)]
    done = subprocess.run(program, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    planned, *refused = json.loads(done.stdout)
    assert planned == [0, ""]
    assert {path.name for path in tmp_path.iterdir()} == {"first.glb", "first.bvh"}
    for (command, extra), (code, error) in zip(needing.items(), refused, strict=True):
        assert code == 2, command
        assert f"pip install 'gambol[{extra}]'" in error, f"{command}: {error}"


def test_the_viewer_without_its_extra_names_it(monkeypatch):
    for name in [name for name in sys.modules if name.startswith("gambol.view")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setitem(sys.modules, "viser", None)
    with pytest.raises(MissingExtra, match=r"gambol\[view\]"):
        import_module("gambol.view")


def test_a_height_map_without_the_library_for_images_names_its_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(MissingExtra, match=r"gambol\[pictures\]"):
        read_grey_image(tmp_path / "hills.png")


def test_extras_are_what_the_package_declares():
    declared = tomllib.loads((REPOSITORY / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert set(EXTRAS) | {"all", "docs", "dev", "bench"} == set(declared["optional-dependencies"])
    assert declared["dynamic"] == ["version"]


def test_importing_works_where_no_cache_folder_can_be_written(tmp_path):
    package = tmp_path / "site" / "gambol"
    shutil.copytree(REPOSITORY / "src" / "gambol", package, ignore=shutil.ignore_patterns("__pycache__"))
    program = (
        "import numba.core.caching as caching\n"
        "for locator in caching.CacheImpl._locator_classes: locator.from_function = classmethod(lambda *a: None)\n"
        "import gambol, gambol.motion.motion as motion\n"
        "print(gambol.__file__)\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(package.parent), "PYTHONDONTWRITEBYTECODE": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert str(tmp_path) in done.stdout


def test_the_docs_quote_the_soak_results_as_they_are():
    subprocess.run([sys.executable, str(REPOSITORY / "tools" / "quote_soak.py"), "--check"], check=True)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are POSIX's")
def test_what_is_no_file_is_never_replaced_by_one(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(UnreadableFile, match="not a file that can be replaced"):
        write_atomically(tmp_path / "pipe", b"data")
    assert not (tmp_path / "pipe").is_file()
