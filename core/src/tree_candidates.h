/* The nodes of a tree at a goal, the cheapest first: lists of cells, merged as they are asked for. */
#ifndef GB_TREE_CANDIDATES_H
#define GB_TREE_CANDIDATES_H

#include "numbers.h"

#define GB_AHEAD 4 /* candidates that are asked for before they are looked at */
#define GB_FAR_CELLS 1e12 /* an index beyond this is no cell */

/* The cell of a coordinate along an axis; of one that is very far off, some cell far off. */
static inline int64_t gb_cell_along(double value, double start, double cell) {
    return (int64_t)gb_floor(gb_min(gb_max(-GB_FAR_CELLS, (value - start) / cell), GB_FAR_CELLS));
}

/* Opens the lists of one cell; returns how many are open then. */
static inline int64_t gb_open_cell(const gb_tree *tree, const gb_tree_asked *asked, gb_tree_scratch *scratch, int64_t cell,
                                   int64_t count) {
    for (int64_t group = 0; group < tree->grid.groups; group++) {
        const int64_t *list = tree->first_entry + cell * tree->grid.groups + group;
        if (!asked->groups[group] || list[0] >= list[1] || count >= scratch->list_room) continue;
        scratch->cursor[count] = list[0];
        scratch->end[count] = list[1];
        scratch->head[count++] = tree->nodes[tree->entries[list[0]]].cost;
    }
    return count;
}

/* Opens the lists that hold every node within the tolerance of a goal, in the frame of the root; returns how many.
 *
 * As few overlapped squares as cover the goal's own: one, where the tolerance is not above half of what they exceed their
 * cells by.  Along an axis the next square is the last one that begins where the one before ends, or earlier. */
static inline int64_t gb_open_lists(const gb_tree *tree, const gb_tree_asked *asked, gb_tree_scratch *scratch, double x,
                                    double y, double tolerance) {
    double cell = tree->grid.cell_m, beyond = 0.5 * (tree->grid.overlap_m - tree->grid.cell_m);
    int64_t count = 0;
    if (tolerance <= beyond) {
        int64_t row = gb_cell_along(y, tree->grid.y0, cell), column = gb_cell_along(x, tree->grid.x0, cell);
        if (row >= 0 && row < tree->grid.rows && column >= 0 && column < tree->grid.columns)
            count = gb_open_cell(tree, asked, scratch, row * tree->grid.columns + column, 0);
        return count;
    }
    /* No node lies outside the grid. */
    double top = gb_min(y + tolerance, tree->grid.y0 + (double)tree->grid.rows * cell), bottom = gb_max(y - tolerance, tree->grid.y0);
    double right = gb_min(x + tolerance, tree->grid.x0 + (double)tree->grid.columns * cell), left = gb_max(x - tolerance, tree->grid.x0);
    int64_t row = gb_cell_along(bottom + beyond, tree->grid.y0, cell);
    for (double covered_y = bottom; covered_y < top;) {
        int64_t column = gb_cell_along(left + beyond, tree->grid.x0, cell);
        for (double covered_x = left; covered_x < right;) {
            if (row < tree->grid.rows && column < tree->grid.columns)
                count = gb_open_cell(tree, asked, scratch, row * tree->grid.columns + column, count);
            covered_x = tree->grid.x0 + (double)(column + 1) * cell + beyond;
            column = gb_most(column + 1, gb_cell_along(covered_x + beyond, tree->grid.x0, cell));
        }
        covered_y = tree->grid.y0 + (double)(row + 1) * cell + beyond;
        row = gb_most(row + 1, gb_cell_along(covered_y + beyond, tree->grid.y0, cell));
    }
    return count;
}

/* Takes the cheapest node off the open lists, or GB_NOTHING; where costs are equal, off the list that was opened first. */
static inline int64_t gb_next_candidate(const gb_tree *tree, gb_tree_scratch *scratch, int64_t lists) {
    int64_t best = 0;
    for (int64_t number = 1; number < lists; number++)
        if (scratch->head[number] < scratch->head[best]) best = number;
    if (lists == 0 || scratch->head[best] == GB_NEVER) return GB_NOTHING;
    const int32_t *entry = tree->entries + scratch->cursor[best]++;
    int has_more = scratch->cursor[best] < scratch->end[best];
    scratch->head[best] = has_more ? tree->nodes[entry[1]].cost : GB_NEVER;
    if (scratch->cursor[best] + 2 * GB_AHEAD < scratch->end[best]) { /* a node, and then its parent, long before */
        int32_t parent = tree->parents[entry[GB_AHEAD]];
        GB_PREFETCH(tree->nodes + entry[2 * GB_AHEAD]);
        GB_PREFETCH(scratch->stamp + entry[2 * GB_AHEAD]);
        GB_PREFETCH(tree->parents + entry[2 * GB_AHEAD]);
        GB_PREFETCH(tree->parents + parent);
        GB_PREFETCH(scratch->stamp + parent);
    }
    return entry[0];
}

#endif
