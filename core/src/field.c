/* Spread distances from a goal over a grid of open and closed cells, towards where they are asked for.
 *
 * A* from the goal over the corners, the straight way to `aim` as its estimate [Hart, Nilsson and Raphael]; it is stopped when
 * the corner that is asked for is settled, and goes on from there when the next one is [Silver's resumable search].  So a
 * field is worked out around the ways that are looked at, and what it says of a corner is what a whole one would say.
 *
 * Of equally short ways the one is taken that goes across first [canonical orderings, Sturtevant and Rabin]: a way that comes along
 * goes on along, one that comes across goes on across or along to both sides, and only closed cells beside it let it turn
 * otherwise.  No corner loses its shortest way by that: if a corner n is not reached across from c, into which the way comes
 * along from p, the cell beside is open, so n is as near over the corner across from p, and from there n is reached along;
 * steps along are left out only where a step across is shorter. */
#include "field.h"

#include "closed.h"

#define BUCKETS GB_FIELD_BUCKETS
#define WAYS 8                /* directions, counter-clockwise from the one along a row; odd ones go across a cell */
#define SOURCE (WAYS + 1)     /* the origin of what nothing leads to */
#define FLOODED (1 << GB_LABEL_BITS) /* a label that says only: looked at by shut_in */
#define FIRST_LOOK 1024       /* corners that are settled before a pocket is looked for */
#define LOOK_WIDER 4          /* times as many each time */
#define NONE (-1)

static const int8_t ROWS[WAYS] = {0, 1, 1, 1, 0, -1, -1, -1};
static const int8_t COLUMNS[WAYS] = {1, 1, 0, -1, -1, -1, 0, 1};

/* Cells around a corner: bit 0 the one ahead along both rows and columns, then counter-clockwise. */
static const int8_t CELL_ROWS[4] = {0, 0, -1, -1};
static const int8_t CELL_COLUMNS[4] = {0, -1, -1, 0};

static int64_t row_of(const gb_field *field, int32_t corner) { return corner >> field->shift; }
static int64_t column_of(const gb_field *field, int32_t corner) { return corner & (((int64_t)1 << field->shift) - 1); }

/* Which of the four cells around a corner are open. */
static int cells_around(const gb_closed_cells *cells, int64_t row, int64_t column) {
    int open = 0;
    if (row > 0 && column > 0 && row < cells->rows && column < cells->columns)
        return (gb_is_closed(cells, row, column) ? 0 : 1) | (gb_is_closed(cells, row, column - 1) ? 0 : 2) |
               (gb_is_closed(cells, row - 1, column - 1) ? 0 : 4) | (gb_is_closed(cells, row - 1, column) ? 0 : 8);
    for (int number = 0; number < 4; number++) {
        int64_t r = row + CELL_ROWS[number], c = column + CELL_COLUMNS[number];
        if (r >= 0 && c >= 0 && r < cells->rows && c < cells->columns && !gb_is_closed(cells, r, c))
            open |= 1 << number;
    }
    return open;
}

/* Whether one can go in a direction from a corner with some open cells around it. */
static int is_way_open(int way, int open) {
    if (way & 1) return open >> (way / 2) & 1;                   /* across the cell */
    return (open >> (way / 2) & 1) | (open >> (way / 2 + 3) % 4 & 1); /* along either of two */
}

/* Whether a way that comes in a direction goes on in another: see above. */
static int goes_on(int came, int way, int open) {
    int turn = (way - came + WAYS) % WAYS;
    if (came & 1) return turn == 0 || turn == 1 || turn == WAYS - 1;
    if (turn == 1 || turn == 2) return !(open >> (came / 2 + 1) % 4 & 1); /* the cell beside, on the left */
    if (turn == WAYS - 1 || turn == WAYS - 2) return !(open >> (came / 2 + 2) % 4 & 1);
    return turn == 0;
}

/* Lists by origin and open cells in which directions ways go on, a bit each. */
static void list_ways(gb_field *field) {
    for (int origin = 0; origin <= SOURCE; origin++)
        for (int open = 0; open < 16; open++) {
            int onward = 0;
            for (int way = 0; way < WAYS; way++)
                if (is_way_open(way, open) && (origin == 0 || origin == SOURCE || goes_on(origin - 1, way, open)))
                    onward |= 1 << way;
            field->onward[origin * 16 + open] = (uint8_t)onward;
        }
}

static int64_t estimate_of(const gb_field *field, int32_t corner) {
    int64_t to_aim = gb_field_between(row_of(field, corner) - field->aimed_row, column_of(field, corner) - field->aimed_column);
    return (field->labels[corner] >> GB_LABEL_BITS) + to_aim;
}

/* Puts an entry into the bucket of its estimate, or into the last one if that is far ahead. */
static void link_entry(gb_field *field, int32_t entry, int64_t estimate) {
    int64_t farthest = field->level + BUCKETS - 1;
    if (estimate > farthest) estimate = field->mixed = farthest;
    int32_t *bucket = field->buckets + (estimate & (BUCKETS - 1));
    field->queue[entry].next = *bucket;
    *bucket = entry;
    field->waiting++;
}

/* Lets a corner wait; there is room. */
static void push(gb_field *field, int32_t corner, int64_t estimate) {
    int32_t entry = field->unused;
    if (entry == NONE) entry = (int32_t)field->used++;
    else field->unused = field->queue[entry].next;
    field->queue[entry].corner = corner;
    link_entry(field, entry, estimate);
}

/* Puts the first `used` entries, which are in no bucket, into those of their estimates. */
static void link_all(gb_field *field) {
    int64_t least = INT64_MAX;
    field->aimed_row = field->aim_row;
    field->aimed_column = field->aim_column;
    for (int64_t entry = 0; entry < field->used; entry++)
        least = gb_least(least, estimate_of(field, field->queue[entry].corner));
    for (int bucket = 0; bucket < BUCKETS; bucket++) field->buckets[bucket] = NONE;
    field->unused = NONE;
    field->waiting = 0;
    field->level = field->mixed = least;
    for (int32_t entry = 0; entry < (int32_t)field->used; entry++)
        link_entry(field, entry, estimate_of(field, field->queue[entry].corner));
}

/* Puts all that waits into the queue anew, once each: towards another aim, or to have room. */
static void sort_anew(gb_field *field) {
    const gb_closed_cells *cells = field->cells;
    field->used = 0;
    for (int64_t row = 0; row <= cells->rows; row++)
        for (int64_t column = 0; column <= cells->columns; column++) {
            int64_t corner = (row << field->shift) + column;
            if (field->labels[corner] != 0 && !(field->labels[corner] & GB_LABEL_SETTLED))
                field->queue[field->used++].corner = (int32_t)corner;
        }
    link_all(field);
}

/* Reaches the neighbours of a corner. */
static void go_on(gb_field *field, int32_t corner, int64_t row, int64_t column) {
    int32_t label = field->labels[corner], distance = label >> GB_LABEL_BITS;
    uint32_t onward = field->onward[(label & GB_LABEL_ORIGIN) * 16 + cells_around(field->cells, row, column)];
    for (; onward; onward &= onward - 1) {
        int way = gb_first_bit(onward);
        int64_t next_row = row + ROWS[way], next_column = column + COLUMNS[way];
        int64_t next = (next_row << field->shift) + next_column;
        int32_t reached = distance + (way & 1 ? GB_FIELD_ACROSS : GB_FIELD_ALONG), known = field->labels[next];
        if (known != 0 && known >> GB_LABEL_BITS <= reached) continue;
        field->labels[next] = (reached << GB_LABEL_BITS) | (way + 1);
        push(field, (int32_t)next, reached + gb_field_between(next_row - field->aimed_row, next_column - field->aimed_column));
    }
}

/* Settles the next corner; returns 0 where none waits any more. */
static int settle_next(gb_field *field) {
    if (field->waiting + WAYS > field->room) sort_anew(field);
    while (field->waiting > 0) {
        int32_t *bucket = field->buckets + (field->level & (BUCKETS - 1)), entry = *bucket;
        if (entry == NONE) {
            field->level++;
            continue;
        }
        int32_t corner = field->queue[entry].corner;
        *bucket = field->queue[entry].next;
        field->queue[entry].next = field->unused;
        field->unused = entry;
        field->waiting--;
        if (field->labels[corner] & GB_LABEL_SETTLED) continue; /* a nearer way was found since */
        if (field->level <= field->mixed) { /* it may have been far ahead */
            int64_t estimate = estimate_of(field, corner);
            if (estimate > field->level) {
                push(field, corner, estimate);
                continue;
            }
        }
        go_on(field, corner, row_of(field, corner), column_of(field, corner));
        field->labels[corner] |= GB_LABEL_SETTLED;
        return 1;
    }
    return 0;
}

/* Looks whether a corner lies in a pocket of at most `most` corners, none of which was reached; if so, no way leads there. */
static int shut_in(gb_field *field, int32_t corner, int64_t most) {
    gb_field_entry *found = field->queue + field->used; /* entries that are free */
    int64_t count = 1, room = gb_least(most, field->room - field->used);
    int is_shut = 1;
    if (field->labels[corner] != 0 || room < 1) return 0;
    found[0].corner = corner;
    field->labels[corner] = FLOODED;
    for (int64_t at = 0; at < count && is_shut; at++) {
        int64_t row = row_of(field, found[at].corner), column = column_of(field, found[at].corner);
        uint32_t onward = field->onward[cells_around(field->cells, row, column)];
        if (count + WAYS > room) is_shut = 0;
        for (; onward && is_shut; onward &= onward - 1) {
            int way = gb_first_bit(onward);
            int64_t next = ((row + ROWS[way]) << field->shift) + column + COLUMNS[way];
            if (field->labels[next] == FLOODED) continue;
            if (field->labels[next] != 0) is_shut = 0;
            else {
                field->labels[next] = FLOODED;
                found[count++].corner = (int32_t)next;
            }
        }
    }
    for (int64_t at = 0; at < count; at++) field->labels[found[at].corner] = is_shut ? GB_LABEL_SHUT : 0;
    return is_shut;
}

/* Spreads a field until a corner is settled. */
static void settle(gb_field *field, int32_t corner) {
    if (field->labels[corner] & GB_LABEL_SETTLED) return;
    if (field->aim_row != field->aimed_row || field->aim_column != field->aimed_column) sort_anew(field);
    for (int64_t most = FIRST_LOOK;; most *= LOOK_WIDER) {
        for (int64_t settled = 0; settled < most; settled++) {
            if (!settle_next(field)) {
                field->labels[corner] = GB_LABEL_SHUT;
                return;
            }
            if (field->labels[corner] & GB_LABEL_SETTLED) return;
        }
        if (shut_in(field, corner, most)) return;
    }
}

/* Sets all corners of open cells that a disc reaches into: no way ends before them. */
static void set_sources(gb_field *field, double x, double y, double within_m) {
    const gb_closed_cells *cells = field->cells;
    gb_touched touched = gb_cells_touched(cells, x, y, within_m);
    for (int64_t row = touched.bottom; row < touched.top; row++)
        for (int64_t column = touched.left; column < touched.right; column++) {
            if (!gb_is_open_in_disc(cells, row, column, x, y, within_m)) continue;
            for (int number = 0; number < 4; number++) {
                int64_t corner = ((row + number / 2) << field->shift) + column + number % 2;
                if (field->labels[corner] != 0) continue;
                field->labels[corner] = SOURCE;
                field->queue[field->used++].corner = (int32_t)corner;
            }
        }
}

void gb_field_begin(gb_field *field, double x, double y, double within_m) {
    field->used = 0;
    list_ways(field);
    set_sources(field, x, y, within_m);
    link_all(field);
}

void gb_field_aim(gb_field *field, double x, double y) {
    const gb_closed_cells *cells = field->cells;
    double column = (x - cells->x0) / cells->cell_m + 0.5, row = (y - cells->y0) / cells->cell_m + 0.5;
    field->aim_column = (int64_t)gb_min(gb_max(column, 0.0), (double)cells->columns);
    field->aim_row = (int64_t)gb_min(gb_max(row, 0.0), (double)cells->rows);
}

int64_t gb_field_distance(gb_field *field, int64_t row, int64_t column) {
    int64_t corner = (row << field->shift) + column;
    settle(field, (int32_t)corner);
    int32_t label = field->labels[corner];
    if (label == GB_LABEL_SHUT) return GB_NOTHING;
    return label >> GB_LABEL_BITS;
}

double gb_way_left(gb_field *field, double u, double v) {
    int is_sure;
    double left = gb_way_at_least(field, u, v, &is_sure);
    if (is_sure) return left;
    int64_t corner = ((int64_t)v << field->shift) + (int64_t)u;
    for (int number = 0; number < 4; number++)
        settle(field, (int32_t)(corner + ((int64_t)(number >> 1) << field->shift) + (number & 1)));
    return gb_way_at_least(field, u, v, &is_sure);
}

double gb_field_way_left(gb_field *field, double u, double v) { return gb_way_left(field, u, v); }

double gb_field_way_at_least(const gb_field *field, double u, double v, int32_t *is_sure) {
    int sure;
    double left = gb_way_at_least(field, u, v, &sure);
    *is_sure = sure;
    return left;
}
