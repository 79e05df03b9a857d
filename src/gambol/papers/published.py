"""What was published, number by number.

[LK06] tables 1 and 2 and figure 13; [L09] tables 4.1, 4.2 and 4.3.  Times are of machines of that time (L09: 2.4 GHz).
"""

from __future__ import annotations

from types import MappingProxyType
from typing import NamedTuple


class Lk06Column(NamedTuple):
    """A column of LK06's tables 1 and 2."""

    runtime_us: float
    output_us: float
    speed_up: float  # against real time
    us_per_frame: float
    path_cost: float


class Lk06Table(NamedTuple):
    tree: Lk06Column
    search: Lk06Column
    times_faster: float
    states: int
    precompute_s: float
    executions: int
    case_us: tuple[float, float]  # the trivial (table 1) or worst (table 2) case: tree and search
    case_us_per_frame: tuple[float, float]


LK06_TABLE_1 = Lk06Table(
    tree=Lk06Column(3_131, 13_123_333, 4_191, 7.95, 361),
    search=Lk06Column(550_591, 12_700_000, 23, 1_445, 357),
    times_faster=176,
    states=21,
    precompute_s=49.3,
    executions=10,
    case_us=(571, 81_535),
    case_us_per_frame=(2.62, 372),
)
LK06_TABLE_2 = Lk06Table(
    tree=Lk06Column(4_865, 29_072_222, 5_976, 5.58, 1_113),
    search=Lk06Column(17_598_088, 27_600_000, 1.57, 21_253, 1_064),
    times_faster=3_617,
    states=13,
    precompute_s=3.1,
    executions=6,
    case_us=(6_230, 25_940_000),
    case_us_per_frame=(5.89, 26_687),
)
#: Figure 13 has no numbers; its text: from an exhaustive tree of 324 MB by halves to 10 MB, "only a small difference".
LK06_FIGURE_13_MB = (324, 162, 81, 40, 20, 10)

L09_SIZES_KB = (250, 100, 50, 25, 10, 5)
L09_DENSITY_SIZES_KB = (50, 25, 10, 5)
L09_BYTES_A_NODE = 56  # the exhaustive tree of depth 5, about 37,000 nodes, took about 2 MB
L09_TABLE_4_1_QUERIES = 1_186
L09_TABLE_4_1_COMPARED = 248  # queries that all methods solve at 50 KB
L09_EXHAUSTIVE_SUCCESS = 71.16  # percent
L09_FIGURE_4_10_NODES = 826


class L09Method(NamedTuple):
    """A row of L09's table 4.1, by size from 250 to 5 KB (densities from 50 KB on)."""

    success: tuple[float, ...]  # percent
    seconds: tuple[float, ...]
    density: tuple[float, ...]
    cost_mean: float  # percent of the exhaustive tree's
    cost_std: float


L09_TABLE_4_1 = MappingProxyType(
    {
        "diverse": L09Method(
            (73.44, 71.75, 69.48, 67.88, 54.55, 39.38), (1.2, 0.8, 0.6, 0.5, 0.4, 0.4),
            (28_752, 11_403, 4_162, 1_650), 110.09, 8.80,
        ),
        "pruned": L09Method(
            (60.37, 40.30, 39.12, 21.92, 21.16, 6.32), (0.043, 0.021, 0.014, 0.011, 0.009, 0.008),
            (109_039, 47_976, 11_098, 5_542), 103.79, 10.40,
        ),
        "inner product": L09Method(
            (65.09, 54.38, 46.04, 40.22, 23.02, 10.37), (720, 126, 38, 14, 7, 5),
            (66_270, 23_059, 6_960, 3_298), 102.19, 2.28,
        ),
        "inclusion-exclusion": L09Method(
            (35.33, 26.22, 21.84, 10.79, 7.76, 4.72), (780, 138, 49, 21, 11, 9),
            (120_155, 42_329, 13_347, 5_309), 121.87, 20.13,
        ),
        "Green and Kelly": L09Method(
            (68.89, 66.27, 62.48, 57.93, 48.82, 31.87), (11_460, 1_800, 480, 80, 19, 6),
            (55_019, 16_526, 4_285, 1_841), 112.02, 8.22,
        ),
    }
)  # fmt: skip


class L09Search(NamedTuple):
    """A row of L09's table 4.2: percentages of A*'s (random queries), or microseconds and counts (C-shape)."""

    runtime: float
    checks: float
    success: float | None
    cost: float


L09_TABLE_4_2_QUERIES = 1_774
L09_TABLE_4_2_COMPARED = 1_661  # queries that all methods solve
L09_TABLE_4_2 = MappingProxyType(
    {
        "A*": L09Search(100.0, 100.0, 97.91, 100.0),
        "weighted A* (2)": L09Search(79.42, 12.31, 97.91, 105.12),
        "diverse, 1,000,000 nodes": L09Search(0.47, 7.27, 94.76, 113.80),  # 50 MB
        "diverse, 500,000 nodes": L09Search(0.44, 4.23, 93.63, 115.48),  # 25 MB
    }
)
L09_C_SHAPE = MappingProxyType(
    {
        "A*": L09Search(2_411_505, 2_885_740, None, 786),
        "weighted A* (2)": L09Search(1_276_468, 1_559_632, None, 846),
        "diverse, 500,000 nodes": L09Search(461, 210, None, 884),
    }
)
L09_GROW_S = MappingProxyType({500_000: 199.0, 1_000_000: 477.0})


class L09Grid(NamedTuple):
    """A resolution of L09's table 4.3: of A* and of the tree of 25 MB."""

    search_us: float
    search_success: float
    tree_runtime: float  # percent of A*'s
    tree_us: float
    tree_success: float


L09_TABLE_4_3 = MappingProxyType(
    {
        270: L09Grid(104_880, 97.91, 0.41, 333, 93.63),
        540: L09Grid(151_770, 97.91, 0.52, 690, 94.31),
        1080: L09Grid(340_195, 97.91, 0.80, 2_652, 94.76),
    }
)
