from __future__ import annotations

from tests.support.data_folders import mocap as mocap
