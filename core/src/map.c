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

/* Notes in all cells near a piece how near it is, or that it is crossed there. */
static void enter_piece(const gb_map *map, const gb_pieces *pieces, int64_t piece, const gb_map_style *style, int crossed,
                        uint16_t *notes) {
    const double *box = pieces->boxes + 4 * piece;
    double reach = crossed ? style->slim_m : style->roomy_m;
    double cell = map->cell_m;
    int64_t left = clamped((int64_t)gb_floor((box[0] - reach - map->x0) / cell), 0, map->columns);
    int64_t right = clamped((int64_t)gb_floor((box[2] + reach - map->x0) / cell) + 1, 0, map->columns);
    int64_t bottom = clamped((int64_t)gb_floor((box[1] - reach - map->y0) / cell), 0, map->rows);
    int64_t top = clamped((int64_t)gb_floor((box[3] + reach - map->y0) / cell) + 1, 0, map->rows);
    for (int64_t row = bottom; row < top; row++)
        for (int64_t column = left; column < right; column++) {
            double away = distance_to_piece(pieces, piece, map->x0 + ((double)column + 0.5) * cell,
                                            map->y0 + ((double)row + 0.5) * cell);
            if (away >= reach) continue;
            uint16_t *note = notes + row * map->columns + column;
            if (crossed) {
                *note |= CROSSING;
                continue;
            }
            int step = away <= 0.0 ? 0 : (int)(away / style->roomy_m * NEARNESS);
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

void gb_map_draw(gb_map *map, const gb_world *world, const uint8_t *kinds, const gb_map_style *style,
                 uint16_t *notes) {
    const gb_pieces *pieces = &world->pieces;
    map->has_crossing = 0;
    for (int64_t cell = 0; cell < map->rows * map->columns; cell++) notes[cell] = NEARNESS;
    for (int64_t piece = 0; piece < pieces->count; piece++)
        if (kinds[piece] != GB_PIECE_FREE)
            enter_piece(map, pieces, piece, style, kinds[piece] == GB_PIECE_CROSSED, notes);
    for (int64_t row = 0; row < map->rows; row++)
        for (int64_t column = 0; column < map->columns; column++) {
            int64_t cell = row * map->columns + column;
            double x = map->x0 + ((double)column + 0.5) * map->cell_m, y = map->y0 + ((double)row + 0.5) * map->cell_m;
            double inside = gb_min(gb_min(x - world->bounds[0], world->bounds[2] - x),
                                   gb_min(y - world->bounds[1], world->bounds[3] - y));
            double room = gb_min((double)(notes[cell] & 0xFF) * style->roomy_m / NEARNESS, inside);
            int is_border = row < GB_MAP_BORDER || column < GB_MAP_BORDER || row >= map->rows - GB_MAP_BORDER ||
                            column >= map->columns - GB_MAP_BORDER;
            int is_steep = world->ground.has_terrain &&
                           gb_ground_steepness(&world->ground, x, y, 0.5 * map->cell_m) > style->slope;
            map->crossing[cell] = !is_border && (notes[cell] & CROSSING) != 0;
            map->has_crossing |= map->crossing[cell];
            map->price[cell] =
                is_border ? GB_MAP_CLOSED : price_of(map, style, room, (notes[cell] & CROSSING) != 0, is_steep);
        }
}

int64_t gb_map_cell(const gb_map *map, double x, double y) {
    double u = gb_floor((x - map->x0) / map->cell_m), v = gb_floor((y - map->y0) / map->cell_m);
    if (!(u >= 0.0 && v >= 0.0 && u < (double)map->columns && v < (double)map->rows)) return GB_NOTHING;
    return (int64_t)v * map->columns + (int64_t)u;
}

int64_t gb_map_open_cell(const gb_map *map, double x, double y, double within_m) {
    int64_t cell = gb_map_cell(map, x, y);
    if (cell < 0) return GB_NOTHING;
    if (map->price[cell] != GB_MAP_CLOSED) return cell;
    int64_t row = cell / map->columns, column = cell % map->columns, around = (int64_t)(within_m / map->cell_m) + 1;
    int64_t best = GB_NOTHING;
    double nearest = within_m * within_m;
    for (int64_t r = gb_most(row - around, 0); r <= gb_least(row + around, map->rows - 1); r++)
        for (int64_t c = gb_most(column - around, 0); c <= gb_least(column + around, map->columns - 1); c++) {
            if (map->price[r * map->columns + c] == GB_MAP_CLOSED) continue;
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
