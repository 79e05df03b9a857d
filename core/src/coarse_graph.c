/* Coarse maps, made: which places are neighbours, and what ways between them cost. */
#include "numbers.h"

int64_t gb_coarse_side_ways(const gb_coarse_cells *cells, int32_t *here, int32_t *there, int64_t room) {
    int64_t columns = cells->columns, block = cells->block, squares = (columns + block - 1) / block, count = 0;
    for (int64_t row = 0; row < cells->rows; row++)
        for (int64_t column = 0; column < columns; column++) {
            int64_t square = (row / block) * squares + column / block;
            if (row % block < block - 1 && column % block == 0 &&
                cells->first_of[square + 1] - cells->first_of[square] <= 1)
                column = gb_least(column + block, columns) - 1; /* all of one place: only its last cells have others beside */
            int32_t one = cells->place_of[row * columns + column];
            if (one < 0) continue;
            for (int64_t side = 0; side < 2; side++) {
                int64_t next_row = row + side, next_column = column + 1 - side;
                if (next_row >= cells->rows || next_column >= columns) continue;
                int32_t other = cells->place_of[next_row * columns + next_column];
                if (other < 0 || other == one) continue;
                int64_t before_row = row - 1 + side, before_column = column - side; /* along the border of the two */
                if (before_row >= 0 && before_column >= 0 && cells->place_of[before_row * columns + before_column] == one &&
                    cells->place_of[(before_row + side) * columns + before_column + 1 - side] == other)
                    continue;
                if (count + 1 < room) {
                    here[count] = there[count + 1] = one;
                    there[count] = here[count + 1] = other;
                }
                count += 2;
            }
        }
    return count;
}

int64_t gb_coarse_order_ways(const int32_t *here, const int32_t *there, int64_t count, int64_t places, int64_t *first,
                             int32_t *to, int64_t *filled) {
    for (int64_t place = 0; place <= places; place++) first[place] = 0;
    for (int64_t entry = 0; entry < count; entry++) first[here[entry] + 1]++;
    for (int64_t place = 0; place < places; place++) {
        filled[place] = first[place];
        first[place + 1] += first[place];
    }
    for (int64_t entry = 0; entry < count; entry++) { /* into the row of its place, moving what is greater up */
        int64_t at = filled[here[entry]]++;
        for (; at > first[here[entry]] && to[at - 1] > there[entry]; at--) to[at] = to[at - 1];
        to[at] = there[entry];
    }
    int64_t size = 0;
    for (int64_t place = 0; place < places; place++) {
        int64_t begin = first[place], end = first[place + 1];
        first[place] = size;
        for (int64_t entry = begin; entry < end; entry++)
            if (entry == begin || to[entry] != to[size - 1]) to[size++] = to[entry];
    }
    return first[places] = size;
}

int64_t gb_coarse_corner_ways(const int64_t *first, const int32_t *to, const int32_t *square, int64_t places,
                              int64_t columns, int32_t *here, int32_t *there, int64_t *seen) {
    int64_t *seen_by = seen, *seen_through = seen + places, count = 0;
    for (int64_t place = 0; place < places; place++) seen_by[place] = seen_through[place] = -1;
    for (int64_t place = 0; place < places; place++)
        for (int64_t entry = first[place]; entry < first[place + 1]; entry++) {
            int64_t middle = to[entry];
            for (int64_t further = first[middle]; further < first[middle + 1]; further++) {
                int64_t corner = to[further];
                int64_t down = square[corner] / columns - square[place] / columns;
                int64_t right = square[corner] % columns - square[place] % columns;
                if (down * down != 1 || right * right != 1) continue;
                if (seen_by[corner] != place) {
                    seen_by[corner] = place;
                    seen_through[corner] = square[middle];
                } else if (seen_through[corner] >= 0 && seen_through[corner] != square[middle] && count < 8 * places) {
                    seen_through[corner] = -1;
                    here[count] = (int32_t)place;
                    there[count++] = (int32_t)corner;
                }
            }
        }
    return count;
}

void gb_coarse_way_costs(const int64_t *first, const int32_t *to, int64_t places, const double *point,
                         const double *dearer, double unit, int32_t *cost) {
    for (int64_t place = 0; place < places; place++)
        for (int64_t way = first[place]; way < first[place + 1]; way++) {
            const double *one = point + 2 * place, *other = point + 2 * to[way];
            double times = 1.0 + 0.5 * (dearer[place] + dearer[to[way]]);
            double length = gb_round(gb_hypot(one[0] - other[0], one[1] - other[1]) * times / unit);
            cost[way] = (int32_t)gb_max(1.0, length);
        }
}

void gb_coarse_roomiest_nearby(const double *point, const double *room, const int32_t *kind, int64_t places, double aside,
                               int32_t *found) {
    for (int64_t place = 0; place < places; place++) {
        double most = -INFINITY, least_away = INFINITY;
        found[place] = (int32_t)place;
        if (kind[place] < 0) continue;
        for (int64_t other = 0; other < places; other++) {
            if (kind[other] != kind[place]) continue;
            double away = gb_hypot(point[2 * other] - point[2 * place], point[2 * other + 1] - point[2 * place + 1]);
            if (away > aside) continue;
            double space = gb_round(100.0 * room[other]); /* in centimetres */
            if (space > most || (space == most && away < least_away)) {
                most = space;
                least_away = away;
                found[place] = (int32_t)other;
            }
        }
    }
}
