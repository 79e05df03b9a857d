/* Grow the cheapest paths there are, one for each entry of two tables of states.
 *
 * As in Dijkstra's search; each node waits with its next child alone, so that no more than the nodes wait. */
#include "tree_growing.h"
#include "open_list.h"

#define BENDS 5 /* a path is straight, or bends a little or much to the left or to the right */
#define WAITING_BITS 31
#define LAST_WAITING (((int64_t)1 << WAITING_BITS) - 1)

/* Enters a path's end into a table's cell; returns whether it was not there. */
static int enter(uint8_t *table, int64_t side, double cell_m, int64_t kind, double x, double y, int64_t sectors,
                 int64_t sector) {
    int64_t row = (int64_t)gb_floor(y / cell_m) + side / 2, column = (int64_t)gb_floor(x / cell_m) + side / 2;
    uint8_t *entry = table + ((kind * side + row) * side + column) * sectors + sector;
    int is_new = !*entry;
    *entry = 1;
    return is_new;
}

/* Enters a path's end into both tables; returns whether either had none there. */
static int is_new(gb_grown_states *states, int64_t kind, gb_grown_pose pose, double area) {
    int64_t sectors = states->sectors, side = 0;
    int64_t sector = (int64_t)gb_floor(pose.heading / GB_TURN * (double)sectors + 0.5) % sectors;
    if (sector < 0) sector += sectors;
    double bend = area / (pose.x * pose.x + pose.y * pose.y + 1.0);
    if (gb_abs(bend) > states->bend) side = (bend > 0.0 ? 1 : 2) + (gb_abs(bend) > states->much ? 2 : 0);
    int in_fine = enter(states->fine, states->fine_side, states->fine_m, kind, pose.x, pose.y, sectors, sector);
    int in_bent = enter(states->bent, states->bent_side, states->bent_m, kind, pose.x, pose.y, sectors * BENDS,
                        sector * BENDS + side);
    return in_fine || in_bent;
}

/* Lets a node wait with its next child, if it has one. */
static int64_t wait_with_next(const gb_grown_children *children, const gb_growth *growth, int64_t row, int64_t node,
                              const int64_t *next, int64_t *waiting, int64_t size) {
    if (next[node] >= children->first[row + 1]) return size;
    int64_t cost = gb_least(growth->cost[node] + children->cost[next[node]], (int64_t)1 << (WAITING_BITS + 1));
    gb_heap_push(waiting, size, (cost << WAITING_BITS) | node);
    return size + 1;
}

void gb_growth_cheapest(const gb_branching *branching, const gb_grown_children *children, gb_grown_states *states,
                        gb_growth *growth, double *area, int64_t *next, int64_t *waiting) {
    area[0] = 0.0;
    next[0] = children->first[branching->behaviors];
    int64_t size = wait_with_next(children, growth, branching->behaviors, 0, next, waiting, 0);
    while (size > 0 && growth->count < growth->room) {
        int64_t parent = gb_heap_pop(waiting, size--) & LAST_WAITING;
        int64_t row = gb_row_of(branching, growth->clip, parent), entry = next[parent]++;
        size = wait_with_next(children, growth, row, parent, next, waiting, size);
        int64_t behavior = children->behavior[entry], played = gb_clip_of_child(branching, parent, behavior);
        const float *from = growth->pose + 3 * parent;
        gb_grown_pose pose = gb_child_pose(from, branching->actions->displacement + 3 * played);
        if (pose.x * pose.x + pose.y * pose.y > states->reach_m * states->reach_m) continue;
        double beside = area[parent] + 0.5 * ((double)from[0] * pose.y - (double)from[1] * pose.x);
        if (!is_new(states, states->kind[behavior], pose, beside)) continue;
        int64_t node = gb_add_node(branching, growth, parent, played);
        area[node] = beside;
        next[node] = children->first[behavior];
        if (!branching->is_ending[behavior])
            size = wait_with_next(children, growth, behavior, node, next, waiting, size);
    }
}
