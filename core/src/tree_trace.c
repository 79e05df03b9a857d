/* What a look-up did, for looking at: where its traces stopped. */
#include "tree.h"

/* A trace passed a node if the glance at its clip was well and its parent is blocked; else it stopped there. */
void gb_tree_find_stopped(const gb_tree_tables *tables, gb_tree_scratch *scratch, const gb_tree_question *question,
                          const int32_t *blocked, int64_t count, uint8_t *stopped) {
    const gb_tree *tree = tables->tree;
    const gb_tree_root root = gb_put_root(question->x, question->y, question->heading, question->frame);
    for (int64_t number = 0; number < count; number++) {
        int64_t node = blocked[number], parent = tree->nodes[node].parent;
        stopped[number] = parent == 0 || gb_clip_of_node(tables, node) < 0 || scratch->stamp[parent] != scratch->number ||
                          !gb_edge_may_be_free(tables, &root, node, gb_place_of_node(tree, &root, parent),
                                               gb_place_of_node(tree, &root, node), &scratch->counts.samples);
    }
}

int32_t gb_tree_edge_is_free(const gb_tree_tables *tables, const gb_tree_question *question, int64_t node,
                             int64_t *samples) {
    const gb_tree_root root = gb_put_root(question->x, question->y, question->heading, question->frame);
    return gb_clip_of_node(tables, node) >= 0 && gb_edge_is_free(tables, &root, node, samples);
}
