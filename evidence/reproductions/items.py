"""All items, in the order of the papers."""

from __future__ import annotations

from evidence.reproductions import (
    c20_playback,
    c20_scenes,
    kp00_ablation,
    kp00_figure_1,
    kp00_figure_3,
    kp00_figure_6,
    kp00_figure_7,
    kp00_figure_9,
    kp00_figure_12,
    kp00_figure_13,
    kp00_figure_14,
    kp00_figures_10_11,
    kp00_grasp_points,
    kp00_times,
    l09_figure_1_3,
    l09_figure_3_4,
    l09_figure_3_5,
    l09_figure_4_10,
    l09_figure_5_4,
    l09_figure_5_5,
    l09_figure_5_6,
    l09_figure_5_8,
    l09_figure_5_9,
    l09_figure_6_1,
    l09_noise,
    l09_table_4_1,
    l09_table_4_2,
    l09_table_4_3,
    l09_timing,
    l09_user_study,
    lk05_figure_1,
    lk05_figure_6,
    lk05_figure_7,
    lk05_figure_8,
    lk05_figures_2_3,
    lk05_figures_4_5,
    lk05_optimality,
    lk05_scaling,
    lk06_figure_4,
    lk06_figure_13,
    lk06_figure_14,
    lk06_figure_15,
    lk06_gridmaps,
    lk06_poses,
    lk06_tables,
)
from evidence.reproductions.item import Item
from gambol.errors import UnknownName

ITEMS: tuple[Item, ...] = (
    lk05_figure_1.ITEM,
    lk05_figures_2_3.ITEM,
    lk05_figures_4_5.ITEM,
    lk05_figure_6.ITEM,
    lk05_figure_7.ITEM,
    lk05_scaling.ITEM,
    lk05_figure_8.ITEM,
    lk05_optimality.ITEM,
    lk06_figure_4.ITEM,
    lk06_gridmaps.ITEM,
    lk06_tables.TABLE_1_ITEM,
    lk06_tables.TABLE_2_ITEM,
    lk06_poses.ITEM,
    lk06_figure_13.ITEM,
    lk06_figure_14.ITEM,
    lk06_figure_15.ITEM,
    kp00_figure_1.ITEM,
    kp00_figure_3.ITEM,
    kp00_figure_6.ITEM,
    kp00_figure_7.ITEM,
    kp00_ablation.ITEM,
    kp00_figure_9.ITEM,
    kp00_figures_10_11.ITEM,
    kp00_figure_12.ITEM,
    kp00_figure_13.ITEM,
    kp00_figure_14.ITEM,
    kp00_grasp_points.ITEM,
    kp00_times.ITEM,
    l09_figure_1_3.ITEM,
    l09_figure_3_4.ITEM,
    l09_figure_3_5.ITEM,
    l09_table_4_1.ITEM,
    l09_figure_4_10.ITEM,
    l09_table_4_2.ITEM,
    l09_table_4_3.ITEM,
    l09_figure_5_4.ITEM,
    l09_figure_5_5.ITEM,
    l09_figure_5_6.ITEM,
    l09_timing.ITEM,
    l09_user_study.ITEM,
    l09_noise.ITEM,
    l09_figure_5_8.ITEM,
    l09_figure_5_9.ITEM,
    l09_figure_6_1.ITEM,
    c20_scenes.ITEM,
    c20_playback.ITEM,
)


def item_named(name: str) -> Item:
    """Return an item by its name; an unknown one is an error that suggests a near one."""
    for item in ITEMS:
        if item.name == name:
            return item
    raise UnknownName("published item", name, tuple(item.name for item in ITEMS))


def items_named(name: str) -> tuple[Item, ...]:
    """Return the item of a name, all of a paper, or all there are."""
    if name == "all":
        return ITEMS
    of_paper = tuple(item for item in ITEMS if item.name.partition("-")[0] == name)
    return of_paper or (item_named(name),)
