/* Coarse maps, made: how far fine cells are from what stands, and which of them hang together. */
#include "shapes.h"

enum { MIXED, ONE_KIND, ALL_ALIKE }; /* cells of a square */

static int64_t first_cell(double place, double from, double cell, int64_t least) {
    double at = gb_floor((place - from) / cell);
    return at > (double)least ? (int64_t)gb_min(at, 1e15) : least;
}

static int64_t last_cell(double place, double from, double cell, int64_t after) {
    double at = gb_floor((place - from) / cell);
    return at < (double)after - 1.0 ? (int64_t)gb_max(at, -1e15) : after - 1;
}

void gb_coarse_approach(const gb_coarse_cells *cells, const gb_pieces *pieces, const int64_t *chosen, int64_t count,
                        double reach, const int64_t *window, double *distance, int32_t *nearest) {
    double cell = cells->cell_m;
    int64_t across = window[3] - window[1];
    for (int64_t number = 0; number < count; number++) {
        int64_t piece = chosen[number];
        const double *box = pieces->boxes + 4 * piece;
        int64_t left = first_cell(box[0] - reach, cells->x0, cell, window[1]);
        int64_t right = last_cell(box[2] + reach, cells->x0, cell, window[3]);
        int64_t bottom = first_cell(box[1] - reach, cells->y0, cell, window[0]);
        int64_t top = last_cell(box[3] + reach, cells->y0, cell, window[2]);
        for (int64_t row = bottom; row <= top; row++)
            for (int64_t column = left; column <= right; column++) {
                double x = cells->x0 + ((double)column + 0.5) * cell, y = cells->y0 + ((double)row + 0.5) * cell;
                double away = gb_piece_distance(pieces, piece, x, y);
                int64_t at = (row - window[0]) * across + column - window[1];
                if (away >= distance[at]) continue;
                distance[at] = away;
                if (nearest) nearest[at] = pieces->obstacle[piece];
            }
    }
}

void gb_coarse_tell_kinds(gb_coarse_cells *cells, const int64_t *window, double slimmest, const double *to_closed,
                          const double *to_crossing, const int32_t *nearest) {
    const double *bounds = cells->bounds;
    int64_t at = 0;
    for (int64_t row = window[0]; row < window[2]; row++) {
        double y = cells->y0 + cells->cell_m * ((double)row + 0.5);
        double inside_y = gb_min(y - bounds[1], bounds[3] - y);
        for (int64_t column = window[1]; column < window[3]; column++, at++) {
            double x = cells->x0 + cells->cell_m * ((double)column + 0.5);
            double space = gb_min(to_closed[at], gb_min(gb_min(x - bounds[0], bounds[2] - x), inside_y));
            int32_t kind = to_crossing[at] < slimmest ? nearest[at] : GB_CELL_OPEN;
            cells->room[row * cells->columns + column] = space;
            cells->kind[row * cells->columns + column] = space < slimmest ? GB_CELL_CLOSED : kind;
        }
    }
}

/* A square: its first cell, and those after the last. */
typedef struct gb_square {
    int64_t row;
    int64_t column;
    int64_t end_row;
    int64_t end_column;
} gb_square;

/* How much alike the cells of a square are: those of one kind hang together, all alike have the same room. */
static int likeness(const gb_coarse_cells *cells, const gb_square *square) {
    int64_t first = square->row * cells->columns + square->column;
    int alike = ALL_ALIKE;
    if (square->end_row - square->row < cells->block || square->end_column - square->column < cells->block) return MIXED;
    for (int64_t row = square->row; row < square->end_row; row++)
        for (int64_t at = row * cells->columns + square->column; at < row * cells->columns + square->end_column; at++) {
            if (cells->kind[at] != cells->kind[first]) return MIXED;
            if (cells->room[at] != cells->room[first]) alike = ONE_KIND;
        }
    return alike;
}

/* Where a part has most room, nearest to the square's middle among equals. */
typedef struct gb_roomiest {
    double room;
    double away; /* square of the cells from the middle */
    int64_t row;
    int64_t column;
} gb_roomiest;

static void look_at(const gb_coarse_cells *cells, const gb_square *square, int64_t row, int64_t column, gb_roomiest *best) {
    double middle = 0.5 * ((double)cells->block - 1.0), room = cells->room[row * cells->columns + column];
    double down = (double)(row - square->row) - middle, right = (double)(column - square->column) - middle;
    double away = down * down + right * right;
    if (room > best->room + 1e-9 || (room > best->room - 1e-9 && away < best->away)) {
        best->room = room;
        best->away = away;
        best->row = row;
        best->column = column;
    }
}

/* Numbers the part that hangs together with a cell; `stack` has room for the square's cells. */
static gb_roomiest fill_part(gb_coarse_cells *cells, const gb_square *square, int64_t row, int64_t column, int32_t place,
                             int32_t *stack) {
    gb_roomiest best = {-INFINITY, INFINITY, row, column};
    int64_t columns = cells->columns, across = square->end_column - square->column, size = 1;
    int32_t kind = cells->kind[row * columns + column];
    stack[0] = (int32_t)((row - square->row) * across + column - square->column);
    cells->place_of[row * columns + column] = place;
    while (size > 0) {
        int64_t at = stack[--size], r = square->row + at / across, c = square->column + at % across;
        look_at(cells, square, r, c, &best);
        for (int side = 0; side < 4; side++) {
            int64_t nr = r + (side == 0) - (side == 1), nc = c + (side == 2) - (side == 3), next = nr * columns + nc;
            if (nr < square->row || nc < square->column || nr >= square->end_row || nc >= square->end_column) continue;
            if (cells->place_of[next] >= 0 || cells->kind[next] != kind) continue;
            cells->place_of[next] = place;
            stack[size++] = (int32_t)((nr - square->row) * across + nc - square->column);
        }
    }
    return best;
}

static void add_place(gb_coarse_cells *cells, int64_t row, int64_t column) {
    if (cells->places < cells->place_room) {
        cells->row[cells->places] = (int32_t)row;
        cells->column[cells->places] = (int32_t)column;
    }
    cells->places++;
}

static void gather_square(gb_coarse_cells *cells, const gb_square *square, int32_t *stack) {
    for (int64_t row = square->row; row < square->end_row; row++)
        for (int64_t column = square->column; column < square->end_column; column++)
            cells->place_of[row * cells->columns + column] = -1;
    int alike = likeness(cells, square);
    if (alike == ALL_ALIKE && cells->block % 2 == 1 &&
        cells->kind[square->row * cells->columns + square->column] != GB_CELL_CLOSED) { /* most are, and quickly done */
        for (int64_t row = square->row; row < square->end_row; row++)
            for (int64_t column = square->column; column < square->end_column; column++)
                cells->place_of[row * cells->columns + column] = (int32_t)cells->places;
        add_place(cells, square->row + cells->block / 2, square->column + cells->block / 2);
        return;
    }
    for (int64_t row = square->row; row < square->end_row; row++)
        for (int64_t column = square->column; column < square->end_column; column++) {
            int64_t at = row * cells->columns + column;
            if (cells->kind[at] == GB_CELL_CLOSED || cells->place_of[at] >= 0) continue;
            gb_roomiest best = fill_part(cells, square, row, column, (int32_t)cells->places, stack);
            add_place(cells, best.row, best.column);
        }
}

/* Takes a square over as it was. */
static void keep_square(gb_coarse_cells *cells, const gb_coarse_cells *before, const gb_square *square, int64_t number) {
    int64_t first = before->first_of[number], later = cells->places - first;
    for (int64_t row = square->row; row < square->end_row; row++)
        for (int64_t column = square->column; column < square->end_column; column++) {
            int64_t at = row * cells->columns + column, place = before->place_of[at];
            cells->place_of[at] = (int32_t)(place < 0 ? place : place + later);
        }
    for (int64_t place = first; place < before->first_of[number + 1]; place++)
        add_place(cells, before->row[place], before->column[place]);
}

void gb_coarse_gather_places(gb_coarse_cells *cells, const uint8_t *is_new, const gb_coarse_cells *before,
                             int32_t *scratch) {
    int64_t number = 0;
    cells->places = 0;
    for (int64_t row = 0; row < cells->rows; row += cells->block)
        for (int64_t column = 0; column < cells->columns; column += cells->block, number++) {
            gb_square square = {row, column, gb_least(row + cells->block, cells->rows),
                                gb_least(column + cells->block, cells->columns)};
            cells->first_of[number] = cells->places;
            if (before && !is_new[number]) keep_square(cells, before, &square, number);
            else gather_square(cells, &square, scratch);
        }
    cells->first_of[number] = cells->places;
}
