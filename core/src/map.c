/* A coarse map of a world: square cells, each with what a metre in it costs. */
#include "map.h"

#include "ground.h"
#include "shapes.h"

#define NEARNESS 200   /* steps of the distance to a piece, up to the roomy one */
#define CROSSING 0x100 /* the cell is in something that is crossed */

/* The distance from a point to a piece; at most 0 inside. */
static double distance_to_piece(const gb_pieces *pieces, int64_t piece, double x, double y) {
    return gb_convex_distance(pieces->corner_x, pieces->corner_y, pieces->first_corner[piece],
                              pieces->first_corner[piece + 1], x, y) -
           pieces->radius[piece];
}

static int64_t clamped(int64_t value, int64_t least, int64_t most) { return gb_most(least, gb_least(value, most)); }

/* Some cells: first row and column, and one past the last ones. */
typedef struct area {
    int64_t bottom, left, top, right;
} area;

static area whole(const gb_map *map) {
    area all = {0, 0, map->rows, map->columns};
    return all;
}

/* The cells of an area that may be within reach of a piece. */
static area cells_near(const gb_map *map, int64_t piece, double reach, area within) {
    const double *box = map->world->pieces.boxes + 4 * piece;
    double cell = map->cell_m;
    area near;
    near.left = clamped((int64_t)gb_floor((box[0] - reach - map->x0) / cell), within.left, within.right);
    near.right = clamped((int64_t)gb_floor((box[2] + reach - map->x0) / cell) + 1, within.left, within.right);
    near.bottom = clamped((int64_t)gb_floor((box[1] - reach - map->y0) / cell), within.bottom, within.top);
    near.top = clamped((int64_t)gb_floor((box[3] + reach - map->y0) / cell) + 1, within.bottom, within.top);
    return near;
}

static double distance_from_cell(const gb_map *map, int64_t piece, int64_t row, int64_t column) {
    return distance_to_piece(&map->world->pieces, piece, map->x0 + ((double)column + 0.5) * map->cell_m,
                             map->y0 + ((double)row + 0.5) * map->cell_m);
}

/* Notes in all cells of an area near a piece how near it is, or that it is crossed there. */
static void enter_piece(const gb_map *map, int64_t piece, area within) {
    int crossed = map->kinds[piece] == GB_PIECE_CROSSED;
    double reach = crossed ? map->style->slim_m : map->style->roomy_m;
    if (map->kinds[piece] == GB_PIECE_FREE) return;
    area near = cells_near(map, piece, reach, within);
    for (int64_t row = near.bottom; row < near.top; row++)
        for (int64_t column = near.left; column < near.right; column++) {
            double away = distance_from_cell(map, piece, row, column);
            if (away >= reach) continue;
            uint16_t *note = map->notes + row * map->columns + column;
            if (crossed) {
                *note |= CROSSING;
                continue;
            }
            int step = away <= 0.0 ? 0 : (int)(away / map->style->roomy_m * NEARNESS);
            if (step < (*note & 0xFF)) *note = (uint16_t)((*note & CROSSING) | step);
        }
}

/* The price of a cell whose middle is this far from what is closed. */
static uint8_t price_of(const gb_map *map, const gb_map_style *style, double room, int is_crossed, int is_steep) {
    double doubt = 0.5 * map->cell_m;
    if (room < style->slim_m - doubt) return GB_MAP_CLOSED;
    double price = GB_MAP_FREE;
    if (room < style->slim_m + 0.25 * doubt) price *= style->tight;
    else if (room < style->roomy_m) price *= 1.0 + style->narrow * (style->roomy_m - room) / style->roomy_m;
    if (is_crossed) price *= style->crossing;
    if (is_steep) price *= style->steep;
    return (uint8_t)gb_min(price + 0.5, 255.0);
}

static int is_in_border(const gb_map *map, int64_t row, int64_t column) {
    return row < GB_MAP_BORDER || column < GB_MAP_BORDER || row >= map->rows - GB_MAP_BORDER ||
           column >= map->columns - GB_MAP_BORDER;
}

/* Prices the cells of an area by their notes. */
static void price_cells(gb_map *map, area within) {
    const gb_map_style *style = map->style;
    const gb_world *world = map->world;
    for (int64_t row = within.bottom; row < within.top; row++)
        for (int64_t column = within.left; column < within.right; column++) {
            int64_t cell = row * map->columns + column;
            if (is_in_border(map, row, column)) continue;
            double x = map->x0 + ((double)column + 0.5) * map->cell_m, y = map->y0 + ((double)row + 0.5) * map->cell_m;
            double inside = gb_min(gb_min(x - world->bounds[0], world->bounds[2] - x),
                                   gb_min(y - world->bounds[1], world->bounds[3] - y));
            double room = gb_min((double)(map->notes[cell] & 0xFF) * style->roomy_m / NEARNESS, inside);
            int is_crossed = (map->notes[cell] & CROSSING) != 0;
            int is_steep = world->ground.has_terrain &&
                           gb_ground_steepness(&world->ground, x, y, 0.5 * map->cell_m) > style->slope;
            map->crossing[cell] = (uint8_t)is_crossed;
            map->price[cell] = price_of(map, style, room, is_crossed, is_steep);
        }
}

/* Whether the middle of any cell is in something that is crossed. */
static int crosses_anything(const gb_map *map) {
    for (int64_t piece = 0; piece < map->world->pieces.count; piece++) {
        if (map->kinds[piece] != GB_PIECE_CROSSED) continue;
        area near = cells_near(map, piece, map->style->slim_m, whole(map));
        for (int64_t row = near.bottom; row < near.top; row++)
            for (int64_t column = near.left; column < near.right; column++)
                if (!is_in_border(map, row, column) && distance_from_cell(map, piece, row, column) < map->style->slim_m)
                    return 1;
    }
    return 0;
}

void gb_map_begin(gb_map *map) {
    for (int64_t row = 0; row < map->rows; row++)
        for (int64_t column = 0; column < map->columns; column++) {
            int is_border = is_in_border(map, row, column);
            if (is_border) map->crossing[row * map->columns + column] = 0;
            map->price[row * map->columns + column] = is_border ? GB_MAP_CLOSED : GB_MAP_UNKNOWN;
        }
    map->has_crossing = crosses_anything(map);
}

/* The row or column of the world's squares that the middles of a row or column of cells are in. */
static int64_t strip_of(const gb_map *map, double from, double least, int64_t strips, int64_t number) {
    double side = GB_SQUARE_BINS * map->world->bins.bin_m;
    return clamped((int64_t)gb_floor((from + ((double)number + 0.5) * map->cell_m - least) / side), 0, strips - 1);
}

/* The cells of the world's square that a cell is in. */
static area cells_of_square(const gb_map *map, int64_t row, int64_t column, int64_t *square) {
    const gb_squares *squares = &map->world->squares;
    const double *bounds = map->world->bounds;
    int64_t high = strip_of(map, map->y0, bounds[1], squares->rows, row);
    int64_t along = strip_of(map, map->x0, bounds[0], squares->columns, column);
    area found = {row, column, row + 1, column + 1};
    while (found.bottom > 0 && strip_of(map, map->y0, bounds[1], squares->rows, found.bottom - 1) == high) found.bottom--;
    while (found.top < map->rows && strip_of(map, map->y0, bounds[1], squares->rows, found.top) == high) found.top++;
    while (found.left > 0 && strip_of(map, map->x0, bounds[0], squares->columns, found.left - 1) == along) found.left--;
    while (found.right < map->columns && strip_of(map, map->x0, bounds[0], squares->columns, found.right) == along)
        found.right++;
    *square = high * squares->columns + along;
    return found;
}

/* Draws the square that a cell is in, by the pieces near it; those of a square are all that are within its reach. */
uint8_t gb_map_show(gb_map *map, int64_t cell) {
    const gb_squares *squares = &map->world->squares;
    int64_t square;
    area within = cells_of_square(map, cell / map->columns, cell % map->columns, &square);
    for (int64_t row = within.bottom; row < within.top; row++)
        for (int64_t column = within.left; column < within.right; column++)
            map->notes[row * map->columns + column] = NEARNESS;
    if (gb_max(map->style->slim_m, map->style->roomy_m) <= squares->reach_m)
        for (int64_t entry = squares->first_entry[square]; entry < squares->first_entry[square + 1]; entry++)
            enter_piece(map, squares->piece[entry], within);
    else
        for (int64_t piece = 0; piece < map->world->pieces.count; piece++) enter_piece(map, piece, within);
    price_cells(map, within);
    return map->price[cell];
}

void gb_map_draw(gb_map *map) {
    for (int64_t cell = 0; cell < map->rows * map->columns; cell++) gb_map_price(map, cell);
}

int64_t gb_map_cell(const gb_map *map, double x, double y) {
    double u = gb_floor((x - map->x0) / map->cell_m), v = gb_floor((y - map->y0) / map->cell_m);
    if (!(u >= 0.0 && v >= 0.0 && u < (double)map->columns && v < (double)map->rows)) return GB_NOTHING;
    return (int64_t)v * map->columns + (int64_t)u;
}

int64_t gb_map_open_cell(gb_map *map, double x, double y, double within_m) {
    int64_t cell = gb_map_cell(map, x, y);
    if (cell < 0) return GB_NOTHING;
    if (gb_map_price(map, cell) != GB_MAP_CLOSED) return cell;
    int64_t row = cell / map->columns, column = cell % map->columns, around = (int64_t)(within_m / map->cell_m) + 1;
    int64_t best = GB_NOTHING;
    double nearest = within_m * within_m;
    for (int64_t r = gb_most(row - around, 0); r <= gb_least(row + around, map->rows - 1); r++)
        for (int64_t c = gb_most(column - around, 0); c <= gb_least(column + around, map->columns - 1); c++) {
            if (gb_map_price(map, r * map->columns + c) == GB_MAP_CLOSED) continue;
            double away_x = map->x0 + ((double)c + 0.5) * map->cell_m - x;
            double away_y = map->y0 + ((double)r + 0.5) * map->cell_m - y;
            double squared = away_x * away_x + away_y * away_y;
            if (squared < nearest) {
                nearest = squared;
                best = r * map->columns + c;
            }
        }
    return best;
}
