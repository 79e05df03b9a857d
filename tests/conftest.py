from __future__ import annotations

import os
from pathlib import Path

import pytest
from tests.browser import chromium as chromium
from tests.browser import page as page
from tests.browser import viewer as viewer


@pytest.fixture(scope="session")
def mocap() -> Path:
    """The folder of CMU captures that GAMBOL_MOCAP names."""
    folder = os.environ.get("GAMBOL_MOCAP")
    if not folder:
        pytest.skip("GAMBOL_MOCAP is not set: no captures to test on")
    return Path(folder)
