/* Ends of a tree's paths from a state: best first down the tree, by cost to there and about what is left.
 *
 * A node's clip is tested when the node comes up, so what hangs below a clip that may not be played is never looked at, and
 * in the open the search runs straight down the best path. */
#include "trip.h"
#include "visited.h"

static void push(gb_wishes *wishes, double estimate, int32_t entry) {
    if (wishes->count >= wishes->room) return;
    int64_t at = wishes->count++;
    while (at > 0) {
        int64_t above = (at - 1) >> 2;
        if (wishes->estimate[above] <= estimate) break;
        wishes->estimate[at] = wishes->estimate[above];
        wishes->entry[at] = wishes->entry[above];
        at = above;
    }
    wishes->estimate[at] = estimate;
    wishes->entry[at] = entry;
}

static int32_t pop(gb_wishes *wishes) {
    int32_t first = wishes->entry[0];
    int64_t last = --wishes->count, at = 0;
    double estimate = wishes->estimate[last];
    int32_t entry = wishes->entry[last];
    for (;;) {
        int64_t best = 4 * at + 1;
        if (best >= last) break;
        int64_t end = gb_least(best + 4, last);
        for (int64_t child = best + 1; child < end; child++)
            if (wishes->estimate[child] < wishes->estimate[best]) best = child;
        if (wishes->estimate[best] >= estimate) break;
        wishes->estimate[at] = wishes->estimate[best];
        wishes->entry[at] = wishes->entry[best];
        at = best;
    }
    wishes->estimate[at] = estimate;
    wishes->entry[at] = entry;
    return first;
}

/* Lets the children of a node wait. */
static void wish_for_children(gb_trip *trip, int64_t leg, const gb_branches *branches, const gb_tree_root *root, int64_t node) {
    double unit = trip->settings.weight * trip->tables->query->cost_per_chord;
    for (int32_t entry = branches->first[node]; entry < branches->first[node + 1]; entry++) {
        const gb_branch *branch = branches->entry + entry;
        gb_place place = gb_place_from(root, branch->x, branch->y);
        double cosine = branch->cosine, sine = branch->sine;
        double left = gb_trip_ahead(trip, leg, place.x, place.y, root->cosine * cosine - root->sine * sine,
                                    root->sine * cosine + root->cosine * sine);
        push(&trip->wishes, (double)branch->cost + unit * left, entry);
    }
}

/* Whether a place is away from the ends added since. */
static int is_apart(const gb_trip *trip, int64_t since, gb_place place) {
    double apart = trip->settings.apart_m;
    for (int64_t number = since; number < trip->counts.nodes; number++) {
        if (trip->nodes[number].on_way) continue;
        double away_x = trip->nodes[number].x - place.x, away_y = trip->nodes[number].y - place.y;
        if (away_x * away_x + away_y * away_y < apart * apart) return 0;
    }
    return 1;
}

/* Whether the straight line between two places leads through something that is crossed, or that nobody crosses. */
static int leads_across(gb_map *map, gb_place from, gb_place to) {
    double away_x = to.x - from.x, away_y = to.y - from.y;
    int64_t steps = 1 + (int64_t)(gb_hypot(away_x, away_y) / map->cell_m);
    for (int64_t step = 0; step <= steps; step++) {
        double share = (double)step / (double)steps;
        int64_t cell = gb_map_cell(map, from.x + share * away_x, from.y + share * away_y);
        if (cell < 0 || gb_map_crosses(map, cell) || map->price[cell] == GB_MAP_CLOSED) return 1;
    }
    return 0;
}

/* Whether the clip to a node may be played, at a glance: the whole clip is tested when the search goes on from there.  Where
 * things are crossed a glance, at its middle and its end, says little. */
static int may_be_free(const gb_trip_tables *all, const gb_tree_tables *tables, const gb_tree_asked *asked,
                       gb_tree_scratch *scratch, const gb_tree_root *root, int64_t number) {
    const gb_tree_node *node = tables->tree->nodes + number;
    int64_t clip = gb_clip_of_node(tables, number), *samples = &scratch->counts.samples;
    if (clip < 0 || (node->parent == 0 && !asked->may_begin[all->actions->clip_behavior[clip]])) return 0;
    gb_place before = gb_place_from(root, node->before_x, node->before_y), after = gb_place_from(root, node->x, node->y);
    gb_traffic_reach(all->traffic, root->frame + tables->tree->nodes[node->parent].frame, root->frame + node->frame);
    if (!gb_edge_may_be_free(tables, root, number, before, after, samples)) return 0;
    return !all->map->has_crossing || !leads_across(all->map, before, after) ||
           gb_edge_is_free(tables, root, number, samples);
}

int gb_trip_test(gb_trip *trip, int64_t number) {
    gb_trip_node *node = trip->nodes + number;
    if (node->tested) return 1;
    const gb_trip_node *before = trip->nodes + node->parent;
    const gb_tree_tables *tables = trip->tables->tree[node->tree];
    const gb_tree_root root = gb_put_root(before->x, before->y, before->heading, before->frame);
    gb_traffic_reach(trip->tables->traffic, before->frame, node->frame);
    for (int64_t at = node->by; at != 0; at = tables->tree->nodes[at].parent) {
        if (gb_edge_is_free(tables, &root, at, &trip->counts.samples)) continue;
        int64_t *slot = trip->slots + node->slot * GB_SLOT_COLUMNS;
        if (slot[GB_SLOT_NODE] == number) slot[GB_SLOT_COST] = GB_NEVER; /* another way to here may be found */
        return 0;
    }
    node->tested = 1;
    return 1;
}

/* The state at the end of a tree's path. */
static gb_trip_node state_at(const gb_trip *trip, int64_t from, const gb_tree_asked *asked, const gb_tree_root *root,
                             int64_t number, const gb_branch *branch) {
    const gb_tree_tables *tables = trip->tables->tree[number];
    double cosine = branch->cosine, sine = branch->sine;
    gb_place place = gb_place_from(root, branch->x, branch->y);
    gb_trip_node state = gb_trip_node_at(place.x, place.y, gb_heading_of_node(tables->tree, root, branch->node),
                                         root->cosine * cosine - root->sine * sine,
                                         root->sine * cosine + root->cosine * sine);
    state.cost = trip->nodes[from].cost + branch->cost;
    if (asked->has_first_cost || trip->tables->ground_costs) /* not only what the branch says */
        state.cost = trip->nodes[from].cost + gb_path_cost(tables, asked, root, branch->node);
    state.frame = root->frame + tables->tree->nodes[branch->node].frame;
    state.behavior = (int32_t)trip->tables->actions->clip_behavior[gb_clip_of_node(tables, branch->node)];
    state.leg = trip->nodes[from].leg;
    state.parent = (int32_t)from;
    state.tree = (int32_t)number;
    state.by = branch->node;
    return state;
}

int64_t gb_trip_add_ends(gb_trip *trip, int64_t from, int64_t number, int64_t most) {
    const gb_trip_node node = trip->nodes[from];
    const gb_trip_settings *settings = &trip->settings;
    const gb_tree_tables *tables = trip->tables->tree[number];
    const gb_branches *branches = trip->tables->branches[number];
    gb_tree_scratch *scratch = trip->scratch[number];
    const uint8_t *goes_on = trip->tables->goes_on;
    const gb_tree_asked asked = gb_trip_asked(trip, &node, goes_on, goes_on, 0);
    const gb_tree_root root = gb_put_root(node.x, node.y, node.heading, node.frame);
    double least = settings->least_m * settings->least_m, enough = settings->end_m * settings->end_m;
    int64_t since = trip->counts.nodes, added = 0, tests = 0;
    trip->wishes.count = 0;
    wish_for_children(trip, node.leg, branches, &root, 0);
    for (; trip->wishes.count > 0 && added < most && tests < settings->tests * most; tests++) {
        const gb_branch *branch = branches->entry + pop(&trip->wishes);
        int64_t end = branch->node;
        if (!may_be_free(trip->tables, tables, &asked, scratch, &root, end)) continue;
        double x = branch->x, y = branch->y, away = x * x + y * y;
        int on_way = branches->first[end] < branches->first[end + 1] && away < enough;
        if (on_way) wish_for_children(trip, node.leg, branches, &root, end);
        gb_place place = gb_place_from(&root, x, y);
        int crosses = gb_trip_has_to_cross(trip, &node, place);
        if (on_way && away < least && !crosses) continue;
        gb_trip_node state = state_at(trip, from, &asked, &root, number, branch);
        if (!goes_on[state.behavior]) continue;
        if (!on_way && !is_apart(trip, since, place)) continue;
        state.on_way = (uint8_t)on_way;
        int64_t made = gb_trip_add(trip, &state);
        if (made >= 0 && crosses) gb_trip_cross(trip, made);
        if (made >= 0 && !on_way) added++;
    }
    trip->counts.tests += tests;
    trip->counts.look_ups++;
    return added;
}
