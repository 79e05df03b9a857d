/* What ways to grow trees in a region share. */
#ifndef GB_TREE_SPREADING_H
#define GB_TREE_SPREADING_H

#include "tree_plot.h"

/* Adds the endings that may follow a node and stay in the region, as far as there is room (tree_spread.c). */
void gb_add_endings(const gb_branching *branching, gb_spreading *spreading, gb_growth *growth, int64_t node);

#endif
