/* From the nodes of a trip to the steps of a plan. */
#include "trip.h"

/* Writes the steps that led to a node from the one before, the last first, and returns their number. */
static int64_t write_edge(const gb_trip *trip, const gb_trip_node *node, gb_trip_step *steps, int64_t room) {
    const gb_trip_node *before = trip->nodes + node->parent;
    if (node->tree == GB_TRIP_STEP) {
        gb_trip_step step = {before->x, before->y, before->heading, before->frame, node->behavior, (int32_t)node->by};
        if (room > 0) steps[0] = step;
        return 1;
    }
    const gb_tree_tables *tables = trip->tables->tree[node->tree];
    const gb_tree_root root = gb_put_root(before->x, before->y, before->heading, before->frame);
    int64_t count = 0;
    for (int64_t at = node->by; at != 0; at = tables->tree->nodes[at].parent, count++) {
        if (count >= room) continue;
        int64_t parent = tables->tree->nodes[at].parent, clip = gb_clip_of_node(tables, at);
        gb_place place = gb_place_of_node(tables->tree, &root, parent);
        gb_trip_step step = {place.x, place.y, gb_heading_of_node(tables->tree, &root, parent),
                             root.frame + tables->tree->nodes[parent].frame,
                             (int32_t)trip->tables->actions->clip_behavior[clip], (int32_t)clip};
        steps[count] = step;
    }
    return count;
}

int64_t gb_trip_steps(const gb_trip *trip, int64_t node, gb_trip_step *steps, int64_t room) {
    int64_t count = 0;
    for (; node > 0; node = trip->nodes[node].parent)
        count += write_edge(trip, trip->nodes + node, steps + gb_least(count, room), gb_most(room - count, 0));
    for (int64_t one = 0, other = count - 1; count <= room && one < other; one++, other--) {
        gb_trip_step kept = steps[one];
        steps[one] = steps[other];
        steps[other] = kept;
    }
    return count;
}
