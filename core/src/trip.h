/* Whole trips: nodes of a search whose edges are paths of trees. */
#ifndef GB_TRIP_H
#define GB_TRIP_H

#include "map.h"
#include "movers.h"
#include "tree.h"

/* What may follow a node of a trip: rows of the matrices by behavior; the last row is the start's. */
static inline int64_t gb_trip_row(const gb_trip *trip, const gb_trip_node *node) {
    return node->behavior < 0 ? trip->tables->actions->behaviors : node->behavior;
}

/* A node at a pose; all else is 0. */
static inline gb_trip_node gb_trip_node_at(double x, double y, double heading, double cosine, double sine) {
    gb_trip_node node = {x, y, heading, cosine, sine, 0.0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0};
    return node;
}

/* What a tree is asked from a node: what may begin, and which behaviors, of which groups, may end. */
static inline gb_tree_asked gb_trip_asked(const gb_trip *trip, const gb_trip_node *node, const uint8_t *may_end,
                                          const uint8_t *groups, int stays) {
    const gb_trip_tables *tables = trip->tables;
    int64_t row = gb_trip_row(trip, node), behaviors = tables->actions->behaviors;
    gb_tree_asked asked = {tables->allowed + row * behaviors, may_end, groups, tables->extra + row * behaviors,
                           tables->has_extra[row], stays};
    return asked;
}

/* About how far it is from a pose to the goal of a leg, in metres: from there, and from where it leads to. */
double gb_trip_ahead(const gb_trip *trip, int64_t leg, double x, double y, double cosine, double sine);

/* Adds a node unless as good a way to its state is known, or there is no room; returns it or GB_NOTHING. */
int64_t gb_trip_add(gb_trip *trip, const gb_trip_node *node);

/* Adds nodes at the ends of a tree's paths from a node, the most promising first: up to `most` of them, apart from each
 * other, and those on the way.  Returns the number of ends. */
int64_t gb_trip_add_ends(gb_trip *trip, int64_t from, int64_t tree, int64_t most);

/* Tests the clips that lead to a node from the one before; where any may not be played the node counts no more. */
int gb_trip_test(gb_trip *trip, int64_t number);

/* Whether something is to be crossed soon from a place on the way of a node's leg, or moves so near that it may have to be. */
int gb_trip_has_to_cross(const gb_trip *trip, const gb_trip_node *node, gb_place place);

/* Tries all clips that are there to cross something from a node, once. */
void gb_trip_cross(gb_trip *trip, int64_t number);

#endif
