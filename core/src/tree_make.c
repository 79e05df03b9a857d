/* From the nodes that were chosen to a tree: where they are, and how they are listed. */
#include "tree_growing.h"

void gb_tree_place(const gb_tree_clips *clips, const int32_t *parent, const int32_t *clip, int64_t count, float *pose,
                   int64_t *cost, int64_t *frame) {
    pose[0] = pose[1] = pose[2] = 0.0f;
    cost[0] = frame[0] = 0;
    for (int64_t node = 1; node < count; node++) {
        int64_t before = parent[node], played = clip[node], behavior = clips->behavior[played];
        gb_keep_pose(pose + 3 * node, gb_child_pose(pose + 3 * before, clips->displacement + 3 * played));
        if (before == 0) cost[node] = clips->first_cost[behavior];
        else cost[node] = cost[before] + clips->edge_cost[clips->behavior[clip[before]] * clips->behaviors + behavior];
        frame[node] = frame[before] + clips->duration[played];
    }
}

/* The first and the last of the cells along one axis in whose overlapped square a coordinate is. */
typedef struct cell_span {
    int64_t first;
    int64_t last;
} cell_span;

static cell_span listed_in(double value, double start, const gb_tree_grid *grid, int64_t count) {
    double beyond = 0.5 * (grid->overlap_m - grid->cell_m);
    cell_span span = {(int64_t)gb_ceil((value - start - beyond) / grid->cell_m) - 1,
                      (int64_t)gb_floor((value - start + beyond) / grid->cell_m)};
    span.first = gb_most(span.first, 0);
    span.last = gb_least(span.last, count - 1);
    return span;
}

void gb_tree_count_entries(const gb_tree_grid *grid, const float *pose, const int32_t *group, const int32_t *nodes,
                           int64_t count, int64_t *sizes) {
    for (int64_t number = 0; number < count; number++) {
        int64_t node = nodes[number];
        cell_span across = listed_in(pose[3 * node], grid->x0, grid, grid->columns);
        cell_span along = listed_in(pose[3 * node + 1], grid->y0, grid, grid->rows);
        for (int64_t row = along.first; row <= along.last; row++)
            for (int64_t column = across.first; column <= across.last; column++)
                sizes[(row * grid->columns + column) * grid->groups + group[node] + 1]++;
    }
}

void gb_tree_list_entries(const gb_tree_grid *grid, const float *pose, const int32_t *group, const int32_t *nodes,
                          int64_t count, int64_t *place, int32_t *entries) {
    for (int64_t number = 0; number < count; number++) {
        int64_t node = nodes[number];
        cell_span across = listed_in(pose[3 * node], grid->x0, grid, grid->columns);
        cell_span along = listed_in(pose[3 * node + 1], grid->y0, grid, grid->rows);
        for (int64_t row = along.first; row <= along.last; row++)
            for (int64_t column = across.first; column <= across.last; column++) {
                int64_t list = (row * grid->columns + column) * grid->groups + group[node];
                entries[place[list]++] = (int32_t)node;
            }
    }
}
