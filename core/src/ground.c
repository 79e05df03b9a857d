/* Ask a world about its ground. */
#include "ground.h"

double gb_world_ground_height(const gb_world *world, double x, double y) {
    return gb_ground_height(&world->ground, x, y);
}

double gb_world_ground_slope(const gb_world *world, double x, double y, double heading) {
    return gb_ground_slope(&world->ground, x, y, heading);
}

double gb_world_ground_steepness(const gb_world *world, double x, double y, double radius) {
    return gb_ground_steepness(&world->ground, x, y, radius);
}
