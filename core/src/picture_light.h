/* Light on a surface: two soft lamps, light from all around, creases and cast shadows. */
#ifndef GB_PICTURE_LIGHT_H
#define GB_PICTURE_LIGHT_H

#include "picture_view.h"

/* Returns the unit normal at a point of a triangle, on the side that a ray meets. */
gb_triple gb_picture_normal(const gb_surfaces *surfaces, int32_t number, gb_triple at, const gb_ray *ray);

/* Returns the color of a triangle where a ray meets it, `height` metres above the ground. */
gb_triple gb_picture_surface_color(const gb_picture *picture, const gb_samples *samples, int32_t number, double depth,
                                   const gb_ray *ray, double height, gb_triple normal);

#endif
