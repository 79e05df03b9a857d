/* Coarse maps and the ways over them. */
#ifndef GB_MAP_H
#define GB_MAP_H

#include "numbers.h"

#define GB_MAP_CLOSED 0
#define GB_WAY_NEAR_M 2.0  /* metres: a start in a closed cell is where the nearest open one within this is */
#define GB_WAY_DOUBT_M 0.6 /* the same for goals, beyond their tolerance */
#define GB_WAY_OFF_M 3.0  /* metres added to the straight line where a way was not looked for */

/* What is left from a point, in metres of free ground: between the middles of the four cells around it. */
double gb_way_from(const gb_way *way, double x, double y);

#endif
