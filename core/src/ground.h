/* The ground under a place. */
#ifndef GB_GROUND_H
#define GB_GROUND_H

#include "numbers.h"

/* The cell at a point, or the nearest one, and the shares along x and y in it. */
typedef struct gb_ground_cell {
    int64_t column;
    int64_t row;
    double u;
    double v;
} gb_ground_cell;

static inline gb_ground_cell gb_cell_of_ground(const gb_ground *ground, double x, double y) {
    double u = gb_min(gb_max((x - ground->x0) / ground->cell_m, 0.0), (double)ground->columns - 1.0);
    double v = gb_min(gb_max((y - ground->y0) / ground->cell_m, 0.0), (double)ground->rows - 1.0);
    gb_ground_cell cell;
    cell.column = gb_least((int64_t)u, ground->columns - 2);
    cell.row = gb_least((int64_t)v, ground->rows - 2);
    cell.u = u - (double)cell.column;
    cell.v = v - (double)cell.row;
    return cell;
}

static inline double gb_ground_height(const gb_ground *ground, double x, double y) {
    if (!ground->has_terrain) return 0.0;
    gb_ground_cell at = gb_cell_of_ground(ground, x, y);
    const double *near_row = ground->heights + at.row * ground->columns + at.column;
    const double *far_row = near_row + ground->columns;
    double near_height = (1.0 - at.u) * near_row[0] + at.u * near_row[1];
    double far_height = (1.0 - at.u) * far_row[0] + at.u * far_row[1];
    return (1.0 - at.v) * near_height + at.v * far_height;
}

static inline double gb_ground_slope(const gb_ground *ground, double x, double y, double heading) {
    if (!ground->has_terrain) return 0.0;
    gb_ground_cell at = gb_cell_of_ground(ground, x, y);
    const double *near_row = ground->heights + at.row * ground->columns + at.column;
    const double *far_row = near_row + ground->columns;
    double along_x = (1.0 - at.v) * (near_row[1] - near_row[0]) + at.v * (far_row[1] - far_row[0]);
    double along_y = (1.0 - at.u) * (far_row[0] - near_row[0]) + at.u * (far_row[1] - near_row[1]);
    return (along_x * gb_cos(heading) + along_y * gb_sin(heading)) / ground->cell_m;
}

static inline double gb_ground_steepness(const gb_ground *ground, double x, double y, double radius) {
    if (!ground->has_terrain) return 0.0;
    if (radius > ground->far_m) return ground->steepest;
    gb_ground_cell at = gb_cell_of_ground(ground, x, y);
    int64_t level = radius <= ground->near_m ? 0 : 1;
    return ground->steepness[(level * (ground->rows - 1) + at.row) * (ground->columns - 1) + at.column];
}

#endif
