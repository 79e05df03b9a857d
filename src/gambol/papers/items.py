"""All items, in the order of the papers."""

from __future__ import annotations

from gambol.errors import UnknownName
from gambol.papers import l09_figure_4_10, l09_table_4_1, l09_table_4_2, l09_table_4_3, lk06_figure_13, lk06_tables
from gambol.papers.item import Item

ITEMS: tuple[Item, ...] = (
    lk06_tables.TABLE_1_ITEM,
    lk06_tables.TABLE_2_ITEM,
    lk06_figure_13.ITEM,
    l09_table_4_1.ITEM,
    l09_figure_4_10.ITEM,
    l09_table_4_2.ITEM,
    l09_table_4_3.ITEM,
)


def item_named(name: str) -> Item:
    """Return an item by its name; an unknown one is an error that suggests a near one."""
    for item in ITEMS:
        if item.name == name:
            return item
    raise UnknownName("published item", name, tuple(item.name for item in ITEMS))
