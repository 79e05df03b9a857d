/* Light on a surface: two soft lamps, light from all around, creases and cast shadows. */
#ifndef GB_PICTURE_LIGHT_H
#define GB_PICTURE_LIGHT_H

#include "picture_view.h"

enum { MOST_PLACES = 64, REACHES = 161 };
#define REACH_STEPS 4.0 /* a sample: distances at which places are laid out */

/* Where occlusion looks around a sample, by how far it looks: steps of samples, and of the arrays. */
typedef struct gb_places {
    int32_t count;
    int16_t right[REACHES][MOST_PLACES];
    int16_t down[REACHES][MOST_PLACES];
    int32_t away[REACHES][MOST_PLACES];
} gb_places;

/* A sample. */
typedef struct gb_spot {
    int64_t x, y;
} gb_spot;

void gb_picture_lay_places(const gb_picture *picture, const gb_samples *samples, gb_places *places);

/* Sets the unit normal at a point of a triangle, on the side that a ray meets. */
void gb_picture_normal(const gb_surfaces *surfaces, int32_t number, const gb_triple *at, const gb_ray *ray,
                       gb_triple *normal);

/* Sets the color of what a sample shows, where a ray meets it, `height` metres above the ground. */
void gb_picture_surface_color(const gb_picture *picture, const gb_samples *samples, const gb_places *places, gb_spot spot,
                              const gb_triple *at, const gb_ray *ray, double height, const gb_triple *normal,
                              gb_triple *color);

#endif
