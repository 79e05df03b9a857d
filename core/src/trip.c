/* Whole trips: weighted A* over states whose edges are paths of trees, the goal looked up wherever it is near.
 *
 * A state is expanded by the ends of trees' paths that promise most, and by the states on the way there; where that brings
 * nothing, or when it comes up again, by more of them and by single steps.  Until a trip is found what is left counts more than
 * it should, so that the search hurries on; then it goes on calmly, from all states that may lead to something cheaper. */
#include "trip.h"

#include "open_list.h"
#include "visited.h"

#define PLACE_UNIT 0.25   /* metres of a state's place */
#define HEADINGS 36       /* sectors of a full turn */
#define FRAMES 8          /* frames of a state's time, where anything moves */
#define WIDER 4           /* times as many ends each time that a state is expanded again */
#define AGAIN_M 1.5       /* metres that expanding a state again counts for, by what WIDER says */
#define PAYABLE 0.9       /* share of what is left that surely is to be paid */
#define FRAMES_A_METRE 15 /* that usual ways to a goal take */
#define LONGEST 150 /* frames of a single step, as a rule */
#define SOON 60           /* frames in which what comes near is crossed or gone around */
#define USUAL_EXCESS 1.2  /* times the estimate that trips cost at first */
#define LARGE_EXCESS 0.3  /* more than that, from which on most is done to improve them */
#define ESTIMATE_UNIT 1024.0
#define EVERYWHERE 1e6    /* metres longer than the best way: on the whole map */

double gb_trip_ahead(const gb_trip *trip, int64_t leg, double x, double y, double cosine, double sine) {
    const gb_way *way = trip->ways + leg;
    double ahead = trip->settings.ahead_m;
    return 0.5 * (gb_way_from(way, x, y) + gb_way_from(way, x + ahead * cosine, y + ahead * sine) + ahead);
}

/* About the cost that is left at a node, in units. */
static double cost_left(const gb_trip *trip, const gb_trip_node *node) {
    const gb_query *query = trip->tables->query;
    double ahead = gb_trip_ahead(trip, node->leg, node->x, node->y, node->cosine, node->sine);
    return gb_max(0.0, ahead - query->goals[5 * node->leg + 2]) * query->cost_per_chord + (double)query->later[node->leg] +
           trip->tables->overhead[gb_trip_row(trip, node)];
}

/* Puts a node on the open list; a node that was expanded before waits longer. */
static void put(gb_trip *trip, int64_t number) {
    const gb_trip_node *node = trip->nodes + number;
    if (trip->counts.open >= trip->node_room * 2) return;
    double estimate = (double)node->cost + trip->counts.haste * node->left;
    for (int32_t times = 0; times < node->times; times++)
        estimate += AGAIN_M * (WIDER << 2 * times) * trip->tables->query->cost_per_chord;
    int64_t whole = (int64_t)gb_min(estimate / ESTIMATE_UNIT, (double)GB_LARGEST_ESTIMATE);
    gb_heap_push(trip->entries, trip->counts.open++, gb_entry_of(whole, number));
}

int64_t gb_trip_add(gb_trip *trip, const gb_trip_node *node) {
    const gb_query *query = trip->tables->query;
    if (trip->counts.nodes >= trip->node_room || node->cost >= trip->counts.ceiling) return GB_NOTHING;
    int64_t state = node->behavior < 0 ? trip->tables->actions->behaviors : trip->tables->moves->state[node->behavior];
    int64_t leg = node->arrived ? query->legs : node->leg;
    int64_t place = gb_place_key(node->x, node->y, PLACE_UNIT);
    int64_t rest = gb_rest_key(node->heading, HEADINGS, state, leg, node->frame, query->has_traffic ? FRAMES : 0);
    int64_t *slot = gb_find_slot(trip->slots, trip->slot_count, place, rest);
    int64_t known = slot[GB_SLOT_NODE];
    if (known >= 0 && slot[GB_SLOT_COST] <= node->cost && (trip->nodes[known].tested || !node->tested)) return GB_NOTHING;
    int64_t number = trip->counts.nodes++;
    trip->nodes[number] = *node;
    slot[GB_SLOT_PLACE] = place;
    slot[GB_SLOT_REST] = rest;
    slot[GB_SLOT_COST] = node->cost;
    slot[GB_SLOT_NODE] = number;
    trip->nodes[number].slot = (slot - trip->slots) / GB_SLOT_COLUMNS;
    if (node->arrived) {
        trip->counts.goal_node = number;
        trip->counts.ceiling = node->cost;
        return number;
    }
    trip->nodes[number].left = cost_left(trip, trip->nodes + number);
    put(trip, number);
    return number;
}

/* Looks the goal of a node's leg up in all trees that go on from it; returns whether any path gets there. */
static int look_goal_up(gb_trip *trip, int64_t from) {
    const gb_trip_tables *tables = trip->tables;
    const gb_query *query = tables->query;
    const gb_trip_node node = trip->nodes[from];
    const double *goal = query->goals + 5 * node.leg;
    const uint8_t *may_end = query->may_end + node.leg * query->behaviors;
    const gb_tree_root root = gb_put_root(node.x, node.y, node.heading, node.frame);
    const gb_tree_question question = {node.x,  node.y,  node.heading, node.frame, goal[0],
                                       goal[1], goal[2], goal[3],      goal[4]};
    int is_last = node.leg == query->legs - 1, found = 0;
    for (int64_t number = 0; number < tables->trees; number++) {
        if (!tables->may_use[gb_trip_row(trip, &node) * GB_TRIP_TREES + number]) continue;
        const gb_tree_tables *tree = tables->tree[number];
        const uint8_t *groups = tables->end_groups[number] + node.leg * tree->tree->grid.groups;
        const gb_tree_asked asked = gb_trip_asked(trip, &node, may_end, groups, is_last);
        gb_tree_answer answer;
        trip->counts.look_ups++;
        gb_tree_look_up(tree, &asked, trip->scratch[number], &question, &answer);
        if (answer.outcome != GB_TREE_FOUND) continue;
        found = 1;
        gb_place place = gb_place_of_node(tree->tree, &root, answer.node);
        double heading = gb_heading_of_node(tree->tree, &root, answer.node);
        gb_trip_node end = gb_trip_node_at(place.x, place.y, heading, gb_cos(heading), gb_sin(heading));
        end.cost = node.cost + answer.cost;
        end.frame = node.frame + tree->tree->nodes[answer.node].frame;
        end.behavior = (int32_t)tables->actions->clip_behavior[gb_clip_of_node(tree, answer.node)];
        end.leg = is_last ? node.leg : node.leg + 1;
        end.parent = (int32_t)from;
        end.tree = (int32_t)number;
        end.by = answer.node;
        end.tested = 1;
        end.arrived = (uint8_t)is_last;
        gb_trip_add(trip, &end);
    }
    return found;
}

/* Whether a state is as the goal of its leg says. */
static int is_at_goal(const gb_query *query, const gb_trip_node *node) {
    const double *goal = query->goals + 5 * node->leg;
    double away_x = goal[0] - node->x, away_y = goal[1] - node->y, turned = node->heading - goal[3];
    turned -= GB_TURN * gb_floor(turned / GB_TURN + 0.5);
    return query->may_end[node->leg * query->behaviors + node->behavior] &&
           away_x * away_x + away_y * away_y <= goal[2] * goal[2] && gb_abs(turned) <= goal[4];
}

/* Lets a state begin the next leg, or arrive, where it is at the goal of its leg. */
static void pass_goal(const gb_trip *trip, gb_trip_node *node) {
    const gb_trip_tables *tables = trip->tables;
    const gb_query *query = tables->query;
    if (!is_at_goal(query, node)) return;
    if (node->leg < query->legs - 1) node->leg++;
    else
        node->arrived = !query->has_traffic || gb_may_stay(tables->world, tables->traffic, tables->actions, node->by,
                                                           node->x, node->y, node->heading, node->frame);
}

/* Which single steps are tried. */
enum { SETTING_OFF = 1, CROSSING = 2, ANY = 4 };

static int is_tried(const gb_trip_tables *tables, int32_t behavior, int kinds) {
    if (kinds & ANY) return 1;
    if ((kinds & SETTING_OFF) && tables->goes_on[behavior] && !tables->rests[behavior]) return 1;
    return (kinds & CROSSING) && tables->crosses[behavior];
}

/* Adds a node for each single step of some kinds that may follow a node. */
static void add_steps(gb_trip *trip, int64_t from, int kinds) {
    const gb_trip_tables *tables = trip->tables;
    const gb_trip_node node = trip->nodes[from];
    int64_t row = gb_trip_row(trip, &node), behaviors = tables->actions->behaviors;
    gb_fan *fan = trip->fan;
    fan->count = 0;
    gb_traffic_reach(tables->traffic, node.frame, node.frame + LONGEST);
    for (int32_t behavior = 0; behavior < behaviors; behavior++)
        if (tables->allowed[row * behaviors + behavior] && is_tried(tables, behavior, kinds))
            fan->behavior[fan->count++] = behavior;
    gb_fan_out(tables->world, tables->traffic, tables->query, tables->actions, tables->moves, node.x, node.y,
               node.heading, node.frame, fan, &trip->counts.samples);
    for (int64_t number = 0; number < fan->count; number++) {
        const double *pose = fan->pose + 3 * number;
        gb_trip_node end = gb_trip_node_at(pose[0], pose[1], pose[2], gb_cos(pose[2]), gb_sin(pose[2]));
        end.behavior = fan->behavior[number];
        end.cost = node.cost + fan->cost[number] + tables->extra[row * behaviors + end.behavior];
        end.frame = fan->frame[number];
        end.leg = node.leg;
        end.parent = (int32_t)from;
        end.tree = GB_TRIP_STEP;
        end.by = fan->clip[number];
        end.tested = 1;
        pass_goal(trip, &end);
        gb_trip_add(trip, &end);
    }
}

int gb_trip_has_to_cross(const gb_trip *trip, const gb_trip_node *node, gb_place place) {
    double near = trip->settings.crossing_m;
    if (gb_way_crosses(trip->ways + node->leg, place.x, place.y, near)) return 1;
    return trip->tables->query->has_traffic &&
           !gb_traffic_is_quiet(trip->tables->traffic, place.x, place.y, 0.5 * near, node->frame, node->frame + SOON);
}

void gb_trip_cross(gb_trip *trip, int64_t number) {
    if (trip->nodes[number].tried || !gb_trip_test(trip, number)) return;
    trip->nodes[number].tried = 1;
    add_steps(trip, number, CROSSING);
}

static void expand(gb_trip *trip, int64_t number) {
    const gb_trip_tables *tables = trip->tables;
    const gb_trip_settings *settings = &trip->settings;
    const gb_trip_node node = trip->nodes[number];
    int64_t row = gb_trip_row(trip, &node), before = trip->counts.nodes, most = settings->ends;
    trip->counts.expansions++;
    double reach = settings->reach_m;
    gb_world_prepare(tables->world, node.x - reach, node.y - reach, node.x + reach, node.y + reach);
    gb_traffic_reach(tables->traffic, node.frame, node.frame + SOON);
    for (int32_t times = 0; times < node.times; times++) most *= WIDER;
    double length = gb_way_from(trip->ways + node.leg, node.x, node.y) - tables->query->goals[5 * node.leg + 2];
    int is_first = node.times == 0, is_near = is_first && length <= settings->near_m;
    if (is_near)
        gb_traffic_reach(tables->traffic, node.frame, node.frame + SOON + (int64_t)(FRAMES_A_METRE * gb_max(length, 0.0)));
    int arrives = is_near && look_goal_up(trip, number);
    if (!arrives || length > settings->sure_m)
        for (int64_t tree = 0; tree < tables->trees; tree++)
            if (tables->may_use[row * GB_TRIP_TREES + tree]) gb_trip_add_ends(trip, number, tree, most);
    int kinds = trip->counts.nodes == before || !is_first ? ANY : 0;
    if (tables->rests[row]) kinds |= SETTING_OFF;
    if (kinds) add_steps(trip, number, kinds);
    const gb_place place = {node.x, node.y};
    if (gb_trip_has_to_cross(trip, &node, place)) gb_trip_cross(trip, number);
    if (++trip->nodes[number].times < GB_TRIP_TIMES) put(trip, number);
}

/* Whether a node may still lead to a cheaper trip. */
static int is_promising(const gb_trip *trip, const gb_trip_node *node) {
    return !node->arrived && node->times < GB_TRIP_TIMES &&
           (double)node->cost + PAYABLE * node->left < (double)trip->counts.ceiling;
}

/* Expands nodes until their number in all is reached; the first search ends where it has found a trip. */
static void search(gb_trip *trip, int64_t most_expansions, int is_first) {
    gb_trip_counts *counts = &trip->counts;
    while (counts->open > 0 && counts->expansions < most_expansions && !(is_first && counts->goal_node >= 0)) {
        int64_t number = gb_node_of(gb_heap_pop(trip->entries, counts->open--));
        const gb_trip_node *node = trip->nodes + number;
        if (!is_promising(trip, node) || !gb_trip_test(trip, number)) continue;
        if (node->left < trip->nodes[counts->nearest].left) counts->nearest = number;
        expand(trip, number);
    }
}

/* Goes on from all nodes that may lead to something cheaper, with less haste. */
static void go_on(gb_trip *trip, double haste, int64_t expansions) {
    trip->counts.open = 0;
    trip->counts.haste = haste;
    for (int64_t number = 0; number < trip->counts.nodes; number++)
        if (is_promising(trip, trip->nodes + number)) put(trip, number);
    search(trip, trip->counts.expansions + expansions, 0);
}

/* Improves a trip: more where it costs much more than was estimated at the start. */
static void improve(gb_trip *trip) {
    const gb_trip_settings *settings = &trip->settings;
    double excess = (double)trip->counts.ceiling / gb_max(1.0, trip->nodes[0].left) - USUAL_EXCESS;
    int64_t expansions = settings->improve;
    if (excess > 0.0) expansions += (int64_t)(gb_min(excess / LARGE_EXCESS, 1.0) * settings->most_more * (double)settings->improve);
    if (excess > 0.0) go_on(trip, 0.5 * (settings->haste + settings->calm), expansions / 2);
    else expansions *= 2;
    go_on(trip, settings->calm, expansions / 2);
}

/* Empties the table of states and all lists. */
static void clear(gb_trip *trip) {
    const gb_trip_counts none = {0, 0, 0, 0, 0, 0, GB_NOTHING, 0, GB_NEVER, trip->settings.haste};
    for (int64_t number = 0; number < trip->counts.nodes; number++)
        trip->slots[trip->nodes[number].slot * GB_SLOT_COLUMNS + GB_SLOT_NODE] = -1;
    trip->counts = none;
}

/* Spreads the ways of all legs, and beside them as far as a margin says; returns whether there are any. */
static int spread_ways(const gb_trip *trip, double margin) {
    const gb_query *query = trip->tables->query;
    double x = query->x, y = query->y;
    for (int64_t leg = 0; leg < query->legs; leg++) {
        const double *goal = query->goals + 5 * leg;
        if (!gb_way_spread(trip->ways + leg, trip->tables->map, goal[0], goal[1], goal[2], x, y, margin)) return 0;
        x = goal[0];
        y = goal[1];
    }
    return 1;
}

/* Searches from the start for a first trip. */
static void search_anew(gb_trip *trip, int64_t most_expansions) {
    const gb_query *query = trip->tables->query;
    int64_t expansions = trip->counts.expansions, look_ups = trip->counts.look_ups, tests = trip->counts.tests;
    int64_t samples = trip->counts.samples;
    clear(trip);
    trip->counts.expansions = expansions;
    trip->counts.look_ups = look_ups;
    trip->counts.tests = tests;
    trip->counts.samples = samples;
    double heading = query->heading;
    gb_trip_node start = gb_trip_node_at(query->x, query->y, heading, gb_cos(heading), gb_sin(heading));
    start.frame = query->frame;
    start.behavior = (int32_t)trip->after;
    start.parent = GB_NOTHING;
    start.tree = GB_TRIP_STEP;
    start.tested = 1;
    gb_trip_add(trip, &start);
    search(trip, most_expansions, 1);
}

int32_t gb_trip_solve(gb_trip *trip) {
    int64_t most = trip->settings.most_expansions;
    clear(trip);
    if (!spread_ways(trip, trip->settings.margin_m)) return GB_TRIP_NO_WAY;
    search_anew(trip, gb_least(trip->settings.hopeful, most));
    if (trip->counts.goal_node < 0 && trip->counts.expansions < most) {
        spread_ways(trip, EVERYWHERE);
        search_anew(trip, most);
    }
    if (trip->counts.goal_node < 0) return trip->counts.open == 0 ? GB_TRIP_EXHAUSTED : GB_TRIP_STOPPED;
    if (trip->settings.improve > 0) improve(trip);
    return GB_TRIP_FOUND;
}
