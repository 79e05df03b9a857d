/* Coarse maps: where a point is, and the shortest ways to a place. */
#include "numbers.h"

int64_t gb_coarse_place_at(const gb_coarse *coarse, double x, double y, double reach) {
    double u = gb_floor((x - coarse->x0) / coarse->fine_m), v = gb_floor((y - coarse->y0) / coarse->fine_m);
    if (!(gb_abs(u) < 1e9 && gb_abs(v) < 1e9)) return -1;
    int64_t row = (int64_t)v, column = (int64_t)u, around = (int64_t)gb_ceil(reach / coarse->fine_m);
    if (row >= 0 && column >= 0 && row < coarse->rows && column < coarse->columns) {
        int64_t place = coarse->place_of[row * coarse->columns + column];
        if (place >= 0) return place;
    }
    int64_t found = -1, nearest = INT64_MAX;
    for (int64_t r = gb_most(row - around, 0); r < gb_least(row + around + 1, coarse->rows); r++)
        for (int64_t c = gb_most(column - around, 0); c < gb_least(column + around + 1, coarse->columns); c++) {
            int64_t place = coarse->place_of[r * coarse->columns + c];
            int64_t away = (r - row) * (r - row) + (c - column) * (c - column);
            if (place >= 0 && away < nearest) {
                nearest = away;
                found = place;
            }
        }
    return found;
}

void gb_coarse_ways_begin(const gb_coarse *coarse, gb_coarse_ways *ways, int64_t source) {
    for (int64_t place = 0; place < coarse->places; place++) {
        ways->distance[place] = GB_COARSE_FAR;
        ways->onward[place] = -1;
    }
    for (int64_t bucket = 0; bucket < ways->bucket_count; bucket++) ways->buckets[bucket] = -1;
    ways->distance[source] = 0;
    ways->waiting[0] = (int32_t)source;
    ways->after[0] = -1;
    ways->buckets[0] = 0;
    ways->level = 0;
    ways->entries = ways->left = 1;
}

/* Comes to the neighbours of a place that is settled. */
static void relax(const gb_coarse *coarse, gb_coarse_ways *ways, int64_t place) {
    for (int64_t way = coarse->first_way[place]; way < coarse->first_way[place + 1]; way++) {
        int64_t neighbour = coarse->to[way];
        int64_t reached = ways->level + ways->cost[way] + (ways->extra ? ways->extra[neighbour] : 0);
        if (reached >= ways->distance[neighbour]) continue;
        ways->distance[neighbour] = (int32_t)reached;
        ways->onward[neighbour] = (int32_t)place;
        int32_t *bucket = ways->buckets + (reached & (ways->bucket_count - 1));
        ways->waiting[ways->entries] = (int32_t)neighbour;
        ways->after[ways->entries] = *bucket;
        *bucket = (int32_t)ways->entries++;
        ways->left++;
    }
}

/* Dijkstra's algorithm; places wait in buckets, one for each cost [R. Dial, 1969]. */
void gb_coarse_ways_spread(const gb_coarse *coarse, gb_coarse_ways *ways, int64_t place) {
    if (place >= 0 && ways->distance[place] < ways->level) return; /* settled already */
    for (; ways->left > 0; ways->level++) {
        int32_t *bucket = ways->buckets + (ways->level & (ways->bucket_count - 1));
        while (*bucket >= 0) {
            int64_t settled = ways->waiting[*bucket];
            *bucket = ways->after[*bucket];
            ways->left--;
            if (ways->distance[settled] == ways->level) relax(coarse, ways, settled); /* else a shorter way came up */
        }
        if (place >= 0 && ways->distance[place] == ways->level) {
            ways->level++;
            return;
        }
    }
}
