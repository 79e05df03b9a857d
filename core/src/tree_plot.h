/* Which cells a clip passes when it is played at a pose [L09 algorithm 2: Trace]. */
#ifndef GB_TREE_PLOT_H
#define GB_TREE_PLOT_H

#include "tree_growing.h"

#define GB_OUTSIDE (-1)

/* A pose that clips are traced from. */
typedef struct gb_trace_start {
    double x;
    double y;
    double cosine;
    double sine;
} gb_trace_start;

static inline gb_trace_start gb_trace_from(const float *pose) {
    gb_trace_start start = {pose[0], pose[1], gb_cos(pose[2]), gb_sin(pose[2])};
    return start;
}

/* The cell of a clip's point, whether it belongs to the region or not; GB_OUTSIDE where there is none. */
static inline int64_t gb_cell_of_point(const gb_traces *traces, const gb_plot *plot, const gb_trace_start *start,
                                       int64_t point) {
    double along = traces->x[point], across = traces->y[point];
    double u = gb_floor((start->x + start->cosine * along - start->sine * across - plot->x0) / plot->cell_m);
    double v = gb_floor((start->y + start->sine * along + start->cosine * across - plot->y0) / plot->cell_m);
    if (!(u >= 0.0 && v >= 0.0 && u < (double)plot->columns && v < (double)plot->rows)) return GB_OUTSIDE;
    return (int64_t)v * plot->columns + (int64_t)u;
}

/* Returns the number of cells that a clip passes, and adds their counts to `total`; GB_OUTSIDE if it leaves the region. */
int64_t gb_trace_clip(const gb_traces *traces, gb_plot *plot, int64_t clip, const gb_trace_start *start, int64_t *total);

/* Counts a clip in the cells of the region that it passes. */
void gb_add_trace(const gb_traces *traces, gb_plot *plot, int64_t clip, const gb_trace_start *start);

#endif
