/* Fill the columns of a grid with spans of heights, and group spans that are alike. */
#include "mesh.h"

/* Shares of a cell, 0 to 1: where its column is probed, away from places where meshes often have edges. */
#define PROBE_X 0.5137
#define PROBE_Y 0.4871

/* The number of surfaces of a cell above a point that face up, less those that face down: positive in a solid. */
static int64_t winding_above(const gb_mesh *mesh, const gb_touches *touches, int64_t cell, double x, double y,
                             double z) {
    int64_t winding = 0;
    for (int64_t touch = touches->first[cell]; touch < touches->first[cell + 1]; touch++) {
        double height;
        int facing = gb_surface_at(mesh, touches->triangle[touch], x, y, &height);
        if (facing != 0 && height > z) winding += facing;
    }
    return winding;
}

/* Writes a span. */
static void write_span(int64_t cell, double bottom, double top, int64_t place, int64_t *cells, double *bottoms,
                       double *tops) {
    cells[place] = cell;
    bottoms[place] = bottom;
    tops[place] = top;
}

int64_t gb_touches_spans(const gb_mesh *mesh, int32_t is_solid, const gb_grid *grid, const gb_touches *touches,
                         const uint8_t *is_ground, int64_t *cells, double *bottoms, double *tops, int64_t *span_of) {
    int64_t found = 0;
    for (int64_t cell = 0; cell < grid->rows * grid->columns; cell++) {
        int64_t start = touches->first[cell], stop = touches->first[cell + 1];
        if (start == stop) continue;
        double x = grid->x0 + ((double)(cell % grid->columns) + PROBE_X) * grid->cell_m;
        double y = grid->y0 + ((double)(cell / grid->columns) + PROBE_Y) * grid->cell_m;
        double reached = touches->low[start], bottom = 0.0, top = 0.0;
        int is_open = 0;
        for (int64_t touch = start; touch < stop; touch++) {
            double low = touches->low[touch], high = touches->high[touch];
            span_of[touch] = GB_NOTHING;
            if (low > reached) {
                /* No surface lies between the two, so one point decides whether all between them are inside. */
                if (is_solid && winding_above(mesh, touches, cell, x, y, 0.5 * (reached + low)) > 0) {
                    if (!is_open) bottom = reached;
                    is_open = 1;
                    top = low;
                } else if (is_open) {
                    write_span(cell, bottom, top, found++, cells, bottoms, tops);
                    is_open = 0;
                }
            }
            reached = gb_max(reached, high);
            if (is_ground[touch]) continue;
            if (!is_open) {
                bottom = low;
                top = high;
                is_open = 1;
            }
            top = gb_max(top, high);
            span_of[touch] = found;
        }
        if (is_open) write_span(cell, bottom, top, found++, cells, bottoms, tops);
    }
    return found;
}

int64_t gb_spans_merge(int64_t *cells, double *bottoms, double *tops, int64_t count, double gap_m, int64_t *merged) {
    int64_t found = 0;
    for (int64_t span = 0; span < count; span++) {
        int64_t last = found - 1;
        if (found > 0 && cells[last] == cells[span] && bottoms[span] <= tops[last] + gap_m)
            tops[last] = gb_max(tops[last], tops[span]);
        else write_span(cells[span], bottoms[span], tops[span], found++, cells, bottoms, tops);
        merged[span] = found - 1;
    }
    return found;
}

/* Takes spans of a cell into a group as far as its heights stay alike; writes their cell to `waiting`, returns how many. */
static int64_t take_alike(const gb_spans *spans, int64_t cell, double tolerance_m, double *heights, int64_t group,
                          int64_t *groups, int64_t *waiting) {
    int64_t taken = 0;
    for (int64_t span = spans->first[cell]; span < spans->first[cell + 1]; span++) {
        double bottom = spans->bottom[span], top = spans->top[span];
        if (groups[span] >= 0 || !(gb_max(heights[1], bottom) - gb_min(heights[0], bottom) <= tolerance_m) ||
            !(gb_max(heights[3], top) - gb_min(heights[2], top) <= tolerance_m))
            continue;
        heights[0] = gb_min(heights[0], bottom);
        heights[1] = gb_max(heights[1], bottom);
        heights[2] = gb_min(heights[2], top);
        heights[3] = gb_max(heights[3], top);
        groups[span] = group;
        waiting[taken++] = cell;
    }
    return taken;
}

int64_t gb_spans_group(const gb_spans *spans, double tolerance_m, int64_t *waiting, int64_t *groups) {
    int64_t cells = spans->rows * spans->columns, count = 0;
    for (int64_t span = 0; span < spans->first[cells]; span++) groups[span] = GB_NOTHING;
    for (int64_t home = 0; home < cells; home++)
        for (int64_t seed = spans->first[home]; seed < spans->first[home + 1]; seed++) {
            if (groups[seed] >= 0) continue;
            double heights[4] = {spans->bottom[seed], spans->bottom[seed], spans->top[seed], spans->top[seed]};
            int64_t left = 1;
            groups[seed] = count;
            waiting[0] = home;
            while (left > 0) {
                int64_t cell = waiting[--left], row = cell / spans->columns, column = cell % spans->columns;
                const int64_t beside[4] = {row + 1 < spans->rows ? cell + spans->columns : -1,
                                           row > 0 ? cell - spans->columns : -1,
                                           column + 1 < spans->columns ? cell + 1 : -1,
                                           column > 0 ? cell - 1 : -1};
                for (int side = 0; side < 4; side++)
                    if (beside[side] >= 0)
                        left += take_alike(spans, beside[side], tolerance_m, heights, count, groups, waiting + left);
            }
            count++;
        }
    return count;
}

/* The group that a span of a small group joins: the largest around it that fills its heights, or its own. */
static int64_t group_to_join(const gb_spans *spans, const int64_t *groups, int64_t span, int64_t row, int64_t column,
                             double tolerance_m, int64_t most_cells, const gb_group *sizes) {
    int64_t own = groups[span], best = own;
    for (int64_t r = gb_most(row - 1, 0); r < gb_least(row + 2, spans->rows); r++)
        for (int64_t c = gb_most(column - 1, 0); c < gb_least(column + 2, spans->columns); c++) {
            int64_t cell = r * spans->columns + c;
            for (int64_t beside = spans->first[cell]; beside < spans->first[cell + 1]; beside++) {
                const gb_group *other = sizes + groups[beside];
                if (other->spans > most_cells && (best == own || other->spans > sizes[best].spans) &&
                    spans->bottom[span] >= other->low - tolerance_m && spans->top[span] <= other->high + tolerance_m)
                    best = groups[beside];
            }
        }
    return best;
}

void gb_spans_absorb(const gb_spans *spans, const int64_t *groups, int64_t count, double tolerance_m,
                     int64_t most_cells, gb_group *sizes, int64_t *absorbed) {
    const gb_group none = {0, INFINITY, -INFINITY};
    for (int64_t group = 0; group < count; group++) sizes[group] = none;
    for (int64_t span = 0; span < spans->first[spans->rows * spans->columns]; span++) {
        gb_group *group = sizes + groups[span];
        group->spans++;
        group->low = gb_min(group->low, spans->bottom[span]);
        group->high = gb_max(group->high, spans->top[span]);
    }
    for (int64_t row = 0; row < spans->rows; row++)
        for (int64_t column = 0; column < spans->columns; column++) {
            int64_t cell = row * spans->columns + column;
            for (int64_t span = spans->first[cell]; span < spans->first[cell + 1]; span++)
                absorbed[span] = sizes[groups[span]].spans > most_cells
                                     ? groups[span]
                                     : group_to_join(spans, groups, span, row, column, tolerance_m, most_cells, sizes);
        }
}
