/* Lay a world out, square by square: how much room there is around each cell, and which pieces are near each bin. */
#include "world.h"

#define BLOCK 8       /* cells: side of a block, whose cells share a shortlist of pieces */
#define ROUNDING 1e-9 /* metres: more than the rounding of distances */
#define ROOM_MOST (GB_ROOM_MOST * GB_ROOM_STEP) /* metres: more room is not told apart */

static double side_of(const gb_world *world) { return GB_SQUARE_BINS * world->bins.bin_m; }

/* Rows or columns that an interval meets, of `count` that are `size` wide: first, and one past the last. */
static void strips(double least, double greatest, double start, double size, int64_t count, int64_t *first, int64_t *end) {
    *first = (int64_t)gb_min(gb_max(0.0, gb_floor((least - start) / size)), (double)count);
    *end = (int64_t)gb_min(gb_max(0.0, gb_floor((greatest - start) / size) + 1.0), (double)count);
}

/* What a box, widened by a reach, meets of a grid: first row and column, and one past the last ones. */
static void cells_around(const double *box, double reach, const gb_world *world, double size, int64_t rows,
                         int64_t columns, int64_t *window) {
    strips(box[1] - reach, box[3] + reach, world->room.y0, size, rows, window, window + 2);
    strips(box[0] - reach, box[2] + reach, world->room.x0, size, columns, window + 1, window + 3);
}

int64_t gb_squares_list(gb_world *world, int32_t *first_entry, int32_t *piece, int64_t room) {
    gb_squares *squares = &world->squares;
    int64_t count = squares->rows * squares->columns, window[4], sum = 0;
    for (int64_t square = 0; square <= count; square++) first_entry[square] = 0;
    for (int pass = 0; pass < 2; pass++) { /* counts, then enters */
        for (int64_t number = 0; number < world->pieces.count; number++) {
            cells_around(world->pieces.boxes + 4 * number, squares->reach_m, world, side_of(world), squares->rows,
                         squares->columns, window);
            for (int64_t row = window[0]; row < window[2]; row++)
                for (int64_t column = window[1]; column < window[3]; column++) {
                    int32_t *entry = first_entry + row * squares->columns + column;
                    if (pass == 1 && *entry < room) piece[*entry] = (int32_t)number;
                    ++*entry;
                }
        }
        if (pass == 1) break;
        squares->longest = 0;
        for (int64_t square = 0; square < count; square++) {
            int32_t listed = first_entry[square];
            squares->longest = gb_most(squares->longest, listed);
            first_entry[square] = (int32_t)sum;
            sum += listed;
        }
        first_entry[count] = (int32_t)sum;
    }
    for (int64_t square = count - 1; square > 0; square--) first_entry[square] = first_entry[square - 1];
    first_entry[0] = 0;
    return sum;
}

int64_t gb_bins_room(const gb_world *world) {
    const gb_bins *bins = &world->bins;
    int64_t pairs = 0, window[4];
    for (int64_t piece = 0; piece < world->pieces.count; piece++) {
        cells_around(world->pieces.boxes + 4 * piece, bins->reach_m, world, bins->bin_m, bins->rows, bins->columns, window);
        pairs += gb_most(window[2] - window[0], 0) * gb_most(window[3] - window[1], 0);
    }
    return pairs + gb_least(pairs, bins->rows * bins->columns) + 2;
}

/* The pieces of a square. */
typedef struct list {
    const int32_t *piece;
    int64_t count;
} list;

static list pieces_of(const gb_world *world, int64_t square) {
    const int32_t *first = world->squares.first_entry + square;
    list pieces = {world->squares.piece + first[0], first[1] - first[0]};
    return pieces;
}

/* The square of the distance from a point to the box of a piece, which no point of the piece is nearer than. */
static double box_squared(const gb_pieces *pieces, int64_t piece, double x, double y) {
    const double *box = pieces->boxes + 4 * piece;
    double aside = gb_max(gb_max(box[0] - x, x - box[2]), 0.0), along = gb_max(gb_max(box[1] - y, y - box[3]), 0.0);
    return aside * aside + along * along;
}

/* The distance to a piece, or infinity where its box is farther away than some metres. */
static double distance_within(const gb_pieces *pieces, int64_t piece, double x, double y, double most) {
    if (box_squared(pieces, piece, x, y) > most * most) return INFINITY;
    return gb_piece_distance(pieces, piece, x, y);
}

/* Those that may be nearest to a point within reach of (x, y).  The distance to a piece changes by at most the way from point
 * to point: so the piece nearest to another point is at (x, y) at most twice the reach farther than the nearest one there. */
static list shortlist(const gb_world *world, list pieces, double x, double y, double reach) {
    const gb_squares *squares = &world->squares;
    double nearest = INFINITY;
    list chosen = {squares->scratch, 0};
    for (int64_t index = 0; index < pieces.count; index++) {
        double most = gb_max(nearest, 0.0) + 2.0 * reach + 2.0 * ROUNDING;
        squares->distances[index] = distance_within(&world->pieces, pieces.piece[index], x, y, most);
        nearest = gb_min(nearest, squares->distances[index]);
    }
    for (int64_t index = 0; index < pieces.count; index++)
        if (squares->distances[index] <= nearest + 2.0 * reach + ROUNDING)
            squares->scratch[chosen.count++] = pieces.piece[index];
    return chosen;
}

static uint8_t steps_of(double metres) {
    double steps = (metres - ROUNDING) / GB_ROOM_STEP;
    return (uint8_t)(steps < 0.0 ? 1 : steps >= GB_ROOM_MOST - 1.0 ? GB_ROOM_MOST : 1 + (int)steps);
}

static void fill_block(gb_world *world, list nearby, int64_t row, int64_t column, int64_t end_row, int64_t end_column) {
    const gb_room *room = &world->room;
    int64_t last = 0; /* what was nearest to the cell before most likely is to the next */
    for (int64_t j = row; j < end_row; j++)
        for (int64_t i = column; i < end_column; i++) {
            double x = room->x0 + ((double)i + 0.5) * room->cell_m, y = room->y0 + ((double)j + 0.5) * room->cell_m;
            double nearest = gb_min(gb_room_inside(world->bounds, x, y), ROOM_MOST + ROUNDING);
            int64_t first = last;
            for (int64_t number = 0; number < nearby.count && nearest > 0.0; number++) {
                int64_t index = number == 0 ? first : number <= first ? number - 1 : number;
                double away = distance_within(&world->pieces, nearby.piece[index], x, y, nearest + ROUNDING);
                if (away >= nearest) continue;
                nearest = away;
                last = index;
            }
            room->steps[j * room->columns + i] = steps_of(nearest);
        }
}

/* The first row or column of cells whose middles lie in a row or column of squares, or past it. */
static int64_t first_cell(const gb_world *world, int64_t strip, int64_t strips_in_all, int64_t cells) {
    if (strip >= strips_in_all) return cells;
    return (int64_t)gb_min(gb_max(gb_ceil((double)strip * side_of(world) / world->room.cell_m - 0.5), 0.0), (double)cells);
}

static void lay_out_room(gb_world *world, int64_t square_row, int64_t square_column) {
    const gb_squares *squares = &world->squares;
    const gb_room *room = &world->room;
    list pieces = pieces_of(world, square_row * squares->columns + square_column);
    int64_t first_row = first_cell(world, square_row, squares->rows, room->rows);
    int64_t end_row = first_cell(world, square_row + 1, squares->rows, room->rows);
    int64_t first_column = first_cell(world, square_column, squares->columns, room->columns);
    int64_t end_column = first_cell(world, square_column + 1, squares->columns, room->columns);
    double reach = 0.5 * sqrt(2.0) * BLOCK * room->cell_m;
    for (int64_t row = first_row; row < end_row; row += BLOCK)
        for (int64_t column = first_column; column < end_column; column += BLOCK) {
            double x = room->x0 + ((double)column + 0.5 * BLOCK) * room->cell_m;
            double y = room->y0 + ((double)row + 0.5 * BLOCK) * room->cell_m;
            fill_block(world, shortlist(world, pieces, x, y, reach), row, column, gb_least(row + BLOCK, end_row),
                       gb_least(column + BLOCK, end_column));
        }
}

/* A lower bound of the distance from any point of a bin to a piece: no point is farther from its middle than half a diagonal. */
static double gap_to(const gb_world *world, int64_t bin, int64_t piece) {
    const gb_bins *bins = &world->bins;
    double x = world->room.x0 + ((double)(bin % bins->columns) + 0.5) * bins->bin_m;
    double y = world->room.y0 + ((double)(bin / bins->columns) + 0.5) * bins->bin_m;
    return gb_piece_distance(&world->pieces, piece, x, y) - sqrt(0.5) * bins->bin_m - ROUNDING;
}

/* Puts a piece into the list of a bin that begins at an entry, after those that are as near; it has `count` so far. */
static void enter(gb_world *world, int64_t first, int64_t count, int32_t piece, double gap) {
    gb_bin_entry *entries = world->bins.entries + first;
    int64_t at = count;
    for (; at > 0 && entries[at - 1].gap > gap; at--) entries[at] = entries[at - 1];
    entries[at].gap = gap;
    entries[at].bottom = world->pieces.bottom[piece];
    entries[at].top = world->pieces.top[piece];
    entries[at].piece = piece;
    entries[at].obstacle = world->pieces.obstacle[piece];
}

static void end_list(gb_bins *bins, int64_t at) {
    gb_bin_entry end = {INFINITY, 0.0, 0.0, GB_NOTHING, GB_NOTHING};
    bins->entries[at] = end;
}

/* Lists the pieces of a square by bin: counts them, then enters them, and shows the lists when all are whole, as somebody else
 * may be looking. */
static void lay_out_bins(gb_world *world, int64_t square_row, int64_t square_column) {
    gb_bins *bins = &world->bins;
    list pieces = pieces_of(world, square_row * world->squares.columns + square_column);
    int64_t first_row = square_row * GB_SQUARE_BINS, end_row = gb_least(first_row + GB_SQUARE_BINS, bins->rows);
    int64_t first_column = square_column * GB_SQUARE_BINS, window[4];
    int64_t end_column = gb_least(first_column + GB_SQUARE_BINS, bins->columns);
    int32_t counts[GB_SQUARE_BINS * GB_SQUARE_BINS] = {0}, firsts[GB_SQUARE_BINS * GB_SQUARE_BINS];
    for (int pass = 0; pass < 2; pass++) {
        for (int64_t index = 0; index < pieces.count; index++) {
            int32_t piece = pieces.piece[index];
            cells_around(world->pieces.boxes + 4 * piece, bins->reach_m, world, bins->bin_m, bins->rows, bins->columns,
                         window);
            for (int64_t row = gb_most(window[0], first_row); row < gb_least(window[2], end_row); row++)
                for (int64_t column = gb_most(window[1], first_column); column < gb_least(window[3], end_column); column++) {
                    int64_t own = (row - first_row) * GB_SQUARE_BINS + column - first_column;
                    double gap = gap_to(world, row * bins->columns + column, piece);
                    if (gap > bins->reach_m) continue;
                    if (pass == 1) enter(world, firsts[own], counts[own], piece, gap);
                    counts[own]++;
                }
        }
        for (int64_t own = 0; pass == 0 && own < GB_SQUARE_BINS * GB_SQUARE_BINS; own++) {
            firsts[own] = counts[own] ? (int32_t)bins->count : 1;
            if (!counts[own]) continue;
            end_list(bins, bins->count + counts[own]);
            bins->count += counts[own] + 1;
            counts[own] = 0;
        }
    }
    GB_SHOW();
    for (int64_t row = first_row; row < end_row; row++)
        for (int64_t column = first_column; column < end_column; column++)
            bins->first_entry[row * bins->columns + column] =
                firsts[(row - first_row) * GB_SQUARE_BINS + column - first_column];
}

void gb_world_prepare(gb_world *world, double least_x, double least_y, double greatest_x, double greatest_y) {
    gb_squares *squares = &world->squares;
    double box[4] = {least_x, least_y, greatest_x, greatest_y};
    int64_t window[4];
    if (world->bins.count == 0) { /* entry 0 stands for what is not known, entry 1 for all lists without any piece */
        end_list(&world->bins, 0);
        end_list(&world->bins, 1);
        world->bins.count = 2;
    }
    cells_around(box, 0.0, world, side_of(world), squares->rows, squares->columns, window);
    for (int64_t row = window[0]; row < window[2]; row++)
        for (int64_t column = window[1]; column < window[3]; column++) {
            uint8_t *is_known = squares->is_known + row * squares->columns + column;
            if (*is_known) continue;
            lay_out_room(world, row, column);
            lay_out_bins(world, row, column);
            *is_known = 1;
        }
}

int32_t gb_world_is_laid_out(const gb_world *world, double least_x, double least_y, double greatest_x, double greatest_y) {
    const gb_squares *squares = &world->squares;
    double box[4] = {least_x, least_y, greatest_x, greatest_y};
    int64_t window[4];
    cells_around(box, 0.0, world, side_of(world), squares->rows, squares->columns, window);
    for (int64_t row = window[0]; row < window[2]; row++)
        for (int64_t column = window[1]; column < window[3]; column++)
            if (!squares->is_known[row * squares->columns + column]) return 0;
    return 1;
}

void gb_world_prepare_around(gb_world *world, const double *poses, int64_t count, double reach) {
    for (const double *pose = poses; pose < poses + 3 * count; pose += 3)
        gb_world_prepare(world, pose[0] - reach, pose[1] - reach, pose[0] + reach, pose[1] + reach);
}
