/* A search tree put into a world: places of nodes, what a clip of it meets, what a path costs. */
#ifndef GB_TREE_H
#define GB_TREE_H

#include "play.h"
#include "world.h"


/* Where a tree's root is put, and when. */
typedef struct gb_tree_root {
    double x;
    double y;
    double heading;
    double cosine;
    double sine;
    int64_t frame;
} gb_tree_root;

typedef struct gb_place {
    double x;
    double y;
} gb_place;

static inline gb_tree_root gb_put_root(double x, double y, double heading, int64_t frame) {
    gb_tree_root root = {x, y, heading, gb_cos(heading), gb_sin(heading), frame};
    return root;
}

/* Where a place in the frame of the root is in the world. */
static inline gb_place gb_place_from(const gb_tree_root *root, double x, double y) {
    gb_place place = {root->x + root->cosine * x - root->sine * y, root->y + root->sine * x + root->cosine * y};
    return place;
}

static inline gb_place gb_place_of_node(const gb_tree *tree, const gb_tree_root *root, int64_t node) {
    return gb_place_from(root, tree->nodes[node].x, tree->nodes[node].y);
}

static inline double gb_heading_of_node(const gb_tree *tree, const gb_tree_root *root, int64_t node) {
    return root->heading + (double)tree->nodes[node].heading;
}

/* The character's clip that leads to a node; negative: it has none. */
static inline int64_t gb_clip_of_node(const gb_tree_tables *tables, int64_t node) {
    return tables->fit->clip_of[tables->tree->nodes[node].clip];
}

/* The cell of a room at a place; -1 outside. */
static inline int64_t gb_room_cell(const gb_room *room, gb_place at) {
    double u = (at.x - room->x0) * room->cells_a_metre, v = (at.y - room->y0) * room->cells_a_metre;
    if (!(u >= 0.0 && v >= 0.0 && u < (double)room->columns && v < (double)room->rows)) return -1;
    return (int64_t)v * room->columns + (int64_t)u;
}

/* Looks closer at the end of the clip from a node's parent to the node, or at its middle (tree.c). */
int gb_instant_may_be_free(const gb_tree_tables *tables, const gb_tree_root *root, int64_t node, int is_middle, gb_place at);

/* Looks at the end and the middle of the clip from a node's parent to the node, which are at two places; none that may be
 * played is turned down.  Most clips are settled by a byte at each of the two, which follow from those of both nodes without
 * turning anything. */
static inline int gb_edge_may_be_free(const gb_tree_tables *tables, const gb_tree_root *root, int64_t node, gb_place before,
                                      gb_place after, int64_t *samples) {
    const gb_glance *glance = tables->fit->glances + tables->tree->nodes[node].clip;
    const gb_room *room = tables->room;
    int64_t cell = gb_room_cell(room, after);
    int steps = cell < 0 ? -1 : room->steps[cell];
    ++*samples;
    if (steps < glance->end_least && steps != GB_ROOM_UNKNOWN) return 0;
    if (steps <= glance->end_sure && !gb_instant_may_be_free(tables, root, node, 0, after)) return 0;
    double along = glance->along, across = glance->across, way_x = after.x - before.x, way_y = after.y - before.y;
    gb_place middle = {before.x + along * way_x - across * way_y, before.y + along * way_y + across * way_x};
    cell = gb_room_cell(room, middle);
    steps = cell < 0 ? -1 : room->steps[cell];
    ++*samples;
    if (steps < glance->middle_least && steps != GB_ROOM_UNKNOWN) return 0;
    return steps > glance->middle_sure || gb_instant_may_be_free(tables, root, node, 1, middle);
}

/* Tests the whole clip that leads to a node, against all that stands and moves, as the forward search does. */
int gb_edge_is_free(const gb_tree_tables *tables, const gb_tree_root *root, int64_t node, int64_t *samples);

/* What the path to a node costs in this world with the character's own weights, in units. */
int64_t gb_path_cost(const gb_tree_tables *tables, const gb_tree_asked *asked, const gb_tree_root *root, int64_t node);

#endif
