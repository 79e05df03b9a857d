from __future__ import annotations

import pytest
from tests.support.browser import chromium as chromium
from tests.support.browser import page as page
from tests.support.browser import viewer as viewer
from tests.support.data_folders import levels as levels
from tests.support.data_folders import mocap as mocap
from tests.support.data_folders import pedestrians as pedestrians
from tests.support.data_folders import rigs as rigs

#: Files of few tests that take long.  They come first, so that no worker is left alone with one of them at the end.
LONG = (
    "test_examples.py",
    "test_demo.py",
    "test_view_browsers.py",
    "test_crowd_pictures.py",
    "test_docs.py",
    "test_shipped_scenes.py",
    "test_view_cli.py",
    "test_bake_survival.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put files that take long first; within a file the order stays."""
    items.sort(key=lambda item: LONG.index(item.path.name) if item.path.name in LONG else len(LONG))
