from __future__ import annotations

import pytest
from tests.support.browser import chromium as chromium
from tests.support.browser import page as page
from tests.support.browser import viewer as viewer
from tests.support.data_folders import levels as levels
from tests.support.data_folders import mocap as mocap
from tests.support.data_folders import pedestrians as pedestrians
from tests.support.data_folders import rigs as rigs

#: Files and folders that come first.  Two workers begin with what shares no kernels, so that neither compiles what the
#: other does: examples need those of searches, trees and crowds, climbs have their own.  Then come files of few tests
#: that take long, so that no worker is left alone with one of them at the end.
FIRST = (
    "test_examples.py",
    "test_climb_cli.py",
    "climb",
    "test_demo.py",
    "test_view_browsers.py",
    "test_crowd_pictures.py",
    "test_docs.py",
    "test_shipped_scenes.py",
    "test_view_cli.py",
    "test_bake_survival.py",
)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Put first what is to come first; within a file the order stays."""
    items.sort(key=_rank)


def _rank(item: pytest.Item) -> int:
    names = (item.path.name, item.path.parent.name)
    return next((rank for rank, name in enumerate(FIRST) if name in names), len(FIRST))
