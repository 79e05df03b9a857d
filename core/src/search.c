/* The search [LK05 algorithm 1]: F picks clips, T places them, G looks whether they may be played. */
#include "choice.h"
#include "field.h"
#include "movers.h"
#include "open_list.h"
#include "play.h"
#include "states.h"

#include <string.h>

#define FIRST_SLOTS 4096 /* of the table of visited states, a power of two; it grows by rehashing */

/* A lower bound of the cost left in a leg by the straight line. */
static double straight_cost(const gb_query *query, int64_t leg, double x, double y) {
    const double *goal = query->goals + 5 * leg;
    double away_x = goal[0] - x, away_y = goal[1] - y;
    double straight = sqrt(away_x * away_x + away_y * away_y) - goal[2];
    return gb_max(0.0, straight) * query->cost_per_chord;
}

/* The cost of all legs left, of which a straight line and a way, in cells, are known. */
static int64_t cost_of_way(const gb_query *query, int64_t leg, double straight, double way) {
    if (way >= GB_FAR * 0.5) return GB_NEVER;
    return (int64_t)gb_max(straight, way * query->field_cell * query->cost_per_way) + query->later[leg];
}

int64_t gb_query_cost_left(const gb_query *query, int64_t leg, double x, double y) {
    double straight = straight_cost(query, leg, x, y);
    if (!query->fields) return (int64_t)straight + query->later[leg];
    double u = (x - query->field_x0) / query->field_cell, v = (y - query->field_y0) / query->field_cell;
    return cost_of_way(query, leg, straight, gb_way_left(query->fields[leg], u, v));
}

/* At least the same, without spreading the leg's field. */
static int64_t guess_left(const gb_query *query, int64_t leg, double x, double y, int *is_sure) {
    double straight = straight_cost(query, leg, x, y);
    *is_sure = 1;
    if (!query->fields) return (int64_t)straight + query->later[leg];
    double u = (x - query->field_x0) / query->field_cell, v = (y - query->field_y0) / query->field_cell;
    return cost_of_way(query, leg, straight, gb_way_at_least(query->fields[leg], u, v, is_sure));
}

/* Asks for the labels around a place that is inside the grid. */
static void fetch_labels(const gb_query *query, int64_t leg, double x, double y) {
    if (!query->fields) return;
    const gb_field *field = query->fields[leg];
    int64_t column = (int64_t)((x - query->field_x0) / query->field_cell);
    const int32_t *label = field->labels + ((int64_t)((y - query->field_y0) / query->field_cell) << field->shift) + column;
    GB_PREFETCH(label);
    GB_PREFETCH(label + ((int64_t)1 << field->shift));
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
static int64_t rest_of_state(const gb_search *search, const gb_search_next *next) {
    const gb_query *query = search->query;
    int64_t state = search->moves->state[next->behavior], leg = next->leg;
    if (leg == query->legs - 1 && is_goal(query, leg, next->x, next->y, next->heading, next->behavior)) {
        state = next->behavior;
        leg++;
    }
    return gb_rest_key(next->heading, search->settings.heading_count, state, leg, next->frame, search->settings.frame_unit);
}

/* Notes what a way that is given up costs at least: now, if that is known, else when it matters. */
static void lose(gb_search *search, int64_t cost, int64_t left, int is_sure, int64_t leg, double x, double y) {
    gb_search_counts *counts = &search->counts;
    if (cost + left >= counts->least_lost) return;
    if (is_sure) {
        counts->least_lost = cost + left;
        return;
    }
    if (counts->doubts == search->memory.doubt_room) gb_search_settle_lost(search);
    gb_search_doubt doubt = {x, y, cost, leg};
    search->memory.doubts[counts->doubts++] = doubt;
}

static void lose_node(gb_search *search, const gb_search_node *node) {
    lose(search, node->cost, node->left, node->stage != GB_NODE_GUESSED, node->leg, node->x, node->y);
}

void gb_search_settle_lost(gb_search *search) {
    gb_search_counts *counts = &search->counts;
    int is_sure;
    for (int64_t number = 0; number < counts->doubts; number++) {
        const gb_search_doubt *doubt = search->memory.doubts + number;
        int64_t left = guess_left(search->query, doubt->leg, doubt->x, doubt->y, &is_sure);
        if (doubt->cost + left >= counts->least_lost) continue;
        if (!is_sure) left = gb_query_cost_left(search->query, doubt->leg, doubt->x, doubt->y);
        counts->least_lost = gb_least(counts->least_lost, doubt->cost + left);
    }
    counts->doubts = 0;
}

/* Whether the field is asked only when a node comes up: where it does not matter which nodes are entered that never do. */
static int may_guess(const gb_search_settings *settings) {
    return settings->ceiling >= GB_NEVER && settings->keep == 0;
}

static void open_node(gb_search *search, int64_t number) {
    const gb_search_node *node = search->memory.nodes + number;
    int64_t estimate = (node->cost + (int64_t)((double)node->left * search->settings.weight)) >> search->settings.shift;
    gb_heap_push(search->memory.entries, search->counts.open++, gb_entry_of(gb_least(estimate, GB_LARGEST_ESTIMATE), number));
}

/* Gives up a way to a state to which as good a one is known. */
static void give_up(gb_search *search, const gb_search_next *next) {
    int is_sure;
    if (next->cost >= search->counts.least_lost) return; /* with whatever is left */
    int64_t left = guess_left(search->query, next->leg, next->x, next->y, &is_sure);
    if (left < GB_NEVER && next->cost + left < search->settings.ceiling)
        lose(search, next->cost, left, is_sure, next->leg, next->x, next->y);
}

/* Enters a node that may be played to, unless as good a way to its state is known. */
static void reach(gb_search *search, int64_t parent, const gb_pose *from, const gb_search_next *next) {
    const gb_search_settings *settings = &search->settings;
    gb_search_memory *memory = &search->memory;
    int is_sure = 1, guesses = may_guess(settings);
    gb_search_slot *slot = gb_find_state(search, next->place, next->rest, next->hash);
    gb_search_node *known = slot->node ? memory->nodes + slot->node : 0;
    if (known && (slot->cost <= next->cost || (known->stage == GB_NODE_CLOSED && !settings->exact))) {
        if (!settings->exact) give_up(search, next);
        return;
    }
    int64_t left = 0;
    if (guesses) fetch_labels(search->query, next->leg, next->x, next->y);
    if (!guesses) left = gb_query_cost_left(search->query, next->leg, next->x, next->y);
    if (left >= GB_NEVER || next->cost + left >= settings->ceiling) return;
    gb_traffic_reach(search->traffic, memory->nodes[parent].frame, next->frame);
    if (!gb_may_be_played_from(search->world, search->traffic, search->query, search->actions, search->moves,
                               next->behavior, next->same, from, memory->nodes[parent].frame, &search->counts.samples))
        return;
    if (guesses) left = guess_left(search->query, next->leg, next->x, next->y, &is_sure);
    if (left >= GB_NEVER) return;
    if (known) {
        if (!settings->exact) lose_node(search, known);
        known->stale = 1;
    }
    gb_search_node node = {next->x, next->y, next->heading, next->cost, left, next->rest, (int32_t)parent, next->clip,
                           next->frame, (int16_t)next->leg, (uint8_t)(is_sure ? GB_NODE_OPEN : GB_NODE_GUESSED), 0};
    int64_t number = search->counts.nodes++;
    memory->nodes[number] = node;
    gb_search_slot entered = {next->hash, next->cost, number};
    *slot = entered;
    open_node(search, number);
}

/* Lists the clips that may follow a node, of those that end where a root can be, and returns their number. */
static int64_t list_next(gb_search *search, int64_t number, const gb_pose *from) {
    const gb_query *query = search->query;
    const gb_actions *actions = search->actions;
    const gb_search_node *node = search->memory.nodes + number;
    int64_t behavior = node->clip < 0 ? -1 : actions->clip_behavior[node->clip], word = -1, found = 0;
    int64_t entry = behavior < 0 ? 0 : actions->behavior_successors[behavior];
    int64_t end = behavior < 0 ? query->first_count : actions->behavior_successors[behavior + 1];
    for (; entry < end; entry++) {
        gb_search_next *next = search->memory.next + found;
        next->behavior = behavior < 0 ? query->first[entry] : actions->successors[entry];
        int64_t chosen = actions->behavior_clips[next->behavior], clips = actions->behavior_clips[next->behavior + 1] - chosen;
        search->counts.generated++;
        if (clips > 1) {
            if (word < 0) word = gb_state_word(node->x, node->y, node->heading, query->has_traffic ? node->frame : 0);
            chosen += gb_choose_clip(query->seed, word, next->behavior, clips);
        }
        next->clip = (int32_t)chosen;
        next->same = search->moves->same[chosen];
        next->frame = node->frame + actions->duration[next->same];
        if (query->has_traffic && next->frame > query->horizon) {
            search->counts.late++;
            continue;
        }
        const double *moved = actions->displacement + 3 * next->same;
        next->x = from->x + from->cosine * moved[0] - from->sine * moved[1];
        next->y = from->y + from->sine * moved[0] + from->cosine * moved[1];
        if (is_in_closed_cell(query, next->x, next->y)) continue;
        next->heading = from->heading + moved[2];
        next->cost = node->cost + search->moves->cost[next->behavior];
        if (behavior >= 0) next->cost += search->moves->transition_cost[entry];
        if (search->world->ground.has_terrain)
            next->cost += gb_ground_cost(search->world, query, actions, next->same, from->x, from->y, from->heading);
        next->leg = node->leg;
        while (next->leg < query->legs - 1 &&
               is_goal(query, next->leg, next->x, next->y, next->heading, next->behavior))
            next->leg++;
        next->place = gb_place_key(next->x, next->y, search->settings.place_unit);
        next->rest = rest_of_state(search, next);
        next->hash = gb_hash_state(next->place, next->rest);
        GB_PREFETCH(search->memory.slots + (next->hash & ((uint64_t)search->memory.slot_count - 1)));
        found++;
    }
    return found;
}

/* At most half of the slots are taken. */
static int64_t slots_needed(const gb_search *search) { return 2 * (search->counts.nodes + search->memory.widest); }

void gb_search_enter_states(gb_search *search) {
    gb_search_memory *memory = &search->memory;
    int64_t count = gb_least(FIRST_SLOTS, memory->slot_room);
    while (count < memory->slot_room && 2 * slots_needed(search) > count) count *= 2;
    memory->slot_count = count;
    memset(memory->slots, 0, (size_t)count * sizeof *memory->slots);
    uint64_t mask = (uint64_t)count - 1;
    for (int64_t number = 1; number < search->counts.nodes; number++) {
        const gb_search_node *node = memory->nodes + number;
        if (node->stale) continue;
        uint64_t hash = gb_hash_state(gb_place_key(node->x, node->y, search->settings.place_unit), node->rest);
        gb_search_slot entered = {hash, node->cost, number};
        uint64_t at = hash & mask;
        while (memory->slots[at].node != 0) at = (at + 1) & mask;
        memory->slots[at] = entered;
    }
}

static int must_grow(const gb_search *search) {
    const gb_search_counts *counts = &search->counts;
    const gb_search_memory *memory = &search->memory;
    return counts->nodes + memory->widest > memory->node_room || slots_needed(search) > memory->slot_room ||
           counts->open + memory->widest > memory->entry_room ||
           (search->settings.keep > 0 && counts->open > 2 * search->settings.keep);
}

/* Whether a node ends a plan, and its body can stay there. */
static int ends_plan(const gb_search *search, const gb_search_node *node) {
    const gb_query *query = search->query;
    if (node->leg != query->legs - 1 || node->clip < 0 ||
        !is_goal(query, node->leg, node->x, node->y, node->heading, search->actions->clip_behavior[node->clip]))
        return 0;
    return !query->has_traffic || gb_may_stay(search->world, search->traffic, search->actions, node->clip, node->x, node->y,
                                              node->heading, node->frame);
}

/* Whether the world is laid out as far as clips may reach from a node: elsewhere all is answered as well, but slowly. */
static int is_laid_out(const gb_search *search, const gb_search_node *node) {
    double reach = search->settings.reach_m;
    return gb_world_is_laid_out(search->world, node->x - reach, node->y - reach, node->x + reach, node->y + reach);
}

/* Asks the field about a node that has come up; whether its turn has come.  If not it is put where it belongs. */
static int is_as_guessed(gb_search *search, int64_t number) {
    gb_search_node *node = search->memory.nodes + number;
    int64_t left = gb_query_cost_left(search->query, node->leg, node->x, node->y);
    node->stage = GB_NODE_OPEN;
    if (left == node->left) return 1;
    node->left = left;
    if (left < GB_NEVER) open_node(search, number);
    return 0;
}

void gb_search_begin(gb_search *search) {
    const gb_query *query = search->query;
    int64_t left = gb_query_cost_left(query, 0, query->x, query->y);
    gb_search_node start = {query->x, query->y, query->heading, 0, left, -1, -1, -1, (int32_t)query->frame, 0, GB_NODE_OPEN, 0};
    gb_search_counts none = {0, 1, 0, 0, 0, GB_SEARCH_RUNNING, -1, 0, 0, 0, GB_NEVER, 0, -1};
    search->memory.nodes[0] = start;
    search->counts = none;
    gb_search_enter_states(search);
    if (left < GB_NEVER) open_node(search, 0);
}

void gb_search_expand(gb_search *search, int64_t most_expansions) {
    gb_search_counts *counts = &search->counts;
    gb_search_node *nodes = search->memory.nodes;
    counts->status = GB_SEARCH_RUNNING;
    counts->beyond = -1;
    while (counts->expansions < most_expansions) {
        if (counts->open == 0) {
            counts->status = GB_SEARCH_EXHAUSTED;
            return;
        }
        if (must_grow(search)) return;
        if (slots_needed(search) > search->memory.slot_count) gb_search_enter_states(search);
        int64_t number = gb_node_of(search->memory.entries[0]);
        gb_search_node *node = nodes + number;
        if (!is_laid_out(search, node)) {
            counts->beyond = number;
            return;
        }
        gb_heap_pop(search->memory.entries, counts->open--);
        if (node->stage == GB_NODE_CLOSED || node->stale) continue;
        if (node->stage == GB_NODE_GUESSED && !is_as_guessed(search, number)) continue;
        if (node->cost + node->left >= search->settings.ceiling) continue;
        if (ends_plan(search, node)) {
            counts->status = GB_SEARCH_FOUND;
            counts->goal_node = number;
            return;
        }
        node->stage = GB_NODE_CLOSED;
        if (counts->open > 0) GB_PREFETCH(nodes + gb_node_of(search->memory.entries[0])); /* likely the next one */
        if (node->left < nodes[counts->nearest].left || counts->expansions == 0) counts->nearest = number;
        counts->expansions++;
        gb_pose from = gb_pose_of(node->x, node->y, node->heading);
        int64_t count = list_next(search, number, &from);
        for (int64_t next = 0; next < count; next++) reach(search, number, &from, search->memory.next + next);
    }
    counts->status = GB_SEARCH_STOPPED;
}

int64_t gb_search_least_open(const gb_search *search, int64_t most) {
    for (int pass = 0; pass < 2; pass++) /* what is known first: then less has to be asked */
        for (int64_t at = 0; at < search->counts.open; at++) {
            const gb_search_node *node = search->memory.nodes + gb_node_of(search->memory.entries[at]);
            if (node->stage == GB_NODE_CLOSED || node->stale || node->cost + node->left >= most) continue;
            int64_t left = node->left;
            if (node->stage == GB_NODE_GUESSED && pass == 0) continue;
            if (node->stage == GB_NODE_GUESSED) left = gb_query_cost_left(search->query, node->leg, node->x, node->y);
            most = gb_least(most, node->cost + left);
        }
    return most;
}
