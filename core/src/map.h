/* Coarse maps and the ways over them. */
#ifndef GB_MAP_H
#define GB_MAP_H

#include "numbers.h"

#define GB_MAP_CLOSED 0
#define GB_WAY_NEAR_M 2.0  /* metres: a start in a closed cell is where the nearest open one within this is */
#define GB_WAY_DOUBT_M 0.6 /* the same for goals, beyond their tolerance */
#define GB_WAY_OFF_M 3.0  /* metres added to the straight line where a way was not looked for */

/* What a metre costs in a cell, which is drawn if need be (map.c). */
uint8_t gb_map_show(gb_map *map, int64_t cell);

static inline uint8_t gb_map_price(gb_map *map, int64_t cell) {
    uint8_t price = map->price[cell];
    return price != GB_MAP_UNKNOWN ? price : gb_map_show(map, cell);
}

/* Whether something is crossed in a cell. */
static inline int gb_map_crosses(gb_map *map, int64_t cell) {
    if (map->price[cell] == GB_MAP_UNKNOWN) gb_map_show(map, cell);
    return map->crossing[cell];
}

/* What is left from a point, in metres of free ground: between the middles of the four cells around it. */
double gb_way_from(const gb_way *way, double x, double y);

#endif
