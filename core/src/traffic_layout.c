/* Lay out what moves: where a mover is over short stretches of time, and which cells of space and time it comes near. */
#include "cells.h"
#include "movers.h"

#define MOST_CELLS 4096 /* what covers more in one block is everywhere */

/* ---- Movers ---- */

/* The first keyframe later than a time, or the number of keyframes. */
static int64_t key_after(const gb_trajectory *trajectory, double time) {
    int64_t low = 0, high = trajectory->count;
    while (low < high) {
        int64_t middle = (low + high) / 2;
        if (trajectory->times[middle] <= time) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* x, y, heading, bottom and top at a time. */
static void pose_at(const gb_trajectory *trajectory, double time, double *pose) {
    int64_t high = gb_least(key_after(trajectory, time), trajectory->count - 1), low = gb_most(high - 1, 0);
    double span = trajectory->times[high] - trajectory->times[low];
    double share = span > 0.0 ? gb_min(gb_max((time - trajectory->times[low]) / span, 0.0), 1.0) : 0.0;
    double rest = 1.0 - share;
    for (int column = 0; column < 3; column++)
        pose[column] = rest * trajectory->poses[3 * low + column] + share * trajectory->poses[3 * high + column];
    for (int column = 0; column < 2; column++)
        pose[3 + column] = rest * trajectory->heights[2 * low + column] + share * trajectory->heights[2 * high + column];
}

/* Between keyframes all changes are linear and the distance from the middle is convex, so that the farthest is at a keyframe
 * or an end. */
static void place_stretch(const gb_trajectory *trajectory, double first, double middle, double last, double *placed) {
    double other[5], away = 0.0, turned = 0.0, time = first;
    int64_t key = key_after(trajectory, first);
    pose_at(trajectory, middle, placed);
    for (;;) {
        pose_at(trajectory, time, other);
        away = gb_max(away, gb_hypot(other[0] - placed[0], other[1] - placed[1]));
        turned = gb_max(turned, gb_abs(other[2] - placed[2]));
        placed[3] = gb_min(placed[3], other[3]);
        placed[4] = gb_max(placed[4], other[4]);
        if (time >= last) break;
        time = key < trajectory->count && trajectory->times[key] < last ? trajectory->times[key++] : last;
    }
    placed[5] = away + trajectory->reach * gb_min(turned, 2.0);
}

void gb_traffic_place_stretches(const gb_trajectory *trajectory, const double *first, const double *middle,
                                const double *last, int64_t count, double *placed) {
    for (int64_t number = 0; number < count; number++)
        place_stretch(trajectory, first[number], middle[number], last[number], placed + 6 * number);
}

/* ---- Cells ---- */

/* Whether the grown circle of any record from first to last - 1 meets a cell; the outermost cells have no end. */
int gb_comes_near(const double *records, int64_t first, int64_t last, int64_t column, int64_t row,
                  const gb_cell_level *level) {
    int outermost = column >= GB_FARTHEST - 1 || -column >= GB_FARTHEST - 1 || row >= GB_FARTHEST - 1 ||
                    -row >= GB_FARTHEST - 1;
    for (int64_t number = first; number < last; number++) {
        const double *record = records + number * GB_RECORD_COLUMNS;
        double x = record[0], y = record[1], reach = record[2] + level->growth, cell = level->cell_m;
        double beside_x = gb_max(gb_max((double)column * cell - x, x - (double)(column + 1) * cell), 0.0);
        double beside_y = gb_max(gb_max((double)row * cell - y, y - (double)(row + 1) * cell), 0.0);
        if (outermost || beside_x * beside_x + beside_y * beside_y <= reach * reach * (1.0 + 1e-12)) return 1;
    }
    return 0;
}

/* The cells around some records: first column, first row, last column, last row. */
static void cells_around(const double *records, int64_t first, int64_t last, const gb_cell_level *level, int64_t *box) {
    double low_x = INFINITY, low_y = INFINITY, high_x = -INFINITY, high_y = -INFINITY;
    for (int64_t number = first; number < last; number++) {
        const double *record = records + number * GB_RECORD_COLUMNS;
        double reach = record[2] + level->growth;
        low_x = gb_min(low_x, record[0] - reach);
        low_y = gb_min(low_y, record[1] - reach);
        high_x = gb_max(high_x, record[0] + reach);
        high_y = gb_max(high_y, record[1] + reach);
    }
    box[0] = gb_cell_of(low_x, level->cell_m);
    box[1] = gb_cell_of(low_y, level->cell_m);
    box[2] = gb_cell_of(high_x, level->cell_m);
    box[3] = gb_cell_of(high_y, level->cell_m);
}

int64_t gb_traffic_touched_cells(const double *records, const int64_t *slots, int64_t slot_count, int64_t first_frame,
                                 const gb_cell_level *level, int64_t *keys, int64_t room) {
    int64_t count = 0;
    for (int64_t slot = 0, end; slot < slot_count; slot = end) {
        int64_t block = GB_RESTING, box[4];
        end = slot_count;
        if (first_frame != GB_RESTING) {
            block = (first_frame + slot) / level->block_frames;
            end = gb_least((block + 1) * level->block_frames - first_frame, end);
        }
        int64_t first = slots[2 * slot], last = slots[2 * (end - 1) + 1];
        cells_around(records, first, last, level, box);
        if ((box[2] - box[0] + 1) * (box[3] - box[1] + 1) > MOST_CELLS) {
            if (count < room) keys[count] = gb_pack_cell(block, GB_EVERYWHERE, GB_EVERYWHERE);
            count++;
            continue;
        }
        for (int64_t column = box[0]; column <= box[2]; column++)
            for (int64_t row = box[1]; row <= box[3]; row++)
                if (gb_comes_near(records, first, last, column, row, level)) {
                    if (count < room) keys[count] = gb_pack_cell(block, column, row);
                    count++;
                }
    }
    return count;
}

void gb_traffic_enter_thing(int64_t *cells, int64_t cell_rows, int64_t *entries, int64_t first_entry,
                            const int64_t *keys, int64_t count, int64_t thing) {
    for (int64_t number = 0; number < count; number++) {
        int64_t *cell = cells + 2 * gb_find_row(cells, cell_rows, 2, keys[number]);
        int64_t entry = first_entry + number;
        entries[2 * entry] = thing;
        entries[2 * entry + 1] = cell[0] != GB_FREE ? cell[1] : -1;
        cell[0] = keys[number];
        cell[1] = entry;
    }
}

void gb_traffic_enter_marks(int64_t *marks, int64_t mark_rows, const int64_t *keys, int64_t count, int64_t rests_after,
                            int64_t rests_before) {
    for (int64_t number = 0; number < count; number++) {
        int64_t *mark = marks + 3 * gb_find_row(marks, mark_rows, 3, keys[number]);
        if (mark[0] == GB_FREE) {
            mark[0] = keys[number];
            mark[1] = rests_after;
            mark[2] = rests_before;
        } else {
            mark[1] = gb_least(mark[1], rests_after);
            mark[2] = gb_most(mark[2], rests_before);
        }
    }
}

void gb_traffic_rehash(const int64_t *table, int64_t rows, int64_t columns, int64_t *larger, int64_t larger_rows) {
    for (int64_t number = 0; number < rows; number++) {
        const int64_t *row = table + number * columns;
        if (row[0] == GB_FREE) continue;
        int64_t *to = larger + columns * gb_find_row(larger, larger_rows, columns, row[0]);
        for (int64_t column = 0; column < columns; column++) to[column] = row[column];
    }
}

int64_t gb_traffic_cell_key(int64_t block, int64_t column, int64_t row) { return gb_pack_cell(block, column, row); }
