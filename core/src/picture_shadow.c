/* Soft shadows: maps of what hides a lamp, blurred as under lamps of some size.
 *
 * Most of a map is empty, so a blur spreads what there is instead of gathering for every texel; and what is blurred widely is
 * blurred on a coarser map.  [Separable Gaussians; their variances add] */
#include "picture_view.h"

#define KEY_DARKNESS 0.36     /* 0 to 1: share of light missing on the ground in a full shadow */
#define CONTACT_DARKNESS 0.50 /* 0 to 1: share of light missing right below a body that touches the ground */
#define CONTACT_REACH_M 0.10  /* metres: below a body this high, the share is smaller by the factor 1/e */
#define CONTACT_BLUR_M 0.035  /* metres: blur of that shade */
#define CUT 2.5               /* standard deviations at which a blur on the ground ends; larger: slower */
#define LAMP_CUT 2.0          /* the same in a lamp's map */
#define NARROW 3.0            /* texels: a wider blur is made on a map with fewer texels; larger: slower */

enum { LEVELS = 4, LANES = 8, WIDEST = 64 };

/* Height of the body that casts a shadow, and blur of the shadow, in metres: as under a large lamp. */
static const double penumbra[LEVELS][2] = {{0.0, 0.015}, {0.35, 0.05}, {1.0, 0.11}, {1.8, 0.19}};

/* A map of texels, each of `factor` by `factor` texels of the whole. */
typedef struct map {
    int64_t rows, columns, factor;
    float *values; /* (rows, columns) */
} map;

/* Adds a share of some numbers to others. */
static void add_scaled(float *to, const float *from, float share, int64_t count) {
    int64_t at = 0;
    for (; at + LANES <= count; at += LANES) { /* several at a time, which the compiler cannot know to be apart */
        float sums[LANES];
        for (int lane = 0; lane < LANES; lane++) sums[lane] = to[at + lane] + share * from[at + lane];
        for (int lane = 0; lane < LANES; lane++) to[at + lane] = sums[lane];
    }
    for (; at < count; at++) to[at] += share * from[at];
}

static void clear(float *values, int64_t count) {
    for (int64_t at = 0; at < count; at++) values[at] = 0.0f;
}

static int is_empty(const float *values) {
    float sum = 0.0f;
    for (int lane = 0; lane < LANES; lane++) sum += values[lane] * values[lane];
    return sum == 0.0f;
}

/* The first texel of a row that is not 0, and one past the last; both 0 without any. */
static void find_span(const float *row, int64_t columns, int64_t *first, int64_t *last) {
    *first = 0;
    *last = columns;
    while (*last >= LANES && is_empty(row + *last - LANES)) *last -= LANES;
    while (*last > 0 && row[*last - 1] == 0.0f) --*last;
    while (*first + LANES <= *last && is_empty(row + *first)) *first += LANES;
    while (*first < *last && row[*first] == 0.0f) ++*first;
}

/* Fills shares of a Gaussian blur, which sum to 1; returns how many texels it reaches to either side. */
static int64_t fill_shares(double deviation, double cut, float *shares) {
    int64_t reach = gb_least((int64_t)(cut * deviation + 0.5), WIDEST);
    double sum = 0.0, per_variance = 0.5 / (deviation * deviation);
    for (int64_t step = -reach; step <= reach; step++) sum += gb_exp(-per_variance * (double)(step * step));
    for (int64_t step = -reach; step <= reach; step++)
        shares[reach + step] = (float)(gb_exp(-per_variance * (double)(step * step)) / sum);
    return reach;
}

/* Spreads all numbers of a map by a Gaussian; beyond its rim there is nothing.  room: as many numbers as the map has. */
static void blur(const map *of, double deviation, double cut, float *room) {
    float shares[2 * WIDEST + 1];
    int64_t reach = fill_shares(deviation, cut, shares), columns = of->columns, first, last;
    if (reach == 0) return;
    clear(room, of->rows * columns);
    for (int64_t row = 0; row < of->rows; row++) { /* along rows */
        const float *from = of->values + row * columns;
        find_span(from, columns, &first, &last);
        for (int64_t step = -reach; step <= reach && first < last; step++) {
            int64_t begin = gb_most(first, -step), end = gb_least(last, columns - step);
            add_scaled(room + row * columns + begin + step, from + begin, shares[reach + step], end - begin);
        }
    }
    clear(of->values, of->rows * columns);
    for (int64_t row = 0; row < of->rows; row++) { /* from row to row */
        const float *from = room + row * columns;
        find_span(from, columns, &first, &last);
        if (first == last) continue;
        for (int64_t step = gb_most(-reach, -row); step <= gb_least(reach, of->rows - 1 - row); step++)
            add_scaled(of->values + (row + step) * columns + first, from + first, shares[reach + step], last - first);
    }
}

void gb_picture_soften_lamp(float *nearness, int64_t rows, int64_t columns, double deviation, double far, float *room) {
    for (int64_t texel = 0; texel < rows * columns; texel++)
        nearness[texel] = nearness[texel] > (float)far ? nearness[texel] - (float)far : 0.0f;
    const map whole = {rows, columns, 1, nearness};
    blur(&whole, deviation, LAMP_CUT, room);
    for (int64_t texel = 0; texel < rows * columns; texel++) nearness[texel] += (float)far;
}

/* Enters a body over a texel at a height: its shade belongs to the levels of blur below and above it. */
static void enter_shade(const map *levels, int64_t row, int64_t column, double height) {
    int level = 0;
    while (level < LEVELS - 2 && height > penumbra[level + 1][0]) level++;
    double step = penumbra[level + 1][0] - penumbra[level][0];
    double share = gb_min(gb_max((height - penumbra[level][0]) / step, 0.0), 1.0);
    for (int side = 0; side < 2; side++) {
        const map *into = levels + level + side;
        double part = (side == 0 ? 1.0 - share : share) / (double)(into->factor * into->factor);
        into->values[row / into->factor * into->columns + column / into->factor] += (float)part;
    }
}

/* Adds a row of a coarser map to a row of the whole, bilinear between its texels.  mixed: a row of room. */
static void add_row(const map *of, int64_t row, int64_t columns, float *mixed, float *to) {
    double factor = (double)of->factor, at = ((double)row + 0.5) / factor - 0.5, below = gb_floor(at);
    int64_t upper = gb_most((int64_t)below, 0), lower = gb_least((int64_t)below + 1, of->rows - 1), first, last;
    float down = (float)(at - below);
    const float *above = of->values + upper * of->columns, *beneath = of->values + lower * of->columns;
    for (int64_t column = 0; column < of->columns; column++)
        mixed[column] = above[column] + down * (beneath[column] - above[column]);
    find_span(mixed, of->columns, &first, &last);
    if (first == last) return;
    float step = (float)(1.0 / factor), from = 0.5f * step - 0.5f;
    for (int64_t column = gb_most(first - 1, 0); column < gb_least(last + 1, of->columns); column++) {
        float before = mixed[gb_most(column - 1, 0)], own = mixed[column], after = mixed[gb_least(column + 1, of->columns - 1)];
        for (int64_t part = 0; part < of->factor && column * of->factor + part < columns; part++) {
            float away = from + (float)part * step; /* from the coarse texel's middle, in its sides */
            to[column * of->factor + part] += own + away * (away < 0.0f ? own - before : after - own);
        }
    }
}

int64_t gb_picture_floor_room(int64_t rows, int64_t columns) { return (LEVELS + 3) * (rows + 8) * (columns + 8); }

/* Cuts maps out of the room: for levels of blur, for contacts, and what remains.  Wider blurs get coarser maps; what making
 * them coarser and finer again blurs is taken off. */
static float *lay_maps(int64_t rows, int64_t columns, double texel_m, float *room, map *maps, double *deviations) {
    for (int level = 0; level <= LEVELS; level++) {
        double deviation = (level < LEVELS ? penumbra[level][1] : CONTACT_BLUR_M) / texel_m;
        int64_t factor = 1;
        while (level < LEVELS && deviation / (double)factor > NARROW) factor *= 2;
        double side = (double)factor, added = factor > 1 ? 0.25 * side * side : 0.0; /* a box's twelfth and a tent's sixth */
        deviations[level] = sqrt(deviation * deviation - added) / side;
        const map made = {(rows + factor - 1) / factor, (columns + factor - 1) / factor, factor, room};
        maps[level] = made;
        clear(room, made.rows * made.columns);
        room += made.rows * made.columns;
    }
    return room;
}

void gb_picture_shade_floor(const float *key_heights, const float *contact_heights, int64_t rows, int64_t columns,
                            double texel_m, float *room, float *share) {
    map maps[LEVELS + 1];
    double deviations[LEVELS + 1];
    float *rest = lay_maps(rows, columns, texel_m, room, maps, deviations), *contacts = maps[LEVELS].values;
    for (int64_t row = 0; row < rows; row++)
        for (int64_t column = 0; column < columns; column++) {
            int64_t texel = row * columns + column;
            if (key_heights[texel] < INFINITY) enter_shade(maps, row, column, (double)key_heights[texel]);
            if (contact_heights[texel] < INFINITY)
                contacts[texel] = (float)gb_fading(gb_max((double)contact_heights[texel], 0.0) / CONTACT_REACH_M);
        }
    for (int level = 0; level <= LEVELS; level++) blur(maps + level, deviations[level], CUT, rest);
    float *shade = rest, *mixed = rest + columns;
    for (int64_t row = 0; row < rows; row++) {
        clear(shade, columns);
        for (int level = 0; level < LEVELS; level++)
            if (maps[level].factor > 1) add_row(maps + level, row, columns, mixed, shade);
            else add_scaled(shade, maps[level].values + row * columns, 1.0f, columns);
        for (int64_t column = 0; column < columns; column++) {
            float dark = shade[column] < 1.0f ? shade[column] : 1.0f;
            share[row * columns + column] = (1.0f - (float)KEY_DARKNESS * dark) *
                                            (1.0f - (float)CONTACT_DARKNESS * contacts[row * columns + column]);
        }
    }
}
