"""Folders of data that are not in the repository, each named by a variable of the environment."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

#: What each variable names a folder of.
DATA = {
    "GAMBOL_MOCAP": "captures",
    "GAMBOL_RIGS": "rigs",
    "GAMBOL_LEVELS": "levels",
    "GAMBOL_PEDESTRIANS": "pedestrians' paths",
}


def named_folder(variable: str) -> Path | None:
    """Return the folder that a variable names; nothing where it is not set."""
    named = os.environ.get(variable)
    if not named:
        return None
    assert Path(named).is_dir(), f"{variable} names {named}, expected a folder of {DATA[variable]}"
    return Path(named)


def data_folder(variable: str) -> Path:
    """Return the folder that a variable names; the test is skipped where it is not set."""
    folder = named_folder(variable)
    if folder is None:
        pytest.skip(f"{variable} is not set: no {DATA[variable]} to test on")
    return folder


@pytest.fixture(scope="session")
def mocap() -> Path:
    """The folder of CMU's captures."""
    return data_folder("GAMBOL_MOCAP")


@pytest.fixture(scope="session")
def rigs() -> Path:
    """The folder of rigged characters as programs write them."""
    return data_folder("GAMBOL_RIGS")


@pytest.fixture(scope="session")
def levels() -> Path:
    """The folder of levels that others made."""
    return data_folder("GAMBOL_LEVELS")


@pytest.fixture(scope="session")
def pedestrians() -> Path:
    """The folder of paths that people were seen to walk."""
    return data_folder("GAMBOL_PEDESTRIANS")
