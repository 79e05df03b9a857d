/* Count the paths that pass the cells of a region [L09 equation 4.1, figure 4.2]. */
#include "tree_plot.h"

int64_t gb_trace_clip(const gb_traces *traces, gb_plot *plot, int64_t clip, const gb_trace_start *start, int64_t *total) {
    int64_t length = 0, before = GB_OUTSIDE, mark = ++plot->marks;
    for (int64_t point = traces->first[clip]; point < traces->last[clip]; point++) {
        int64_t cell = gb_cell_of_point(traces, plot, start, point);
        if (cell == GB_OUTSIDE) return GB_OUTSIDE;
        if (cell == before || plot->mark[cell] == mark) continue;
        if (!plot->inside[cell]) return GB_OUTSIDE;
        plot->mark[cell] = mark;
        length++;
        *total += plot->passed[cell];
        before = cell;
    }
    return length;
}

void gb_add_trace(const gb_traces *traces, gb_plot *plot, int64_t clip, const gb_trace_start *start) {
    int64_t mark = ++plot->marks;
    for (int64_t point = traces->first[clip]; point < traces->last[clip]; point++) {
        int64_t cell = gb_cell_of_point(traces, plot, start, point);
        if (cell == GB_OUTSIDE || !plot->inside[cell] || plot->mark[cell] == mark) continue;
        plot->mark[cell] = mark;
        plot->passed[cell]++;
    }
}

void gb_plot_add_paths(const gb_traces *traces, gb_plot *plot, const float *pose, const int32_t *parent,
                       const int32_t *clip, const int32_t *nodes, int64_t count) {
    for (int64_t number = 0; number < count; number++) {
        int32_t node = nodes[number];
        const gb_trace_start start = gb_trace_from(pose + 3 * parent[node]);
        gb_add_trace(traces, plot, clip[node], &start);
    }
}

void gb_traces_bound(const gb_traces *traces, const float *pose, const int32_t *parent, const int32_t *clip, int64_t count,
                     double *bounds) {
    for (int64_t node = 1; node < count; node++) {
        const gb_trace_start at = gb_trace_from(pose + 3 * parent[node]);
        for (int64_t point = traces->first[clip[node]]; point < traces->last[clip[node]]; point++) {
            double x = at.x + at.cosine * traces->x[point] - at.sine * traces->y[point];
            double y = at.y + at.sine * traces->x[point] + at.cosine * traces->y[point];
            bounds[0] = gb_min(bounds[0], x);
            bounds[1] = gb_min(bounds[1], y);
            bounds[2] = gb_max(bounds[2], x);
            bounds[3] = gb_max(bounds[3], y);
        }
    }
}

static int is_listed(const int32_t *cell, int64_t first, int64_t last, int64_t wanted) {
    for (int64_t entry = first; entry < last; entry++)
        if (cell[entry] == wanted) return 1;
    return 0;
}

void gb_plot_new_cells(const gb_traces *traces, const gb_plot *plot, const float *pose, const int32_t *parent,
                       const int32_t *clip, int64_t count, int64_t *first, int32_t *cell) {
    int64_t entries = 1, row = (int64_t)gb_floor(-plot->y0 / plot->cell_m);
    cell[0] = (int32_t)(row * plot->columns + (int64_t)gb_floor(-plot->x0 / plot->cell_m));
    first[0] = 0;
    first[1] = 1;
    for (int64_t node = 1; node < count; node++) {
        const gb_trace_start start = gb_trace_from(pose + 3 * parent[node]);
        for (int64_t point = traces->first[clip[node]]; point < traces->last[clip[node]]; point++) {
            int64_t passed = gb_cell_of_point(traces, plot, &start, point), above = parent[node];
            if (passed == GB_OUTSIDE || is_listed(cell, first[node], entries, passed)) continue;
            while (above >= 0 && !is_listed(cell, first[above], first[above + 1], passed)) above = parent[above];
            if (above < 0) cell[entries++] = (int32_t)passed;
        }
        first[node + 1] = entries;
    }
}
