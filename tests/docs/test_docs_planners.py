"""All code on planners' pages runs; apart from that of other pages, so that another worker runs it."""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.support.docs_pages import PLANNERS, name_of, programs, provide_inputs, run_page


@pytest.mark.parametrize("page", [page for page in PLANNERS if programs(page)], ids=name_of)
def test_the_code_on_a_planners_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    provide_inputs(page, tmp_path)
    run_page(page, monkeypatch)
