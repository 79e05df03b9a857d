/* The search against going over all states until nothing changes: a figure on a lattice, which goes on and turns on the spot. */
#include "small_world.h"
#include "states.h"

enum { FORWARD, LEFT, RIGHT, BEHAVIORS };
enum { FRAMES = 4, SAMPLES = BEHAVIORS * (FRAMES + 1) };
enum { SIDE = 8, STATES = SIDE * SIDE * 4, ROOM = 4096, SLOTS = 16384 };

/* A figure of one upright cylinder; its clips take FRAMES frames. */
typedef struct figure {
    gb_actions actions;
    gb_moves moves;
    int64_t first_clip[BEHAVIORS + 1], first_successor[BEHAVIORS + 1], clip_samples[BEHAVIORS], cost[BEHAVIORS];
    int64_t transition_cost[BEHAVIORS * BEHAVIORS];
    int32_t successors[BEHAVIORS * BEHAVIORS], own[BEHAVIORS], state[BEHAVIORS], duration[BEHAVIORS], event[BEHAVIORS];
    double slopes[2 * BEHAVIORS], displacement[3 * BEHAVIORS], path[3 * SAMPLES], outer[SAMPLES];
    double offset[16 * SAMPLES], radius[8 * SAMPLES], low[8 * SAMPLES], high[8 * SAMPLES];
    double circle[3 * BEHAVIORS], samples[6 * SAMPLES], parts[48 * SAMPLES];
    float pace[2 * BEHAVIORS], core[SAMPLES];
} figure;

static void lay_out_tables(figure *one) {
    gb_actions *actions = &one->actions;
    actions->behaviors = actions->clips = BEHAVIORS;
    actions->samples = SAMPLES;
    actions->behavior_clips = one->first_clip;
    actions->successors = one->successors;
    actions->behavior_successors = one->first_successor;
    actions->slopes = one->slopes;
    actions->clip_behavior = one->own;
    actions->displacement = one->displacement;
    actions->duration = one->duration;
    actions->event = one->event;
    actions->clip_samples = one->clip_samples;
    actions->path = one->path;
    actions->outer_radius = one->outer;
    actions->part_offset = one->offset;
    actions->part_radius = one->radius;
    actions->part_low = one->low;
    actions->part_high = one->high;
    gb_moves *moves = &one->moves;
    moves->cost = one->cost;
    moves->transition_cost = one->transition_cost;
    moves->state = one->state;
    moves->same = one->own;
    moves->circle = one->circle;
    moves->samples = one->samples;
    moves->parts = one->parts;
    moves->pace = one->pace;
}

static void lay_out_clip(figure *one, int behavior, double radius) {
    double ahead = behavior == FORWARD ? 1.0 : 0.0;
    double turn = behavior == LEFT ? 0.25 * GB_TURN : behavior == RIGHT ? -0.25 * GB_TURN : 0.0;
    int first = behavior * (FRAMES + 1);
    one->first_clip[behavior + 1] = behavior + 1;
    one->own[behavior] = one->state[behavior] = behavior;
    one->duration[behavior] = FRAMES;
    one->clip_samples[behavior] = first;
    one->displacement[3 * behavior] = ahead;
    one->displacement[3 * behavior + 2] = turn;
    one->pace[2 * behavior] = (float)radius + 1e-5f;
    one->pace[2 * behavior + 1] = ahead > 0.0 ? 0.999f * (float)FRAMES : 9999.0f;
    one->circle[3 * behavior] = 0.5 * ahead;
    one->circle[3 * behavior + 2] = 0.5 * ahead + radius;
    one->first_successor[behavior + 1] = BEHAVIORS * (behavior + 1);
    for (int next = 0; next < BEHAVIORS; next++) one->successors[BEHAVIORS * behavior + next] = next;
    for (int frame = 0; frame <= FRAMES; frame++) {
        int sample = first + frame;
        double share = (double)frame / (double)FRAMES, heading = share * turn;
        double row[6] = {share * ahead, 0.0, gb_cos(heading), gb_sin(heading), radius, share * ahead};
        memcpy(one->samples + 6 * sample, row, sizeof row);
        one->path[3 * sample] = share * ahead;
        one->path[3 * sample + 2] = heading;
        one->outer[sample] = radius;
        one->core[sample] = (float)radius - 1e-5f;
        one->radius[8 * sample] = radius;
        one->high[8 * sample] = 1.8;
        for (int part = 0; part < GB_PARTS; part++) {
            double values[6] = {0.0, 0.0, part == 0 ? radius : 0.0, 0.0, part == 0 ? 1.8 : 0.0, part == 0 ? radius : -INFINITY};
            memcpy(one->parts + 6 * (GB_PARTS * sample + part), values, sizeof values);
        }
    }
}

static void make_figure(report *test, figure *one) {
    memset(one, 0, sizeof *one);
    lay_out_tables(one);
    double radius = random_between(test, 0.1, 0.35);
    for (int behavior = 0; behavior < BEHAVIORS; behavior++) {
        lay_out_clip(one, behavior, radius);
        one->cost[behavior] = behavior == FORWARD ? 1000000 : 200000 + random_below(test, 400000);
        for (int next = 0; next < BEHAVIORS; next++)
            one->transition_cost[BEHAVIORS * behavior + next] = random_below(test, 2) ? random_below(test, 200000) : 0;
    }
}

/* Where a state of the lattice is: places in the middle of cells of a metre, four headings. */
static void pose_of(int64_t state, double *pose) {
    pose[0] = 0.5 + (double)(state / 4 % SIDE);
    pose[1] = 0.5 + (double)(state / 4 / SIDE);
    pose[2] = 0.25 * GB_TURN * (double)(state % 4);
}

/* The state that a behavior leads to; -1 beyond the lattice. */
static int64_t state_after(int64_t state, int behavior) {
    static const int64_t ahead[4][2] = {{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    int64_t heading = state % 4, column = state / 4 % SIDE, row = state / 4 / SIDE;
    if (behavior == LEFT) heading = (heading + 1) % 4;
    if (behavior == RIGHT) heading = (heading + 3) % 4;
    if (behavior == FORWARD) {
        column += ahead[heading][0];
        row += ahead[heading][1];
    }
    if (column < 0 || row < 0 || column >= SIDE || row >= SIDE) return -1;
    return 4 * (SIDE * row + column) + heading;
}

/* Least costs of being in each state after each behavior, from a start where nothing was played before. */
static void relax(const gb_search *search, int64_t start, int64_t *costs) {
    for (int64_t at = 0; at < STATES * BEHAVIORS; at++) costs[at] = GB_NEVER;
    for (int round = 0, changed = 1; changed && round < STATES; round++) {
        changed = 0;
        for (int64_t state = 0; state < STATES; state++)
            for (int behavior = 0; behavior < BEHAVIORS; behavior++) {
                int64_t next = state_after(state, behavior), samples = 0, least = state == start ? 0 : GB_NEVER;
                for (int before = 0; before < BEHAVIORS; before++)
                    if (costs[BEHAVIORS * state + before] < GB_NEVER)
                        least = gb_least(least, costs[BEHAVIORS * state + before] +
                                                    search->moves->transition_cost[BEHAVIORS * before + behavior]);
                if (next < 0 || least >= GB_NEVER) continue;
                double pose[3];
                pose_of(state, pose);
                if (!gb_clip_may_be_played(search->world, search->traffic, search->query, search->actions, search->moves,
                                           behavior, behavior, pose[0], pose[1], pose[2], 0, &samples))
                    continue;
                least += search->moves->cost[behavior];
                if (least >= costs[BEHAVIORS * next + behavior]) continue;
                costs[BEHAVIORS * next + behavior] = least;
                changed = 1;
            }
    }
}

/* A search of room enough, its start entered. */
typedef struct room {
    gb_search_node nodes[ROOM];
    int64_t entries[ROOM];
    gb_search_slot slots[SLOTS];
    gb_search_next next[BEHAVIORS];
    gb_search_doubt doubts[4];
} room;

static void begin(gb_search *search, room *own) {
    gb_search_memory memory = {ROOM, own->nodes, ROOM, own->entries, SLOTS, own->slots, 0, BEHAVIORS, own->next, 4, own->doubts};
    memset(own, 0, sizeof *own);
    search->memory = memory;
    gb_search_begin(search);
}

/* Goes back from the goal: each node costs what its parent, its behavior and the transition do; a clip is a behavior here. */
static void check_way(report *test, const gb_search *search) {
    const gb_search_node *nodes = search->memory.nodes, *node = nodes + search->counts.goal_node;
    for (; node->parent >= 0; node = nodes + node->parent) {
        const gb_search_node *parent = nodes + node->parent;
        int64_t paid = search->moves->cost[node->clip];
        if (parent->clip >= 0) paid += search->moves->transition_cost[BEHAVIORS * parent->clip + node->clip];
        CHECK_SAME(test, node->cost - parent->cost, paid);
        CHECK_SAME(test, node->frame - parent->frame, FRAMES);
    }
}

static int test_problem(report *test, double weight) {
    static small_world small;
    static figure one;
    static room own;
    static int64_t costs[STATES * BEHAVIORS];
    small_world_random(test, &small);
    make_figure(test, &one);
    int64_t start = random_below(test, STATES), goal = random_below(test, STATES);
    double from[3], to[3];
    pose_of(start, from);
    pose_of(goal, to);
    double goals[5] = {to[0], to[1], 0.3, to[2], random_below(test, 2) ? 4.0 : 0.3};
    static const uint8_t may_end[BEHAVIORS] = {1, 1, 1}, open_cell[1] = {0};
    static const int32_t first[BEHAVIORS] = {FORWARD, LEFT, RIGHT}, special[BEHAVIORS] = {-1, -1, -1};
    static const double no_radius[BEHAVIORS] = {-1.0, -1.0, -1.0};
    static const int64_t later[1] = {0};
    gb_query query;
    memset(&query, 0, sizeof query);
    query.x = from[0];
    query.y = from[1];
    query.heading = from[2];
    query.first_count = query.behaviors = BEHAVIORS;
    query.first = first;
    query.legs = query.closed_rows = query.closed_columns = 1;
    query.goals = goals;
    query.may_end = may_end;
    query.field_cell = SMALL_SIDE;
    query.closed = open_cell;
    query.later = later;
    query.cost_per_way = query.cost_per_chord = 999999.0;
    query.special = special;
    query.radius = no_radius;
    query.core = random_below(test, 2) ? one.core : 0;
    gb_search search;
    memset(&search, 0, sizeof search);
    search.world = &small.world;
    search.actions = &one.actions;
    search.moves = &one.moves;
    search.query = &query;
    search.settings.weight = weight;
    search.settings.exact = 1;
    search.settings.place_unit = 1e-3;
    search.settings.heading_count = 64;
    search.settings.ceiling = GB_NEVER;
    begin(&search, &own);
    do { /* the world is laid out where the search gets to */
        gb_search_expand(&search, 100000);
        const gb_search_node *node = own.nodes + search.counts.beyond;
        if (search.counts.beyond >= 0) gb_world_prepare(&small.world, node->x, node->y, node->x, node->y);
    } while (search.counts.beyond >= 0);
    relax(&search, start, costs);
    int64_t best = GB_NEVER;
    for (int64_t state = 0; state < STATES; state++) {
        double pose[3];
        pose_of(state, pose);
        if (state / 4 != goal / 4 || (state != goal && goals[4] < 1.0)) continue;
        for (int behavior = 0; behavior < BEHAVIORS; behavior++)
            best = gb_least(best, costs[BEHAVIORS * state + behavior]);
    }
    int found = search.counts.status == GB_SEARCH_FOUND;
    CHECK_SAME(test, search.counts.status, best < GB_NEVER ? GB_SEARCH_FOUND : GB_SEARCH_EXHAUSTED);
    DIGEST(test, search.counts.status);
    DIGEST(test, search.counts.expansions);
    if (!found) return 0;
    int64_t cost = own.nodes[search.counts.goal_node].cost;
    if (weight == 1.0) CHECK_SAME(test, cost, best);
    CHECK(test, best <= cost && (double)cost <= weight * (double)best);
    CHECK(test, gb_search_least_open(&search, GB_NEVER) >= best || weight > 1.0 || cost == best);
    check_way(test, &search);
    DIGEST(test, cost);
    return 1;
}

void test_search(report *test) {
    int found = 0;
    for (int round = 0; round < 12; round++) found += test_problem(test, round % 3 == 0 ? 2.0 : 1.0);
    CHECK(test, found > 2 && found < 12);
}
