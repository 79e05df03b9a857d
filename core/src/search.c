/* The search [LK05 algorithm 1]: F picks clips, T places them, G looks whether they may be played. */
#include "choice.h"
#include "field.h"
#include "open_list.h"
#include "play.h"
#include "visited.h"

int64_t gb_query_cost_left(const gb_query *query, int64_t leg, double x, double y) {
    const double *goal = query->goals + 5 * leg;
    double away_x = goal[0] - x, away_y = goal[1] - y;
    double straight = sqrt(away_x * away_x + away_y * away_y) - goal[2];
    double left = gb_max(0.0, straight) * query->cost_per_chord;
    if (query->field_rows > 0) {
        const double *field = query->fields + leg * query->field_rows * query->field_columns;
        double way = gb_way_left(field, query->field_rows, query->field_columns,
                                 (x - query->field_x0) / query->field_cell, (y - query->field_y0) / query->field_cell);
        if (way >= GB_FAR * 0.5) return GB_NEVER;
        left = gb_max(left, way * query->field_cell * query->cost_per_way);
    }
    return (int64_t)left + query->later[leg];
}

/* Whether a clip that ends at a pose reaches the goal of a leg. */
static int is_goal(const gb_query *query, int64_t leg, double x, double y, double heading, int64_t behavior) {
    if (behavior < 0 || !query->may_end[leg * query->behaviors + behavior]) return 0;
    const double *goal = query->goals + 5 * leg;
    double away_x = goal[0] - x, away_y = goal[1] - y;
    if (away_x * away_x + away_y * away_y > goal[2] * goal[2]) return 0;
    double turned = heading - goal[3];
    turned -= GB_TURN * gb_floor(turned / GB_TURN + 0.5);
    return gb_abs(turned) <= goal[4];
}

static int is_in_closed_cell(const gb_query *query, double x, double y) {
    double u = (x - query->field_x0) / query->field_cell, v = (y - query->field_y0) / query->field_cell;
    if (!(u >= 0.0 && v >= 0.0 && u < (double)query->closed_columns && v < (double)query->closed_rows)) return 1;
    return query->closed[(int64_t)v * query->closed_columns + (int64_t)u];
}

/* The key of a state but for its place.  What may end a plan is a state of its own: it must not be shadowed by what may not,
 * though the same can follow. */
static int64_t rest_of_state(const gb_search *search, int64_t leg, double x, double y, double heading, int64_t frame,
                             int64_t behavior) {
    const gb_query *query = search->query;
    int64_t state = search->moves->state[behavior];
    if (leg == query->legs - 1 && is_goal(query, leg, x, y, heading, behavior)) {
        state = behavior;
        leg++;
    }
    return gb_rest_key(heading, search->settings.heading_count, state, leg, frame, search->settings.frame_unit);
}

/* Whether a node is the best one known for its state; the start is a state of its own. */
static int is_current(const gb_search *search, int64_t node) {
    const gb_nodes *nodes = &search->nodes;
    if (node == 0) return 1;
    double x = nodes->x[node], y = nodes->y[node];
    int64_t place = gb_place_key(x, y, search->settings.place_unit);
    int64_t rest = rest_of_state(search, nodes->leg[node], x, y, nodes->heading[node], nodes->frame[node],
                                 nodes->behavior[node]);
    return gb_find_slot(search->frontier.slots, search->frontier.slot_count, place, rest)[GB_SLOT_NODE] == node;
}

static void lose(gb_search *search, int64_t cost) {
    search->counts.least_lost = gb_least(search->counts.least_lost, cost);
}

/* Enters a node that may be played to, unless as good a way to its state is known. */
static void reach(gb_search *search, int64_t parent, int64_t behavior, int64_t clip, int64_t chosen, double x, double y,
                  double heading, int64_t frame, int64_t cost, int64_t leg) {
    const gb_query *query = search->query;
    const gb_search_settings *settings = &search->settings;
    gb_nodes *nodes = &search->nodes;
    int64_t left = gb_query_cost_left(query, leg, x, y);
    if (left >= GB_NEVER || cost + left >= settings->ceiling) return;
    int64_t place = gb_place_key(x, y, settings->place_unit);
    int64_t rest = rest_of_state(search, leg, x, y, heading, frame, behavior);
    int64_t *slot = gb_find_slot(search->frontier.slots, search->frontier.slot_count, place, rest);
    int64_t known = slot[GB_SLOT_NODE];
    if (known >= 0) {
        if (slot[GB_SLOT_COST] <= cost || (nodes->closed[known] && !settings->exact)) {
            if (!settings->exact) lose(search, cost + left);
            return;
        }
    }
    if (!gb_may_be_played(search->world, search->traffic, query, search->actions, search->moves, behavior, clip,
                          nodes->x[parent], nodes->y[parent], nodes->heading[parent], nodes->frame[parent],
                          &search->counts.samples))
        return;
    if (known >= 0 && !settings->exact) lose(search, nodes->cost[known] + nodes->left[known]);
    int64_t node = search->counts.nodes++;
    nodes->x[node] = x;
    nodes->y[node] = y;
    nodes->heading[node] = heading;
    nodes->frame[node] = (int32_t)frame;
    nodes->cost[node] = cost;
    nodes->left[node] = left;
    nodes->parent[node] = (int32_t)parent;
    nodes->behavior[node] = (int32_t)behavior;
    nodes->clip[node] = (int32_t)chosen;
    nodes->leg[node] = (int32_t)leg;
    nodes->closed[node] = 0;
    slot[GB_SLOT_PLACE] = place;
    slot[GB_SLOT_REST] = rest;
    slot[GB_SLOT_COST] = cost;
    slot[GB_SLOT_NODE] = node;
    int64_t estimate = (cost + (int64_t)((double)left * settings->weight)) >> settings->shift;
    gb_heap_push(search->frontier.entries, search->counts.open++,
                 gb_entry_of(gb_least(estimate, GB_LARGEST_ESTIMATE), node));
}

/* Tries all behaviors that may follow a node; there is room for them. */
static void expand(gb_search *search, int64_t node) {
    const gb_query *query = search->query;
    const gb_actions *actions = search->actions;
    const gb_nodes *nodes = &search->nodes;
    double x = nodes->x[node], y = nodes->y[node], heading = nodes->heading[node];
    int64_t frame = nodes->frame[node], behavior = nodes->behavior[node];
    int64_t entry = behavior < 0 ? 0 : actions->behavior_successors[behavior];
    int64_t end = behavior < 0 ? query->first_count : actions->behavior_successors[behavior + 1];
    int64_t word = -1;
    double cosine = gb_cos(heading), sine = gb_sin(heading);
    for (; entry < end; entry++) {
        int64_t next = behavior < 0 ? query->first[entry] : actions->successors[entry];
        int64_t chosen = actions->behavior_clips[next], clips = actions->behavior_clips[next + 1] - chosen;
        search->counts.generated++;
        if (clips > 1) {
            if (word < 0) word = gb_state_word(x, y, heading, query->has_traffic ? frame : 0);
            chosen += gb_choose_clip(query->seed, word, next, clips);
        }
        int64_t clip = search->moves->same[chosen];
        int64_t next_frame = frame + actions->duration[clip];
        if (query->has_traffic && next_frame > query->horizon) {
            search->counts.late++;
            continue;
        }
        const double *moved = actions->displacement + 3 * clip;
        double next_x = x + cosine * moved[0] - sine * moved[1], next_y = y + sine * moved[0] + cosine * moved[1];
        if (is_in_closed_cell(query, next_x, next_y)) continue;
        double next_heading = heading + moved[2];
        int64_t cost = nodes->cost[node] + search->moves->cost[next];
        if (behavior >= 0) cost += search->moves->transition_cost[entry];
        if (search->world->ground.has_terrain)
            cost += gb_ground_cost(search->world, query, actions, clip, x, y, heading);
        int64_t leg = nodes->leg[node];
        while (leg < query->legs - 1 && is_goal(query, leg, next_x, next_y, next_heading, next)) leg++;
        reach(search, node, next, clip, chosen, next_x, next_y, next_heading, next_frame, cost, leg);
    }
}

static int must_grow(const gb_search *search) {
    const gb_search_counts *counts = &search->counts;
    return counts->nodes + search->widest > search->nodes.room ||
           2 * (counts->nodes + search->widest) > search->frontier.slot_count ||
           counts->open + search->widest > search->frontier.entry_room ||
           (search->settings.keep > 0 && counts->open > 2 * search->settings.keep);
}

/* Whether a node ends a plan, and its body can stay there. */
static int ends_plan(const gb_search *search, int64_t node) {
    const gb_query *query = search->query;
    const gb_nodes *nodes = &search->nodes;
    double x = nodes->x[node], y = nodes->y[node], heading = nodes->heading[node];
    if (nodes->leg[node] != query->legs - 1 || !is_goal(query, nodes->leg[node], x, y, heading, nodes->behavior[node]))
        return 0;
    return !query->has_traffic || gb_may_stay(search->world, search->traffic, search->actions, nodes->clip[node], x, y,
                                              heading, nodes->frame[node]);
}

void gb_search_expand(gb_search *search, int64_t most_expansions) {
    gb_search_counts *counts = &search->counts;
    gb_nodes *nodes = &search->nodes;
    counts->status = GB_SEARCH_RUNNING;
    while (counts->expansions < most_expansions) {
        if (counts->open == 0) {
            counts->status = GB_SEARCH_EXHAUSTED;
            return;
        }
        if (must_grow(search)) return;
        int64_t node = gb_node_of(gb_heap_pop(search->frontier.entries, counts->open--));
        if (nodes->closed[node] || nodes->cost[node] + nodes->left[node] >= search->settings.ceiling) continue;
        if (!is_current(search, node)) continue; /* a cheaper way to the same state has come up since */
        if (ends_plan(search, node)) {
            counts->status = GB_SEARCH_FOUND;
            counts->goal_node = node;
            return;
        }
        nodes->closed[node] = 1;
        if (nodes->left[node] < nodes->left[counts->nearest] || counts->expansions == 0) counts->nearest = node;
        counts->expansions++;
        expand(search, node);
    }
    counts->status = GB_SEARCH_STOPPED;
}

int64_t gb_search_least_open(const gb_search *search) {
    const gb_nodes *nodes = &search->nodes;
    int64_t least = GB_NEVER;
    for (int64_t at = 0; at < search->counts.open; at++) {
        int64_t node = gb_node_of(search->frontier.entries[at]);
        if (nodes->closed[node] || !is_current(search, node)) continue;
        least = gb_least(least, nodes->cost[node] + nodes->left[node]);
    }
    return least;
}

void gb_search_move_slots(const int64_t *slots, int64_t count, int64_t *larger, int64_t larger_count) {
    for (int64_t number = 0; number < count; number++) {
        const int64_t *slot = slots + number * GB_SLOT_COLUMNS;
        if (slot[GB_SLOT_NODE] < 0) continue;
        int64_t *to = gb_find_slot(larger, larger_count, slot[GB_SLOT_PLACE], slot[GB_SLOT_REST]);
        for (int column = 0; column < GB_SLOT_COLUMNS; column++) to[column] = slot[column];
    }
}
