/* The look-up [LK06 4.3, L09 algorithm 3]: from the nodes at the goal, the cheapest first, back to the root.
 *
 * The tree is not moved and the world is not copied: a node's place is looked up in the world's own grids.  A trace looks at
 * two instants of each clip, its middle and its end; what reaches the root is then tested whole, from the root on.  What a
 * question learns of a node (all up to it is free; it cannot be reached) is stamped with the question's number, so that no
 * node is looked at twice and nothing need be reset. */
#include "tree.h"
#include "tree_candidates.h"

#include <string.h>

/* What a node's stamp says, added to a question's number: it cannot be reached, it can, or a glance at its clip was well. */
enum { BLOCKED, REACHED, GLANCED, STAMPS };

#define LAST_NUMBER (255 - GLANCED)
#define PATIENCE 16 /* candidates that fail before one looks whether anything may be played at the start at all */

int64_t gb_tree_list_room(const gb_tree *tree, double tolerance) {
    double reach = gb_max(0.5 * (tree->grid.overlap_m - tree->grid.cell_m), 0.5 * tree->grid.cell_m);
    int64_t squares = (int64_t)gb_ceil(gb_min(tolerance / reach, 1e6)) + 2;
    return gb_least(squares, tree->grid.rows + 1) * gb_least(squares, tree->grid.columns + 1) * tree->grid.groups;
}

/* The number of the next question; when the bytes have been through all of them, nothing is stamped again. */
static uint8_t begin_question(const gb_tree *tree, gb_tree_scratch *scratch) {
    scratch->number += scratch->number == 0 ? 1 : STAMPS;
    if (scratch->number > LAST_NUMBER) {
        memset(scratch->stamp, 0, (size_t)tree->count);
        scratch->number = 1;
    }
    return (uint8_t)scratch->number;
}

/* Whether no cell near the goal is connected with the start's: then there is no way at all. */
static int is_shut_off(const gb_islands *islands, const gb_tree_question *question) {
    double cell = islands->cell_m, x0 = islands->x0, y0 = islands->y0, tolerance = question->tolerance;
    int64_t column = gb_cell_along(question->x, x0, cell), row = gb_cell_along(question->y, y0, cell);
    if (row < 0 || column < 0 || row >= islands->rows || column >= islands->columns) return 1;
    int32_t here = islands->island[row * islands->columns + column];
    if (here == 0) return 1;
    int64_t top = gb_least(gb_cell_along(question->goal_y + tolerance, y0, cell), islands->rows - 1);
    int64_t right = gb_least(gb_cell_along(question->goal_x + tolerance, x0, cell), islands->columns - 1);
    int64_t left = gb_most(gb_cell_along(question->goal_x - tolerance, x0, cell), 0);
    for (row = gb_most(gb_cell_along(question->goal_y - tolerance, y0, cell), 0); row <= top; row++)
        for (column = left; column <= right; column++)
            if (islands->island[row * islands->columns + column] == here) return 0;
    return 1;
}

/* Climbs from a node to the root, or to one whose stamp is not between two; puts those passed on the path.  Returns where it
 * ended. */
static int64_t climb(const gb_tree_tables *tables, gb_tree_scratch *scratch, int64_t node, int first, int last,
                     int64_t *length) {
    const int32_t *parents = tables->tree->parents;
    const uint8_t *stamp = scratch->stamp;
    int32_t *path = scratch->path;
    int64_t count = *length, room = scratch->path_room;
    for (; node != 0 && stamp[node] >= first && stamp[node] <= last && count < room; node = parents[node])
        path[count++] = (int32_t)node;
    *length = count;
    return node;
}

/* Glances at the clips of a path, from the last node put on it on; returns the number of nodes that cannot be reached. */
static int64_t glance_along(const gb_tree_tables *tables, const gb_tree_asked *asked, gb_tree_scratch *scratch,
                            const gb_tree_root *root, int64_t length, uint8_t number) {
    for (; length > 0; length--) {
        int64_t node = scratch->path[length - 1];
        const gb_tree_node *to = tables->tree->nodes + node;
        int64_t clip = tables->fit->clip_of[to->clip];
        scratch->counts.visited++;
        if (clip < 0 || (to->parent == 0 && !asked->may_begin[tables->actions->clip_behavior[clip]])) break;
        if (!gb_edge_may_be_free(tables, root, node, gb_place_from(root, to->before_x, to->before_y),
                                 gb_place_from(root, to->x, to->y), &scratch->counts.samples))
            break;
        scratch->stamp[node] = (uint8_t)(number + GLANCED);
    }
    return length;
}

/* Tests the whole clips of a path, from the last node put on it on; returns the number of nodes that cannot be reached. */
static int64_t test_along(const gb_tree_tables *tables, gb_tree_scratch *scratch, const gb_tree_root *root, int64_t length,
                          uint8_t number) {
    for (; length > 0; length--) {
        int64_t node = scratch->path[length - 1];
        scratch->counts.verified_edges++;
        if (!gb_edge_is_free(tables, root, node, &scratch->counts.samples)) break;
        scratch->stamp[node] = (uint8_t)(number + REACHED);
    }
    return length;
}

/* Whether a node can be reached.  First what nothing is known of is glanced at, from the root's side on, because more paths
 * go through what is there; then what was only glanced at is tested. */
static int is_reached(const gb_tree_tables *tables, const gb_tree_asked *asked, gb_tree_scratch *scratch,
                      const gb_tree_root *root, int64_t node, uint8_t number) {
    int64_t length = 0, blocked = 0, above = climb(tables, scratch, node, 0, number - 1, &length);
    if (above != 0 && scratch->stamp[above] == number) blocked = length;
    else blocked = glance_along(tables, asked, scratch, root, length, number);
    if (blocked == 0) {
        above = climb(tables, scratch, above, number + GLANCED, number + GLANCED, &length);
        if (above != 0 && scratch->stamp[above] == number) {
            blocked = length;
        } else {
            scratch->counts.reached_root++;
            blocked = test_along(tables, scratch, root, length, number);
        }
    }
    for (int64_t at = 0; at < blocked; at++) scratch->stamp[scratch->path[at]] = number;
    return blocked == 0;
}

/* Whether nothing may be played at the start; what is learnt of the root's children is stamped. */
static int is_hemmed_in(const gb_tree_tables *tables, const gb_tree_asked *asked, gb_tree_scratch *scratch,
                        const gb_tree_root *root, uint8_t number) {
    for (int64_t child = 0; child < tables->tree->first_count; child++) {
        int64_t node = tables->tree->first_nodes[child], clip = gb_clip_of_node(tables, node);
        if (scratch->stamp[node] == number + REACHED) return 0;
        if (scratch->stamp[node] == number || clip < 0) continue;
        if (!asked->may_begin[tables->actions->clip_behavior[clip]]) continue;
        scratch->counts.verified_edges++;
        int is_free = gb_edge_is_free(tables, root, node, &scratch->counts.samples);
        scratch->stamp[node] = (uint8_t)(is_free ? number + REACHED : number);
        if (is_free) return 0;
    }
    return 1;
}

/* Whether a node is where and as the goal says. */
static int ends_at_goal(const gb_tree_tables *tables, const gb_tree_asked *asked, const gb_tree_root *root,
                        const gb_tree_question *question, int64_t node) {
    const gb_tree_node *end = tables->tree->nodes + node;
    gb_place at = gb_place_from(root, end->x, end->y);
    double away_x = question->goal_x - at.x, away_y = question->goal_y - at.y;
    if (away_x * away_x + away_y * away_y > question->tolerance * question->tolerance) return 0;
    int64_t clip = tables->fit->clip_of[end->clip];
    if (clip < 0 || !asked->may_end[tables->actions->clip_behavior[clip]]) return 0;
    double turned = root->heading + (double)end->heading - question->goal_heading;
    turned -= GB_TURN * gb_floor(turned / GB_TURN + 0.5);
    return gb_abs(turned) <= question->goal_turn;
}

static int may_stay_at(const gb_tree_tables *tables, const gb_tree_root *root, int64_t node) {
    gb_place at = gb_place_of_node(tables->tree, root, node);
    return gb_may_stay(tables->world, tables->traffic, tables->actions, gb_clip_of_node(tables, node), at.x, at.y,
                       gb_heading_of_node(tables->tree, root, node), root->frame + tables->tree->nodes[node].frame);
}

static void answer_with(gb_tree_answer *answer, int64_t node, int64_t cost, int64_t outcome) {
    answer->node = node;
    answer->cost = cost;
    answer->outcome = outcome;
}

/* Where costs are not those that the tree was grown with, the look-up goes on until no path that is left can be cheaper. */
void gb_tree_look_up(const gb_tree_tables *tables, const gb_tree_asked *asked, gb_tree_scratch *scratch,
                     const gb_tree_question *question, gb_tree_answer *answer) {
    answer_with(answer, GB_NOTHING, 0, GB_TREE_SHUT);
    if (tables->islands->rows > 0 && is_shut_off(tables->islands, question)) return;
    const gb_tree *tree = tables->tree;
    uint8_t number = begin_question(tree, scratch);
    const gb_tree_root root = gb_put_root(question->x, question->y, question->heading, question->frame);
    double away_x = question->goal_x - root.x, away_y = question->goal_y - root.y;
    int64_t lists = gb_open_lists(tree, asked, scratch, root.cosine * away_x + root.sine * away_y,
                                  root.cosine * away_y - root.sine * away_x, question->tolerance);
    int64_t best = GB_NOTHING, least = GB_NEVER, failed = 0, node;
    while ((node = gb_next_candidate(tree, scratch, lists)) >= 0) {
        if ((double)tree->nodes[node].cost * tables->fit->least_ratio >= (double)least) break;
        if (scratch->stamp[node] == number || !ends_at_goal(tables, asked, &root, question, node)) continue;
        scratch->counts.candidates++;
        if (!is_reached(tables, asked, scratch, &root, node, number)) {
            if (++failed == PATIENCE && is_hemmed_in(tables, asked, scratch, &root, number)) {
                answer->outcome = GB_TREE_HEMMED_IN;
                return;
            }
            continue;
        }
        if (asked->stays && tables->query->has_traffic && !may_stay_at(tables, &root, node)) {
            failed++;
            continue;
        }
        if (tables->fit->costs_as_grown && !asked->has_first_cost) {
            answer_with(answer, node, tree->nodes[node].cost, GB_TREE_FOUND);
            return;
        }
        int64_t cost = gb_path_cost(tables, asked, &root, node);
        if (cost < least) {
            best = node;
            least = cost;
        }
    }
    if (best >= 0) answer_with(answer, best, least, GB_TREE_FOUND);
    else if (0 < failed && failed < PATIENCE && is_hemmed_in(tables, asked, scratch, &root, number))
        answer->outcome = GB_TREE_HEMMED_IN;
    else answer->outcome = failed > 0 ? GB_TREE_NO_PATH : GB_TREE_OUT_OF_REACH;
}

void gb_tree_look_up_many(const gb_tree_tables *tables, const gb_tree_asked *asked, gb_tree_scratch *scratch,
                          int64_t count, const double *starts, const int64_t *frames, const double *goals, int64_t *nodes,
                          int64_t *costs, int64_t *outcomes) {
    for (int64_t number = 0; number < count; number++) {
        const double *start = starts + 3 * number, *goal = goals + 5 * number;
        const gb_tree_question question = {start[0], start[1], start[2], frames[number], goal[0],
                                           goal[1],  goal[2],  goal[3],  goal[4]};
        gb_tree_answer answer;
        gb_tree_look_up(tables, asked, scratch, &question, &answer);
        nodes[number] = answer.node;
        costs[number] = answer.cost;
        outcomes[number] = answer.outcome;
    }
}
