/* Grow trees level by level: all children of a level, or those that find room in their cell [LK06 3, L09 4.2]. */
#include "tree_growing.h"

int64_t gb_add_node(const gb_branching *branching, gb_growth *growth, int64_t before, int64_t played) {
    const gb_actions *actions = branching->actions;
    int64_t node = growth->count++, row = gb_row_of(branching, growth->clip, before);
    gb_keep_pose(growth->pose + 3 * node, gb_child_pose(growth->pose + 3 * before, actions->displacement + 3 * played));
    growth->parent[node] = (int32_t)before;
    growth->clip[node] = (int32_t)played;
    growth->cost[node] =
        growth->cost[before] + branching->cost[row * branching->behaviors + actions->clip_behavior[played]];
    return node;
}

/* Whether anything may follow a node. */
static int goes_on(const gb_branching *branching, const int32_t *clip, int64_t node) {
    return node == 0 || !branching->is_ending[branching->actions->clip_behavior[clip[node]]];
}

int64_t gb_growth_count_children(const gb_branching *branching, const int32_t *clip, int64_t first, int64_t last) {
    int64_t count = 0;
    for (int64_t node = first; node < last; node++) {
        if (!goes_on(branching, clip, node)) continue;
        int64_t row = gb_row_of(branching, clip, node);
        count += branching->first_inner[row + 1] - branching->first_inner[row];
        count += branching->first_ending[row + 1] - branching->first_ending[row];
    }
    return count;
}

void gb_growth_list_children(const gb_branching *branching, const int32_t *clip, int64_t first, int64_t last,
                             int32_t *child_parent, int32_t *child_clip) {
    int64_t count = 0;
    for (int64_t node = first; node < last; node++) {
        if (!goes_on(branching, clip, node)) continue;
        int64_t row = gb_row_of(branching, clip, node);
        for (int64_t entry = branching->first_inner[row]; entry < branching->first_inner[row + 1]; entry++) {
            child_parent[count] = (int32_t)node;
            child_clip[count++] = (int32_t)gb_clip_of_child(branching, node, branching->inner[entry]);
        }
        for (int64_t entry = branching->first_ending[row]; entry < branching->first_ending[row + 1]; entry++) {
            child_parent[count] = (int32_t)node;
            child_clip[count++] = (int32_t)gb_clip_of_child(branching, node, branching->ending[entry]);
        }
    }
}

void gb_growth_keep_children(const gb_branching *branching, gb_growth *growth, const int64_t *order, int64_t count,
                             const int32_t *child_parent, const int32_t *child_clip, double cell_m, int64_t per_cell,
                             int32_t *held, int64_t side) {
    for (int64_t number = 0; number < count && growth->count < growth->room; number++) {
        int32_t before = child_parent[order[number]], played = child_clip[order[number]];
        gb_grown_pose pose = gb_child_pose(growth->pose + 3 * before, branching->actions->displacement + 3 * played);
        int64_t kind = branching->is_ending[branching->actions->clip_behavior[played]] ? 1 : 0;
        int64_t row = (int64_t)gb_floor(pose.y / cell_m) + side / 2, column = (int64_t)gb_floor(pose.x / cell_m) + side / 2;
        int32_t *in_cell = held + (kind * side + row) * side + column;
        if (*in_cell >= per_cell) continue;
        ++*in_cell;
        growth->parent[growth->count] = before;
        growth->clip[growth->count] = played;
        gb_keep_pose(growth->pose + 3 * growth->count++, pose);
    }
}
