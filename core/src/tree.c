/* What the clips of a tree meet in a world, and what its paths cost there. */
#include "tree.h"

/* How far it is at least, and at most, from a point to the nearest obstacle or bound. */
typedef struct span {
    double least;
    double most;
} span;

static span room_around(const gb_room *room, gb_place at) {
    span around = {-INFINITY, 0.0};
    double u = (at.x - room->x0) * room->cells_a_metre, v = (at.y - room->y0) * room->cells_a_metre;
    if (!(u >= 0.0 && v >= 0.0 && u < (double)room->columns && v < (double)room->rows)) return around;
    int64_t column = (int64_t)u, row = (int64_t)v;
    double aside = u - (double)column - 0.5, along = v - (double)row - 0.5;
    double off = room->cell_m * sqrt(aside * aside + along * along);
    int steps = room->steps[row * room->columns + column];
    around.least = (steps - 1) * GB_ROOM_STEP - off;
    around.most = steps == GB_ROOM_UNKNOWN || steps == GB_ROOM_MOST ? INFINITY : (steps + 1) * GB_ROOM_STEP + off;
    return around;
}

/* Tests an instant of a clip begun at a pose, by the same numbers as the test of the whole clip. */
static int instant_is_free(const gb_tree_tables *tables, int64_t behavior, int64_t sample, gb_place begun, double heading) {
    const double *row = tables->moves->samples + sample * GB_SAMPLE_COLUMNS;
    double cosine = gb_cos(heading), sine = gb_sin(heading);
    double x = begun.x + cosine * row[0] - sine * row[1], y = begun.y + sine * row[0] + cosine * row[1];
    double radius = tables->query->radius[behavior];
    if (radius > 0.0) return gb_disc_is_free(tables->world, x, y, radius, -GB_ALL_HEIGHTS, GB_ALL_HEIGHTS, -1);
    return gb_parts_are_free(tables->world, tables->moves, sample, x, y, cosine * row[2] - sine * row[3],
                             sine * row[2] + cosine * row[3], -1, gb_max(0.0, gb_clearance(tables->world, x, y)));
}

int gb_instant_may_be_free(const gb_tree_tables *tables, const gb_tree_root *root, int64_t node, int is_middle, gb_place at) {
    const gb_tree_node *to = tables->tree->nodes + node;
    const gb_glance *glance = tables->fit->glances + to->clip;
    span around = room_around(tables->room, at);
    if (around.most < (double)(is_middle ? glance->middle_needed : glance->end_needed)) return 0;
    if (around.least >= (double)(is_middle ? glance->middle_enough : glance->end_enough)) return 1;
    int64_t clip = tables->fit->clip_of[to->clip], duration = tables->actions->duration[clip];
    return instant_is_free(tables, tables->actions->clip_behavior[clip],
                           tables->actions->clip_samples[clip] + (is_middle ? duration / 2 : duration),
                           gb_place_from(root, to->before_x, to->before_y),
                           gb_heading_of_node(tables->tree, root, to->parent));
}

int gb_edge_is_free(const gb_tree_tables *tables, const gb_tree_root *root, int64_t node, int64_t *samples) {
    const gb_tree_node *to = tables->tree->nodes + node, *from = tables->tree->nodes + to->parent;
    int64_t frame = root->frame + from->frame, clip = tables->fit->clip_of[to->clip];
    const gb_query *query = tables->query;
    if (query->has_traffic && frame + tables->actions->duration[clip] > query->horizon) return 0;
    gb_place begun = gb_place_from(root, from->x, from->y);
    return gb_may_be_played(tables->world, tables->traffic, query, tables->actions, tables->moves,
                            tables->actions->clip_behavior[clip], clip, begun.x, begun.y,
                            root->heading + (double)from->heading, frame, samples);
}

/* What a transition costs; 0 where there is none. */
static int64_t transition_cost(const gb_tree_tables *tables, int64_t before, int64_t behavior) {
    const gb_actions *actions = tables->actions;
    for (int64_t entry = actions->behavior_successors[before]; entry < actions->behavior_successors[before + 1]; entry++)
        if (actions->successors[entry] == behavior) return tables->moves->transition_cost[entry];
    return 0;
}

int64_t gb_path_cost(const gb_tree_tables *tables, const gb_tree_asked *asked, const gb_tree_root *root, int64_t node) {
    const gb_tree *tree = tables->tree;
    const gb_query *query = tables->query;
    int has_slopes = tables->world->ground.has_terrain && (query->climb > 0.0 || query->descend > 0.0);
    int64_t total = 0;
    while (node != 0) {
        int64_t parent = tree->nodes[node].parent, clip = gb_clip_of_node(tables, node);
        int64_t behavior = tables->actions->clip_behavior[clip];
        total += tables->moves->cost[behavior];
        if (parent == 0)
            total += asked->first_cost[behavior];
        else
            total += transition_cost(tables, tables->actions->clip_behavior[gb_clip_of_node(tables, parent)], behavior);
        if (has_slopes) {
            gb_place begun = gb_place_of_node(tree, root, parent);
            total += gb_ground_cost(tables->world, query, tables->actions, clip, begun.x, begun.y,
                                    gb_heading_of_node(tree, root, parent));
        }
        node = parent;
    }
    return total;
}

void gb_tree_lay_out(const float *pose, const int32_t *parent, const int32_t *cost, const uint16_t *clip,
                     const uint16_t *frame, int64_t count, gb_tree_node *nodes) {
    for (int64_t number = 0; number < count; number++) {
        const float *at = pose + 3 * number, *before = pose + 3 * gb_most(parent[number], 0);
        gb_tree_node node = {at[0],          at[1],        at[2],        before[0],    before[1],
                             parent[number], cost[number], clip[number], frame[number]};
        nodes[number] = node;
    }
}
