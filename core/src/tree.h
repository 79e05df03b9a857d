/* A search tree put into a world: places of nodes, what a clip of it meets, what a path costs. */
#ifndef GB_TREE_H
#define GB_TREE_H

#include "ground.h"
#include "play.h"
#include "world.h"

#define GB_ROOM_STEP_M 0.02 /* of `gb_room.steps` */
#define GB_MOST_ROOM 255

/* Columns of `gb_tree_fit.glances`. */
enum { GB_END_ENOUGH, GB_END_NEEDED, GB_MIDDLE_ENOUGH, GB_MIDDLE_NEEDED, GB_ALONG, GB_ACROSS, GB_GLANCE_COLUMNS };

/* Where a tree's root is put, and when. */
typedef struct gb_tree_root {
    double x;
    double y;
    double heading;
    double cosine;
    double sine;
    int64_t frame;
} gb_tree_root;

/* A node in the world. */
typedef struct gb_place {
    double x;
    double y;
} gb_place;

static inline gb_tree_root gb_put_root(double x, double y, double heading, int64_t frame) {
    gb_tree_root root = {x, y, heading, gb_cos(heading), gb_sin(heading), frame};
    return root;
}

static inline gb_place gb_place_of_node(const gb_tree *tree, const gb_tree_root *root, int64_t node) {
    double x = tree->pose[3 * node], y = tree->pose[3 * node + 1];
    gb_place place = {root->x + root->cosine * x - root->sine * y, root->y + root->sine * x + root->cosine * y};
    return place;
}

static inline double gb_heading_of_node(const gb_tree *tree, const gb_tree_root *root, int64_t node) {
    return root->heading + (double)tree->pose[3 * node + 2];
}

/* The character's clip that leads to a node; negative: it has none. */
static inline int64_t gb_clip_of_node(const gb_tree_tables *tables, int64_t node) {
    return tables->fit->clip_of[tables->tree->clip[node]];
}

/* Looks at the end and the middle of the clip from a node's parent to the node; none that may be played is turned down. */
int gb_edge_may_be_free(const gb_tree_tables *tables, const gb_tree_root *root, int64_t node, int64_t clip,
                        gb_place before, gb_place after, int64_t *samples);

/* Tests the whole clip that leads to a node, against all that stands and moves, as the forward search does. */
int gb_edge_is_free(const gb_tree_tables *tables, const gb_tree_root *root, int64_t node, int64_t clip, int64_t *samples);

/* What the path to a node costs in this world with the character's own weights, in units. */
int64_t gb_path_cost(const gb_tree_tables *tables, const gb_tree_asked *asked, const gb_tree_root *root, int64_t node);

#endif
