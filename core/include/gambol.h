/* Gambol's core: what decides while a program runs.
 *
 * World -> character -> traffic -> search -> tree -> trip -> pose -> check, in this order.
 *
 * All data is plain: structs of arrays with their counts.  The caller owns all memory; nothing is allocated, printed or
 * kept.  An array marked `const` is only read.  Lengths are in metres, angles in radians, times in whole planning frames,
 * costs in whole units (a millionth of a metre).  What is compared is a whole number, or a double that every compiler
 * rounds alike: build with -ffp-contract=off (core/build.py does).
 *
 * In comments, `(R, C)` after an array is its shape, the last index running fastest.
 */
#ifndef GAMBOL_H
#define GAMBOL_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What is said of every function, so that a program may compile the core for a GPU or into a library of its own. */
#ifndef GB_FN
#if defined(_WIN32)
#define GB_FN __declspec(dllexport)
#elif defined(__GNUC__)
#define GB_FN __attribute__((visibility("default")))
#else
#define GB_FN
#endif
#endif

/* Returns a hash of this header, as it was when the library was compiled. */
GB_FN const char *gb_header_hash(void);

enum {
    GB_NOTHING = -1,        /* no obstacle, piece or thing */
    GB_BOUNDS = -2,         /* not an obstacle: the edge of the world */
    GB_BEYOND_HORIZON = -2, /* not a thing: something still moves, and nobody has laid out where */
    GB_PARTS = 8            /* upright cylinders of a body at an instant */
};

/* ---- World: what stands still ------------------------------------------------------------------------------------- */

/* P rounded convex pieces of O obstacles, placed in the world; the pieces of one obstacle follow each other. */
typedef struct gb_pieces {
    int64_t count;              /* P */
    int64_t obstacles;          /* O */
    const int32_t *obstacle;    /* (P) the obstacle that each piece belongs to */
    const double *radius;       /* (P) metres of rounding, at least 0 */
    const double *bottom;       /* (P) metres above the local ground */
    const double *top;          /* (P) above the bottom */
    const double *boxes;        /* (P, 4) least x, least y, greatest x, greatest y, rounding included */
    const int32_t *first_corner; /* (P + 1) */
    const double *corner_x;     /* (V) counter-clockwise */
    const double *corner_y;     /* (V) */
    const int32_t *first_piece; /* (O + 1) by obstacle */
} gb_pieces;

/* What follows is laid out square by square, where it is asked for: gb_world_prepare. */

/* How far it is from the middles of cells to the nearest piece or bound, in a byte each. */
typedef struct gb_room {
    double x0; /* where cell (0, 0) begins */
    double y0;
    double cell_m;
    double cells_a_metre; /* 1 / cell_m */
    int64_t rows;
    int64_t columns;
    uint8_t *steps; /* (rows, columns) 0: not known yet; else one more than whole steps of 12.5 mm, 255: that or more */
} gb_room;

/* A piece near a bin. */
typedef struct gb_bin_entry {
    double gap; /* metres from the bin to the piece, at least; infinite at the end of a bin's list */
    double bottom;
    double top;
    int32_t piece; /* GB_NOTHING at the end */
    int32_t obstacle;
} gb_bin_entry;

/* Pieces by place: each square bin lists the pieces within `reach_m` of it, the nearest first. */
typedef struct gb_bins {
    double reach_m;
    double bin_m; /* bin (row, column) begins at the room's x0, y0 plus bin_m * (column, row) */
    int64_t rows;
    int64_t columns;
    int32_t *first_entry;  /* (rows, columns) 0: not known yet */
    gb_bin_entry *entries; /* (gb_bins_room) */
    int64_t count;         /* entries so far */
} gb_bins;

#define GB_SQUARE_BINS 16 /* bins along a square */

/* Pieces by place, roughly: each square of bins lists those whose box comes within `reach_m` of it. */
typedef struct gb_squares {
    double reach_m; /* metres, at least 3.2: what room can be, and the reach of bins */
    int64_t rows;
    int64_t columns;
    int64_t longest;            /* most pieces of a square */
    const int32_t *first_entry; /* (rows * columns + 1) */
    const int32_t *piece;       /* (E) increasing within a square */
    uint8_t *is_known;          /* (rows, columns) whether room and bins of the square are laid out */
    int32_t *scratch;           /* (longest) the caller's, only written */
    double *distances;          /* (longest) likewise */
} gb_squares;

/* A terrain: heights at points of a grid, bilinear between them. */
typedef struct gb_ground {
    int32_t has_terrain; /* 0: all of it is flat, at height 0 */
    double x0;
    double y0;
    double cell_m;
    int64_t rows;            /* at least 2 */
    int64_t columns;         /* at least 2 */
    const double *heights;   /* (rows, columns) metres */
    const double *steepness; /* (2, rows - 1, columns - 1) greatest rise a metre near the cell, and farther around */
    double near_m;           /* how far "near" is */
    double far_m;            /* how far "farther around" is */
    double steepest;         /* greatest rise a metre anywhere */
} gb_ground;

/* K annotated obstacles [LK05 3.2], and for each bin those whose near region may reach into it. */
typedef struct gb_specials {
    const int32_t *obstacle;    /* (K) increasing */
    const int32_t *kind;        /* (K) */
    const double *near_m;       /* (K) */
    const double *within_m;     /* (K) */
    const int32_t *of_obstacle; /* (O) index into the arrays above; -1: not annotated */
    const int64_t *first_entry; /* (rows * columns + 1) by the bins of pieces */
    const int32_t *entry;       /* (L) indices of specials, increasing within a bin */
} gb_specials;

/* All that stands still. */
typedef struct gb_world {
    double bounds[4]; /* least x, least y, greatest x, greatest y */
    gb_room room;
    gb_pieces pieces;
    gb_bins bins;
    gb_squares squares;
    gb_ground ground;
    gb_specials specials;
} gb_world;

/* Lists pieces by square: writes squares' first_entry, longest and, as far as there is room, piece; returns their number. */
GB_FN int64_t gb_squares_list(gb_world *world, int32_t *first_entry, int32_t *piece, int64_t room);

/* Returns how many entries the bins of a world can have at most. */
GB_FN int64_t gb_bins_room(const gb_world *world);

/* Lays out room and bins of all squares that a box meets and that are not known yet.  What is asked elsewhere is answered just
 * as well, but slowly; meanwhile too.  One thread at a time may lay a world out. */
GB_FN void gb_world_prepare(gb_world *world, double least_x, double least_y, double greatest_x, double greatest_y);

/* Does the same for boxes around `count` poses (count, 3), which reach a number of metres to all sides. */
GB_FN void gb_world_prepare_around(gb_world *world, const double *poses, int64_t count, double reach);

/* Returns whether all that a box meets is laid out. */
GB_FN int32_t gb_world_is_laid_out(const gb_world *world, double least_x, double least_y, double greatest_x,
                                   double greatest_y);

/* Returns a lower bound of the distance from a point to all obstacles and bounds, at most 0 inside one and outside; lays out
 * what is near before. */
GB_FN double gb_world_clearance(gb_world *world, double x, double y);

/* Returns the height of the ground. */
GB_FN double gb_world_ground_height(const gb_world *world, double x, double y);

/* Returns the rise a metre along a heading. */
GB_FN double gb_world_ground_slope(const gb_world *world, double x, double y, double heading);

/* Returns an upper bound of the rise a metre, in any direction, within a radius of a point. */
GB_FN double gb_world_ground_steepness(const gb_world *world, double x, double y, double radius);

/* Returns 1 where an upright cylinder is inside the bounds and meets no obstacle but `ignored`, else 0.  Exact: touching is
 * not meeting.  `low` and `high` are above the local ground. */
GB_FN int32_t gb_world_disc_is_free(const gb_world *world, double x, double y, double radius, double low, double high,
                                    int64_t ignored);

/* Returns an obstacle that an upright cylinder meets, GB_NOTHING, or GB_BOUNDS where it leaves them. */
GB_FN int64_t gb_world_blocking_obstacle(const gb_world *world, double x, double y, double radius, double low,
                                         double high, int64_t ignored);

/* Returns whether a point is in the near region of an annotated obstacle; no other obstacle has one. */
GB_FN int32_t gb_world_near_special(const gb_world *world, int64_t obstacle, double x, double y);

/* Returns whether a point is in the within region of an annotated obstacle. */
GB_FN int32_t gb_world_within_special(const gb_world *world, int64_t obstacle, double x, double y);

/* Returns the first obstacle past `after` that is annotated with a kind and has a point in its near region, or GB_NOTHING.
 * To list all, begin with -1 and go on with each answer. */
GB_FN int64_t gb_world_first_special_near(const gb_world *world, int64_t kind, double x, double y, int64_t after);

/* Returns the distance from a point to the nearest piece of an obstacle; at most 0 inside. */
GB_FN double gb_world_distance_to_obstacle(const gb_world *world, int64_t obstacle, double x, double y);

/* ---- Character: what it can do ------------------------------------------------------------------------------------- */

/* B behaviors, T transitions, C clips and S samples: the planning frames of distinct clips. */
typedef struct gb_actions {
    int64_t behaviors;                  /* B */
    int64_t clips;                      /* C */
    int64_t samples;                    /* S */
    const int64_t *behavior_clips;      /* (B + 1) first clip of each behavior; its clips follow each other */
    const int32_t *successors;          /* (T) behaviors that may follow, by behavior */
    const int64_t *behavior_successors; /* (B + 1) first entry of each behavior in `successors` */
    const double *slopes;               /* (B, 2) rise a metre, least and greatest */
    const int32_t *clip_behavior;       /* (C) */
    const double *displacement;         /* (C, 3) x, y, heading */
    const int32_t *duration;            /* (C) planning frames, at least 1 */
    const int32_t *event;               /* (C) planning frame */
    const int64_t *clip_samples;        /* (C) first sample of each clip; a clip has duration + 1 samples */
    const double *path;                 /* (S, 3) x, y, heading, in the frame of the clip's start */
    const double *outer_radius;         /* (S) metres, around the path's pose */
    const double *part_offset;          /* (S, 8, 2) metres, in the frame of the path's pose */
    const double *part_radius;          /* (S, 8) metres */
    const double *part_low;             /* (S, 8) metres above the ground */
    const double *part_high;            /* (S, 8); not above `part_low`: a figure without this part */
} gb_actions;

/* What a search needs of the same character beyond that. */
typedef struct gb_moves {
    const int64_t *cost;            /* (B) units */
    const int64_t *transition_cost; /* (T) units */
    const int32_t *state;           /* (B) behaviors that the same ones may follow at the same costs are one state */
    const int32_t *same;            /* (C) the first clip that is the same as this one */
    const double *circle;           /* (C, 3) centre and radius of a circle around all of a clip, in its start's frame */
    const double *samples;          /* (S, 6) x, y, cosine, sine of the heading, outer radius, metres since the start */
    const double *parts;            /* (S, 8, 6) ahead, aside, radius, low, high, reach; the farthest reaching first */
    const float *pace;              /* (C, 2) greatest outer radius, samples a metre where it goes fastest */
} gb_moves;

/* A body held in an instant of a clip, its path's pose at a place and heading. */
typedef struct gb_stance {
    int64_t sample;
    double x;
    double y;
    double heading;
} gb_stance;

/* Returns the obstacle that a stance meets, GB_NOTHING or GB_BOUNDS. */
GB_FN int64_t gb_stance_obstacle(const gb_world *world, const gb_actions *actions, const gb_stance *stance);

/* A disc around a goal, in which places and headings are tried. */
typedef struct gb_goal_room {
    double x;
    double y;
    double tolerance;         /* metres: radius of the disc */
    double heading;           /* radians: the middle of the headings that are tried */
    double heading_tolerance; /* radians to either side */
    int64_t rings;            /* of places, at least 1 */
    int64_t headings;         /* at each place, at least 1 */
} gb_goal_room;

/* Returns whether any of some instants fits at any of the places and headings tried around a goal. */
GB_FN int32_t gb_stance_has_room(const gb_world *world, const gb_moves *moves, const int64_t *samples, int64_t count,
                                 const gb_goal_room *goal);

/* Returns how near a root may at least come to something that fills the heights from bottom to top; 0 if an instant of
 * `count` samples has no part around the root at these heights: it may be crossed.  Arrays as in gb_actions. */
GB_FN double gb_clip_core_radius(const double *part_offset, const double *part_radius, const double *part_low,
                                 const double *part_high, int64_t count, double bottom, double top);

/* Returns how many metres farther aside the parts of a body may get on ground of a rise a metre. */
GB_FN double gb_clip_slope_margin(double steepness);

/* Returns which of `count` clips a step of a plan plays, 0 to count - 1: a hash, so that order does not matter. */
GB_FN int64_t gb_clip_choose(int64_t seed, int64_t word, int64_t behavior, int64_t count);

/* Returns whether an instant of a clip, its path's pose at a place and heading, meets nothing that stands. */
GB_FN int32_t gb_clip_instant_is_free(const gb_world *world, const gb_moves *moves, int64_t sample, double x, double y,
                                      double heading, int64_t ignored);

/* ---- Traffic: what moves -------------------------------------------------------------------------------------------- */

#define GB_RECORD_COLUMNS 10 /* circle x, y, radius; lowest, highest; origin x, y; cosine, sine; growth */
#define GB_THING_COLUMNS 4   /* first frame, last frame, first slot, frame after which it is gone */

enum { GB_ONCE = 0, GB_LOOP = 1, GB_BOUNCE = 2 }; /* how a trajectory goes on: it ends, begins anew, or goes back and forth */

/* What is known of a mover before it is placed. */
typedef struct gb_mover_span {
    int64_t first;      /* frame before which it rests */
    int64_t last;       /* frame after which it rests, or the horizon */
    double least_x;     /* box of its own origin, at all times */
    double least_y;
    double greatest_x;
    double greatest_y;
    double around;      /* metres: no part of it is farther from where its origin is at a frame's instant */
    double pace;        /* metres a frame at most, apart from jumps */
    int32_t is_still;   /* whether it counts as being in one place */
    int32_t is_endless; /* whether it still moves after the horizon */
    int32_t is_wide;    /* whether it is too large, too fast or too far away for cells */
} gb_mover_span;

/* A circle that holds a mover for a block of frames. */
typedef struct gb_mover_near {
    float x;
    float y;
    float reach;   /* metres */
    int32_t mover; /* GB_NOTHING at the end of a list */
} gb_mover_near;

#define GB_MOVER_BLOCK 16 /* frames */

/* M movers, placed at the frames at which they are asked for.  For each block of frames the movers near each cell are listed,
 * the last one first; blocks are laid out as they are needed, by one thread at a time.  Where a block is not laid out all
 * movers are asked, which takes longer. */
typedef struct gb_movers {
    int64_t count;            /* M */
    double rate_hz;           /* frames a second */
    int64_t horizon;          /* last frame */
    const int64_t *first_key; /* (M + 1) */
    const double *times;      /* (K) seconds, increasing for each mover */
    const double *poses;      /* (K, 3) x, y, heading */
    const double *heights;    /* (K, 2) bottom, top */
    const uint8_t *repeat;    /* (M) GB_ONCE, GB_LOOP or GB_BOUNCE */
    const double *reach;      /* (M) metres from the own origin to the farthest point */
    const double *outline;    /* (M, 3) circle around it in its own frame: x, y, radius */
    const int64_t *thing;     /* (M) increasing */
    const int64_t *shape;     /* (M) */
    gb_mover_span *span;      /* (M) written by gb_movers_bound */
    double cell_m;            /* of lists: a power of two times 4 m; cells begin at multiples of it */
    int64_t first_column;     /* of cells that have lists; beyond them there is no mover */
    int64_t first_row;
    int64_t columns;
    int64_t rows;
    int64_t blocks;           /* up to the horizon */
    int64_t known;            /* blocks laid out so far */
    int64_t *first_entry;     /* (blocks, rows, columns) 0: not known yet */
    gb_mover_near *entries;   /* (gb_movers_room) */
    int64_t entry_count;      /* so far */
    int64_t *ends;            /* (rows * columns) the caller's, only written */
    gb_mover_near *circles;   /* (M) likewise */
} gb_movers;

/* Writes the spans of movers. */
GB_FN void gb_movers_bound(gb_movers *movers);

/* Returns how many entries lists may have in all; spans are known, and which cells there are. */
GB_FN int64_t gb_movers_room(const gb_movers *movers);

/* Lays lists out for some frames. */
GB_FN void gb_movers_lay_out(gb_movers *movers, int64_t first_frame, int64_t last_frame);

/* Writes the records (at most 5, 10) that together hold a mover at a frame, and returns their number. */
GB_FN int64_t gb_movers_place(const gb_movers *movers, int64_t mover, int64_t frame, double *records);

/* Things by frame, and hash tables over space and time that find them.
 *
 * A thing has slots, one for each frame from its first to its last; before and after these it rests as in the first or last
 * one, unless it is gone.  A slot holds records: shapes placed in the world that together cover the thing from half a frame
 * before to half a frame after.  A shape is a few prisms in its own frame.  Cells lead to the things that come near them;
 * marks, coarser ones, only say whether any do.  A thing whose first slot is -1 - m is mover m: in cells and marks it is as it
 * rests. */
typedef struct gb_traffic {
    const int64_t *things;        /* (T, 4) */
    const int64_t *slots;         /* (S, 2) first record and one past the last */
    const double *records;        /* (R, 10) */
    const int64_t *record_shapes; /* (R) */
    const int64_t *shape_prisms;  /* (H, 2) first prism and one past the last */
    const double *prisms;         /* (P, 3) rounding radius, low, high */
    const int64_t *prism_corners; /* (P, 2) first corner and one past the last */
    const double *corner_x;       /* (C) in the shape's own frame */
    const double *corner_y;       /* (C) */
    int64_t cell_rows;            /* rows of `cells`, a power of two */
    const int64_t *cells;         /* (cell_rows, 2) key, first entry; key -1: free */
    const int64_t *entries;       /* (E, 2) thing, next entry or -1 */
    int64_t mark_rows;            /* rows of `marks`, a power of two */
    const int64_t *marks;         /* (mark_rows, 3) key; frames after and before which something rests */
    int64_t horizon;              /* last frame to which what never stops is laid out */
    int32_t is_endless;           /* whether anything still moves after the horizon */
    int64_t last_change;          /* after this frame nothing moves any more, as far as it is laid out */
    int32_t has_giants;           /* whether anything is so large that it is listed as being everywhere */
    gb_movers *movers;            /* NULL: none */
} gb_traffic;

/* Returns a thing that meets an upright cylinder at a frame, GB_NOTHING or GB_BEYOND_HORIZON. */
GB_FN int64_t gb_traffic_disc_blocker(const gb_traffic *traffic, double x, double y, double radius, double low,
                                      double high, int64_t frame);

/* Returns a thing that meets a body (a sample of an action table) at a frame, GB_NOTHING or GB_BEYOND_HORIZON.  The body is
 * `aside_by` wider, reaches `lower` lower and `higher` higher. */
GB_FN int64_t gb_traffic_body_blocker(const gb_traffic *traffic, const gb_actions *actions, int64_t sample, double x,
                                      double y, double cosine, double sine, int64_t frame, double aside_by,
                                      double lower, double higher);

/* Returns whether one thing meets a body at a frame. */
GB_FN int32_t gb_traffic_thing_meets(const gb_traffic *traffic, const gb_actions *actions, int64_t thing, int64_t sample,
                                     double x, double y, double cosine, double sine, int64_t frame, double aside_by,
                                     double lower, double higher);

/* Returns whether a body that rests from a frame on is never met, as far as things are laid out. */
GB_FN int32_t gb_traffic_body_stays_free(const gb_traffic *traffic, const gb_actions *actions, int64_t sample, double x,
                                         double y, double cosine, double sine, int64_t first_frame, double aside_by,
                                         double lower, double higher);

/* Returns the thing that a stance meets at a frame, or a negative number. */
GB_FN int64_t gb_stance_thing(const gb_world *world, const gb_traffic *traffic, const gb_actions *actions,
                              const gb_stance *stance, int64_t frame);

/* Returns whether a thing meets any of `count` stances, each held at its frame. */
GB_FN int32_t gb_stance_any_met(const gb_world *world, const gb_traffic *traffic, const gb_actions *actions,
                                const gb_stance *stances, const int64_t *frames, int64_t count, int64_t thing);

/* Returns the first frame before `end_frame` at which a thing meets a stance held from frame 0 on, or -1. */
GB_FN int64_t gb_stance_when_met(const gb_world *world, const gb_traffic *traffic, const gb_actions *actions,
                                 const gb_stance *stance, int64_t end_frame);

/* Returns whether nothing comes near a circle from one frame to another; 0 when in doubt. */
GB_FN int32_t gb_traffic_is_quiet(const gb_traffic *traffic, double x, double y, double radius, int64_t first_frame,
                                  int64_t last_frame);

/* A trajectory's table: N places at times, which do not fall. */
typedef struct gb_trajectory {
    int64_t count;         /* N, at least 1 */
    const double *times;   /* (N) seconds */
    const double *poses;   /* (N, 3) x, y, heading */
    const double *heights; /* (N, 2) bottom, top */
    double reach;          /* metres from its own origin to the mover's farthest point */
} gb_trajectory;

/* Places a mover for `count` stretches of its table's time: where it is in the middle of each, and how far it gets from there
 * between first and last.  Writes placed (count, 6): x, y, heading, bottom, top, growth. */
GB_FN void gb_traffic_place_stretches(const gb_trajectory *trajectory, const double *first, const double *middle,
                                      const double *last, int64_t count, double *placed);

/* One level of hash tables over cells of space and time. */
typedef struct gb_cell_level {
    int64_t block_frames; /* frames of a block */
    double cell_m;
    double growth; /* metres: things are entered this far around themselves */
} gb_cell_level;

/* Writes the keys of the cells that a thing's slots come near, each once a block, and returns their number; those beyond
 * `room` are only counted.  slots: (slot_count, 2).  first_frame: of the first slot; -1: all is in the block of what rests. */
GB_FN int64_t gb_traffic_touched_cells(const double *records, const int64_t *slots, int64_t slot_count,
                                       int64_t first_frame, const gb_cell_level *level, int64_t *keys, int64_t room);

/* Puts a thing in front of the lists of some cells; its entries are those from `first_entry` on. */
GB_FN void gb_traffic_enter_thing(int64_t *cells, int64_t cell_rows, int64_t *entries, int64_t first_entry,
                                  const int64_t *keys, int64_t count, int64_t thing);

/* Marks cells; what rests there does so after and before certain frames. */
GB_FN void gb_traffic_enter_marks(int64_t *marks, int64_t mark_rows, const int64_t *keys, int64_t count,
                                  int64_t rests_after, int64_t rests_before);

/* Enters all rows of a hash table into a larger one, whose rows are free. */
GB_FN void gb_traffic_rehash(const int64_t *table, int64_t rows, int64_t columns, int64_t *larger, int64_t larger_rows);

/* Returns the key of a cell; never negative. */
GB_FN int64_t gb_traffic_cell_key(int64_t block, int64_t column, int64_t row);

/* ---- Search: the best way, forward from the start [LK05 algorithm 1] ------------------------------------------------ */

#define GB_NEVER 4611686018427387904 /* 2^62 units: a cost that nothing has */

/* A grid of square cells that are closed or not. */
typedef struct gb_closed_cells {
    double x0;
    double y0;
    double cell_m;
    int64_t rows;
    int64_t columns;
    uint8_t *closed;    /* (rows, columns) */
    int64_t window[4];  /* first row, first column, row after the last, column after the last that are looked at */
} gb_closed_cells;

/* Closes the cells all of which, and all within `slack` of them, is nearer to a piece than its core says.
 * cores: (P) no root can be this near to a piece; not above 0 where a body can get over or under it. */
GB_FN void gb_cells_close(gb_closed_cells *cells, const gb_pieces *pieces, const double *cores, double slack);

/* Returns whether a disc touches any open cell. */
GB_FN int32_t gb_cells_any_open(const gb_closed_cells *cells, double x, double y, double radius);

#define GB_FIELD_BUCKETS 128 /* a power of two: more than an estimate grows from a corner to the next */

/* Where a corner of a field waits to be settled. */
typedef struct gb_field_entry {
    int32_t corner; /* (row << shift) + column */
    int32_t next;   /* in its bucket; -1: the last */
} gb_field_entry;

/* How far it is from a goal to the corners of a grid of cells, along and across open ones: worked out as far as it is asked
 * for, in whichever order.  One thread at a time may ask. */
typedef struct gb_field {
    const gb_closed_cells *cells; /* at most 1,500,000 */
    int64_t shift;                /* corners of a row lie side by side; the next row begins 2^shift farther on */
    int32_t *labels;              /* ((rows + 1) << shift) all 0 at first; what follows is the core's */
    int64_t room;                 /* at least 2 * (rows + 1) * (columns + 1) + 8 */
    gb_field_entry *queue;        /* (room) only written */
    int64_t aim_row;              /* the corner towards which it is spread first */
    int64_t aim_column;
    int64_t aimed_row; /* the one by which what waits is sorted */
    int64_t aimed_column;
    int64_t level;   /* of the bucket that is emptied */
    int64_t mixed;   /* the last one that may hold what belongs farther ahead */
    int64_t waiting; /* entries in buckets */
    int64_t used;    /* entries that were ever used */
    int32_t unused;  /* the first of those that are free again; -1: none */
    int32_t buckets[GB_FIELD_BUCKETS]; /* first entries, by estimate; -1: empty */
    uint8_t onward[160]; /* by origin and open cells around: directions in which ways go on, a bit each */
} gb_field;

/* Directs a field at a place: what is asked for near the ways from the goal to there is found first. */
GB_FN void gb_field_aim(gb_field *field, double x, double y);

/* Begins a field, aimed before, at all corners of open cells that a disc reaches into; it is not spread yet. */
GB_FN void gb_field_begin(gb_field *field, double x, double y, double within_m);

/* Returns the length of the shortest way from a corner to the goal's, spreading the field as far as that needs: 29 for each
 * step along a cell, 41 across one; GB_NOTHING where there is no way. */
GB_FN int64_t gb_field_distance(gb_field *field, int64_t row, int64_t column);

/* Returns a lower bound, in cells, of the way left from column u and row v, spreading the field as far as that needs; 1e18
 * where there is no way. */
GB_FN double gb_field_way_left(gb_field *field, double u, double v);

/* Returns what a field knows of that as far as it is spread, at most as much; writes whether spreading it adds nothing. */
GB_FN double gb_field_way_at_least(const gb_field *field, double u, double v, int32_t *is_sure);

/* What is asked: L legs, each ending in a goal, the last one in that of the problem. */
typedef struct gb_query {
    double x;
    double y;
    double heading;
    int64_t frame;
    int64_t first_count;
    const int32_t *first;   /* (first_count) behaviors that may come first */
    int64_t legs;           /* L, at least 1 */
    const double *goals;    /* (L, 5) x, y, tolerance, heading, its tolerance (not below pi: any heading) */
    int64_t behaviors;      /* B */
    const uint8_t *may_end; /* (L, B) behaviors that may end a leg */
    gb_field **fields;      /* (L) of the goals; NULL: straight lines are all that is known of ways left */
    double field_x0;        /* the grid of closed cells */
    double field_y0;
    double field_cell;
    int64_t closed_rows;
    int64_t closed_columns;
    const uint8_t *closed; /* (closed_rows, closed_columns) cells without room for any root */
    const int64_t *later;  /* (L) least cost of the legs after each */
    double cost_per_way;   /* least cost of a metre of way, units */
    double cost_per_chord; /* least cost of a metre of displacement, units */
    const int32_t *special; /* (B) kind of annotated obstacles that a behavior is for; -1: none, -2: none in this world */
    const double *radius;   /* (B) fixed radius of the body; not above 0: its swept shape */
    double climb;           /* units a metre of rise */
    double descend;         /* units a metre of fall */
    const float *core;      /* (S) metres: no root can be this near to anything that stands, whatever it is; NULL: not known */
    int64_t seed;
    int32_t has_traffic;
    int64_t horizon; /* no clip ends after this frame; only where something moves */
} gb_query;

/* How to search. */
typedef struct gb_search_settings {
    double weight;         /* of what is left, at least 1 */
    int32_t exact;         /* merge identical states only, and open closed ones again where a cheaper way is found */
    double place_unit;     /* metres of a state's place */
    int64_t heading_count; /* sectors of a full turn */
    int64_t frame_unit;    /* frames of a state's time; 0: time does not matter */
    int64_t keep;          /* open nodes kept when there are twice as many; 0: all */
    int64_t ceiling;       /* only plans cheaper than this are of interest */
    int64_t shift;         /* last bits of estimates that do not count in the order of the open list */
    double reach_m;        /* that no part of a body gets farther from where a clip begins */
} gb_search_settings;

/* What is known of a node. */
enum gb_search_stage {
    GB_NODE_GUESSED, /* its cost left is a lower bound, before the field was asked; it is asked when the node comes up */
    GB_NODE_OPEN,
    GB_NODE_CLOSED   /* it was expanded */
};

/* A node of a search: a state, what led to it, and what its way costs; a line of the cache. */
typedef struct gb_search_node {
    double x;
    double y;
    double heading;
    int64_t cost;   /* units from the start */
    int64_t left;   /* least cost that is left, units */
    int64_t rest;   /* key of its state but for the place */
    int32_t parent; /* -1 at the start */
    int32_t clip;   /* of the action table, that led here; -1 at the start */
    int32_t frame;
    int16_t leg;
    uint8_t stage;  /* of gb_search_stage */
    uint8_t stale;  /* whether a cheaper way to its state has come up since */
} gb_search_node;

/* An entry of the table of visited states. */
typedef struct gb_search_slot {
    uint64_t hash; /* of a state */
    int64_t cost;  /* of the best node known for it */
    int64_t node;  /* that node; 0: free, for the start is not entered */
} gb_search_slot;

/* What may follow a node. */
typedef struct gb_search_next {
    double x;
    double y;
    double heading;
    int64_t cost;
    int64_t place; /* both parts of its state's key */
    int64_t rest;
    int32_t behavior;
    int32_t clip;
    int32_t same; /* the first clip that is the same */
    int32_t frame;
    int32_t leg;
    uint64_t hash; /* of its state */
} gb_search_next;

/* A way that was given up, what it costs in all not being worked out yet. */
typedef struct gb_search_doubt {
    double x;
    double y;
    int64_t cost; /* so far */
    int64_t leg;
} gb_search_doubt;

/* What a search remembers: the caller's, which need not be filled. */
typedef struct gb_search_memory {
    int64_t node_room;
    gb_search_node *nodes; /* (node_room) */
    int64_t entry_room;
    int64_t *entries;      /* (entry_room) the open list, a heap */
    int64_t slot_room;     /* a power of two, more than twice `widest` */
    gb_search_slot *slots; /* (slot_room) the table of visited states */
    int64_t slot_count;    /* of those that are in use so far, a power of two: the core's */
    int64_t widest;        /* most behaviors that may follow one, or come first */
    gb_search_next *next;  /* (widest) only written */
    int64_t doubt_room;    /* at least 1; more: less of the fields is asked for */
    gb_search_doubt *doubts; /* (doubt_room) */
} gb_search_memory;

enum gb_search_status {
    GB_SEARCH_RUNNING,   /* stopped where an array must grow, or more of the world be laid out; call again */
    GB_SEARCH_FOUND,
    GB_SEARCH_EXHAUSTED, /* nothing is left to look at */
    GB_SEARCH_STOPPED    /* as many expansions as allowed were made */
};

/* What a search has done. */
typedef struct gb_search_counts {
    int64_t samples;    /* instants of clips looked up */
    int64_t nodes;
    int64_t open;       /* entries of the open list */
    int64_t expansions;
    int64_t generated;  /* clips looked at */
    int64_t status;     /* of gb_search_status */
    int64_t goal_node;  /* -1: none */
    int64_t nearest;    /* expanded node with the least cost left */
    int64_t late;       /* clips that would end after the horizon */
    int64_t dropped;    /* open nodes given up where only some are kept */
    int64_t least_lost; /* least cost and cost left of what was merged or dropped, but for what is in doubt */
    int64_t doubts;     /* what was merged and may cost less than that */
    int64_t beyond;     /* the node to be expanded next, around which the world is not laid out yet; -1: none */
} gb_search_counts;

/* All that a search reads, and all that it writes. */
typedef struct gb_search {
    const gb_world *world;
    const gb_traffic *traffic;
    const gb_actions *actions;
    const gb_moves *moves;
    const gb_query *query;
    gb_search_settings settings;
    gb_search_memory memory;
    gb_search_counts counts;
} gb_search;

/* Returns a least cost from a place in a leg to the last goal, spreading the leg's field as far as that needs; GB_NEVER where
 * there is no way. */
GB_FN int64_t gb_query_cost_left(const gb_query *query, int64_t leg, double x, double y);

/* Enters the start as the only node; there is room. */
GB_FN void gb_search_begin(gb_search *search);

/* Expands nodes until the search ends, `most_expansions` have been made in all, an array must grow, or the world must be laid
 * out around a node: then the status is still GB_SEARCH_RUNNING.  Reads and writes all of `search`, and spreads the query's fields. */
GB_FN void gb_search_expand(gb_search *search, int64_t most_expansions);

/* Returns the least cost plus cost left of any open node that still counts, or `most` if none has less. */
GB_FN int64_t gb_search_least_open(const gb_search *search, int64_t most);

/* Leaves nothing in doubt of what was merged: writes `least_lost`. */
GB_FN void gb_search_settle_lost(gb_search *search);

/* Enters all nodes in a table of visited states that has as many slots as they need and there is room for: after nodes and slots
 * have got other memory. */
GB_FN void gb_search_enter_states(gb_search *search);

/* Returns whether a clip may be played from a pose and a frame: against what stands, moves and slopes. */
GB_FN int32_t gb_clip_may_be_played(const gb_world *world, const gb_traffic *traffic, const gb_query *query,
                                    const gb_actions *actions, const gb_moves *moves, int64_t behavior, int64_t clip,
                                    double x, double y, double heading, int64_t frame, int64_t *samples);

/* Returns what climbing and descending along a clip cost, in units. */
GB_FN int64_t gb_clip_ground_cost(const gb_world *world, const gb_query *query, const gb_actions *actions, int64_t clip,
                                  double x, double y, double heading);

/* ---- Tree: searches made beforehand [LK06, L09 4] ------------------------------------------------------------------- */

/* A node stands for the path from the root to it: all that following the path back reads, in half a line of the cache. */
typedef struct gb_tree_node {
    float x;          /* in the frame of the root */
    float y;
    float heading;
    float before_x;   /* of the parent; the root's own at the root */
    float before_y;
    int32_t parent;   /* -1 at the root */
    int32_t cost;     /* units from the root, when the tree was grown */
    uint16_t clip;    /* that leads here, as the tree numbers clips; 0 at the root */
    uint16_t frame;   /* since the root; later than the parent's */
} gb_tree_node;

/* Square cells that overlap: cell (row, column) begins at x0, y0 plus cell_m * (column, row) and lists the nodes in the square
 * of `overlap_m` around its middle, the cheapest first, in one list for each group of behaviors after which the same ones may
 * come. */
typedef struct gb_tree_grid {
    double x0;
    double y0;
    double cell_m;
    double overlap_m; /* at least cell_m */
    int64_t rows;
    int64_t columns;
    int64_t groups;
} gb_tree_grid;

/* N nodes.  Node 0 is the root, at (0, 0, 0), before anything is played. */
typedef struct gb_tree {
    int64_t count;              /* N, at least 1 */
    int64_t clips;              /* C */
    const gb_tree_node *nodes;  /* (N) */
    const int32_t *parents;     /* (N) the nodes' once more, closer together: paths are followed back by them */
    int64_t first_count;
    const int32_t *first_nodes; /* (first_count) children of the root */
    gb_tree_grid grid;
    const int64_t *first_entry; /* (lists + 1) of the grid, by (row * columns + column) * groups + group */
    const int32_t *entries;     /* (E) nodes */
} gb_tree;

/* Lays out `count` nodes from the columns of a tree's file: pose (count, 3) x, y, heading; writes nodes (count). */
GB_FN void gb_tree_lay_out(const float *pose, const int32_t *parent, const int32_t *cost, const uint16_t *clip,
                           const uint16_t *frame, int64_t count, gb_tree_node *nodes);

/* What a glance at the room around two points tells of a clip: room that is enough, room that is needed.  Steps are those of
 * gb_room: more than `sure` are enough wherever in the cell the point is, fewer than `least` are too few. */
typedef struct gb_glance {
    float end_enough; /* metres; infinite values tell nothing */
    float end_needed;
    float middle_enough;
    float middle_needed;
    float along;      /* where the middle is: share of the way from start to end */
    float across;     /* and of that way turned left */
    int16_t end_sure;
    int16_t end_least;
    int16_t middle_sure;
    int16_t middle_least;
} gb_glance;

/* What a tree's clips are to a character in a world. */
typedef struct gb_tree_fit {
    const int32_t *clip_of;   /* (C) the character's clip; -1: it has none */
    const gb_glance *glances; /* (C) */
    double least_ratio;       /* no path costs less than this times what the tree says */
    int32_t costs_as_grown;   /* whether every path costs what the tree says, in this world too */
} gb_tree_fit;

/* Which cells of a world are connected: those of one number. */
typedef struct gb_islands {
    double x0;
    double y0;
    double cell_m;
    int64_t rows;          /* 0: nothing is known */
    int64_t columns;
    const int32_t *island; /* (rows, columns) from 1 on; 0: nobody can be there */
} gb_islands;

/* All that a look-up reads; of the query: radii, annotations, what slopes cost, horizon, not its seed, start or goals. */
typedef struct gb_tree_tables {
    const gb_world *world;
    const gb_traffic *traffic;
    const gb_actions *actions;
    const gb_moves *moves;
    const gb_query *query;
    const gb_tree *tree;
    const gb_tree_fit *fit;
    const gb_room *room;
    const gb_islands *islands;
} gb_tree_tables;

/* What the same holds of many questions; B behaviors of the character. */
typedef struct gb_tree_asked {
    const uint8_t *may_begin;  /* (B) */
    const uint8_t *may_end;    /* (B) */
    const uint8_t *groups;     /* (groups) of the tree that hold any behavior that may end */
    const int64_t *first_cost; /* (B) units that a behavior costs more for coming first */
    int32_t has_first_cost;    /* whether any of them is not 0 */
    int32_t stays;             /* the body must be able to stay where it arrives, whatever passes */
} gb_tree_asked;

/* Where a root is put, and the goal that a path is to lead to. */
typedef struct gb_tree_question {
    double x;
    double y;
    double heading;
    int64_t frame;
    double goal_x;
    double goal_y;
    double tolerance;    /* metres, above 0 */
    double goal_heading;
    double goal_turn;    /* radians to either side of it; not below pi: any heading */
} gb_tree_question;

enum gb_tree_outcome {
    GB_TREE_FOUND,
    GB_TREE_NO_PATH,      /* paths end at the goal, but none of them may be played */
    GB_TREE_OUT_OF_REACH, /* no path ends at the goal */
    GB_TREE_SHUT,         /* start and goal are not connected */
    GB_TREE_HEMMED_IN     /* no path may even begin */
};

typedef struct gb_tree_answer {
    int64_t node;    /* GB_NOTHING without any */
    int64_t cost;    /* units, what comes first included */
    int64_t outcome; /* of gb_tree_outcome */
} gb_tree_answer;

/* What look-ups did. */
typedef struct gb_tree_counts {
    int64_t samples;        /* instants of clips looked up in the world */
    int64_t candidates;     /* nodes at goals that were looked at */
    int64_t visited;        /* nodes that were traced */
    int64_t verified_edges; /* clips that were tested whole */
    int64_t reached_root;   /* traces that got there, and were tested whole */
} gb_tree_counts;

/* What one thread writes into.  A node's stamp says what the question of a number learnt of it: blocked, or, one more, free. */
typedef struct gb_tree_scratch {
    uint8_t *stamp;    /* (N) all 0 at first */
    int64_t number;    /* of the last question; 0 at first */
    int32_t *path;     /* (path_room) nodes of a trace */
    int64_t path_room; /* at least the most clips of a path: the latest frame of any node will do */
    int64_t *cursor;   /* (list_room) next entry of each list of candidates */
    int64_t *end;      /* (list_room) */
    int64_t *head;     /* (list_room) cost of the next entry */
    int64_t list_room; /* at least gb_tree_list_room for the largest tolerance asked */
    gb_tree_counts counts;
} gb_tree_scratch;

/* Returns how many lists of candidates a goal of a tolerance may need at most. */
GB_FN int64_t gb_tree_list_room(const gb_tree *tree, double tolerance);

/* Finds the cheapest path that ends at a goal and may be played; writes the answer and adds to the scratch's counts. */
GB_FN void gb_tree_look_up(const gb_tree_tables *tables, const gb_tree_asked *asked, gb_tree_scratch *scratch,
                           const gb_tree_question *question, gb_tree_answer *answer);

/* Answers `count` questions.  starts (count, 3) x, y, heading; frames (count); goals (count, 5) x, y, tolerance, heading, its
 * tolerance; written: nodes, costs, outcomes (count). */
GB_FN void gb_tree_look_up_many(const gb_tree_tables *tables, const gb_tree_asked *asked, gb_tree_scratch *scratch,
                                int64_t count, const double *starts, const int64_t *frames, const double *goals,
                                int64_t *nodes, int64_t *costs, int64_t *outcomes);

/* Writes for each of the nodes that the last question stamped as blocked whether a trace stopped there (1), or passed (0). */
GB_FN void gb_tree_find_stopped(const gb_tree_tables *tables, gb_tree_scratch *scratch, const gb_tree_question *question,
                                const int32_t *blocked, int64_t count, uint8_t *stopped);

/* Returns whether the whole clip that leads to a node may be played, the root standing as a question says. */
GB_FN int32_t gb_tree_edge_is_free(const gb_tree_tables *tables, const gb_tree_question *question, int64_t node,
                                   int64_t *samples);

/* Single steps from a state: room for one of each behavior. */
typedef struct gb_fan {
    int64_t count;     /* written: steps that may be played; they come first */
    int32_t *behavior; /* read: (count) behaviors to try; written: those that may be played */
    int64_t *clip;
    double *pose;      /* (count, 3) after the step */
    int64_t *frame;    /* after the step */
    int64_t *cost;     /* units, the transition apart */
} gb_fan;

/* Plays each of some behaviors from a pose and a frame, clips chosen as the forward search does; of the query, its start and
 * goals are not read.  Reads and writes the fan; `samples` grows by the instants looked up. */
GB_FN void gb_fan_out(const gb_world *world, const gb_traffic *traffic, const gb_query *query, const gb_actions *actions,
                      const gb_moves *moves, double x, double y, double heading, int64_t frame, gb_fan *fan,
                      int64_t *samples);

/* Numbers open cells (rows, columns): cells that are connected, by corners too, get the same number, from 1 on in the order
 * of their first cells; closed ones get 0.  leaders: (rows * (columns / 2 + 1) + 1), the caller's, only written.  Returns
 * the number of islands. */
GB_FN int64_t gb_islands_number(const uint8_t *closed, int64_t rows, int64_t columns, int32_t *island, int32_t *leaders);

/* ---- Tree growing: which nodes, where they are and how they are listed ---------------------------------------------- */

/* Clips by number, as a tree or a character has them, and what behaviors cost. */
typedef struct gb_tree_clips {
    int64_t behaviors;          /* B */
    const double *displacement; /* (C, 3) x, y, heading */
    const int32_t *duration;    /* (C) planning frames */
    const int32_t *behavior;    /* (C) */
    const int64_t *edge_cost;   /* (B, B) units of playing a behavior after another */
    const int64_t *first_cost;  /* (B) units of playing it first */
} gb_tree_clips;

/* Places `count` nodes that come after their parents, the root first: a child's pose is computed from its parent's rounded one
 * and then rounded itself, so that everybody gets the same.  Writes pose (count, 3), cost and frame (count). */
GB_FN void gb_tree_place(const gb_tree_clips *clips, const int32_t *parent, const int32_t *clip, int64_t count, float *pose,
                         int64_t *cost, int64_t *frame);

/* Counts the entries of each list of a tree's grid, one place further on: adds to sizes (lists + 1).  Of `count` nodes, pose
 * (N, 3) and group (N) are read by their numbers. */
GB_FN void gb_tree_count_entries(const gb_tree_grid *grid, const float *pose, const int32_t *group, const int32_t *nodes,
                                 int64_t count, int64_t *sizes);

/* Lists nodes in the order given; place (lists): where the next entry of each list goes, which moves on. */
GB_FN void gb_tree_list_entries(const gb_tree_grid *grid, const float *pose, const int32_t *group, const int32_t *nodes,
                                int64_t count, int64_t *place, int32_t *entries);

/* What may follow what: rows of behaviors, one for each behavior and then one for the root. */
typedef struct gb_branching {
    const gb_actions *actions;
    int64_t behaviors;           /* B */
    const int32_t *inner;        /* behaviors to go on with */
    const int64_t *first_inner;  /* (B + 2) where each row begins */
    const int32_t *ending;       /* behaviors after which nothing comes */
    const int64_t *first_ending; /* (B + 2) */
    const uint8_t *is_ending;    /* (B) */
    const int64_t *cost;         /* (B + 1, B) units, by row; below 0: may not follow */
    int64_t seed;                /* decides, with the parent, which of a behavior's clips is played */
} gb_branching;

/* Nodes in the order in which they grew; the root is there. */
typedef struct gb_growth {
    int64_t room;    /* N */
    int64_t count;
    int32_t *parent; /* (N) -1 at the root */
    int32_t *clip;   /* (N) of the action table; 0 at the root */
    float *pose;     /* (N, 3) */
    int64_t *cost;   /* (N) units from the root */
} gb_growth;

/* Returns how many children the nodes from first to before last may have, endings included. */
GB_FN int64_t gb_growth_count_children(const gb_branching *branching, const int32_t *clip, int64_t first, int64_t last);

/* Lists them, each node's in order, endings after the others: writes parent and clip of each. */
GB_FN void gb_growth_list_children(const gb_branching *branching, const int32_t *clip, int64_t first, int64_t last,
                                   int32_t *child_parent, int32_t *child_clip);

/* Adds children in an order, (count) numbers of them, while their cells hold fewer than `per_cell` [LK06 3].  held (2, side,
 * side): nodes a cell, those to go on with and endings apart, the root in the middle; costs are not worked out. */
GB_FN void gb_growth_keep_children(const gb_branching *branching, gb_growth *growth, const int64_t *order, int64_t count,
                                   const int32_t *child_parent, const int32_t *child_clip, double cell_m, int64_t per_cell,
                                   int32_t *held, int64_t side);

/* Which states paths lead to already, in two tables; states are of K kinds. */
typedef struct gb_grown_states {
    const int64_t *kind; /* (B) of the state after each behavior */
    int64_t sectors;     /* of a full turn */
    uint8_t *fine;       /* (K, fine_side, fine_side, sectors) the root in the middle */
    int64_t fine_side;
    double fine_m;
    uint8_t *bent;       /* (K, bent_side, bent_side, sectors, 5) apart for paths that bend a little or much, left or right */
    int64_t bent_side;
    double bent_m;
    double bend;         /* area between a path and its chord, by the chord squared, from which on it is bent */
    double much;         /* and bent much */
    double reach_m;      /* nothing grows beyond */
} gb_grown_states;

/* What may follow, the cheapest first, by rows as above. */
typedef struct gb_grown_children {
    const int32_t *behavior;
    const int64_t *cost;  /* units */
    const int64_t *first; /* (B + 2) */
} gb_grown_children;

/* Adds nodes in the order of their costs, one for each state, until there is no room or no state left.  area (N): between each
 * path and its chord; next (N), waiting (N): the caller's, only written. */
GB_FN void gb_growth_cheapest(const gb_branching *branching, const gb_grown_children *children, gb_grown_states *states,
                              gb_growth *growth, double *area, int64_t *next, int64_t *waiting);

/* Points along clips, in the frame of their start, at most half a cell apart [L09 algorithm 2]. */
typedef struct gb_traces {
    const double *x;      /* (P) metres */
    const double *y;      /* (P) metres */
    const int64_t *first; /* (C) first point of each clip */
    const int64_t *last;  /* (C) one after its last */
} gb_traces;

/* The cells of a region, with what is counted in them. */
typedef struct gb_plot {
    double x0;
    double y0;
    double cell_m;
    int64_t rows;
    int64_t columns;
    const uint8_t *inside; /* (rows * columns) whether a cell belongs to the region */
    int64_t *passed;       /* (rows * columns) clips that pass it */
    int64_t *mark;         /* (rows * columns) the last trace that passed it; -1 at first */
    int64_t marks;         /* traces so far */
} gb_plot;

/* Counts the clips that lead to some nodes (count) in the cells that they pass; pose (N, 3), parent and clip (N). */
GB_FN void gb_plot_add_paths(const gb_traces *traces, gb_plot *plot, const float *pose, const int32_t *parent,
                             const int32_t *clip, const int32_t *nodes, int64_t count);

/* Widens bounds, least x and y, greatest x and y, by all points of the clips that lead to `count` nodes but the root. */
GB_FN void gb_traces_bound(const gb_traces *traces, const float *pose, const int32_t *parent, const int32_t *clip,
                           int64_t count, double *bounds);

/* Lists for each of `count` nodes the cells that its clip is the first on its path to pass; the root has its own.  Writes
 * first (count + 1) and cell; of the plot, nothing that is counted is read. */
GB_FN void gb_plot_new_cells(const gb_traces *traces, const gb_plot *plot, const float *pose, const int32_t *parent,
                             const int32_t *clip, int64_t count, int64_t *first, int32_t *cell);

/* A tree that spreads its paths evenly [L09 algorithm 2]; A is the most behaviors that may follow one. */
typedef struct gb_spreading {
    const gb_traces *traces;
    gb_plot plot;
    const int64_t *cells; /* (cell_count) the region's cells */
    int64_t cell_count;
    int64_t widest;       /* A */
    int64_t *load;        /* (N) cost times one more than the children, endings aside */
    uint8_t *taken;       /* (N, A) whether a child has grown or leaves the region; 0 at first */
    int64_t samples;      /* places drawn */
    int64_t counted;      /* counts of all cells together */
    double bucket_m;      /* nodes that may have children are found by buckets over the region */
    int64_t bucket_rows;
    int64_t bucket_columns;
    int32_t *bucket;      /* (bucket_rows * bucket_columns) a node in each; -1: none */
    int32_t *after;       /* (N) the next in its bucket, or -1 */
    int32_t *before;      /* (N) the one before in its bucket, or -1 */
    int64_t held;         /* nodes in all buckets */
} gb_spreading;

/* Puts the root where it can be found, and adds the endings that may follow it if `with_endings`. */
GB_FN void gb_growth_begin_spreading(const gb_branching *branching, gb_spreading *spreading, gb_growth *growth,
                                     int32_t with_endings);

/* Takes over `count` nodes that grew otherwise, the root the first of them, as if they had grown here. */
GB_FN void gb_growth_adopt(const gb_branching *branching, gb_spreading *spreading, gb_growth *growth, const int32_t *parent,
                           const int32_t *clip, int64_t count);

/* Adds nodes until there is no room or no child left.  near: metres around a sample; of the nodes there the one with the
 * least load has a child; where there is none, or always if it is 0, the nearest. */
GB_FN void gb_growth_spread(const gb_branching *branching, gb_spreading *spreading, gb_growth *growth, double near);

/* In which of 64 * W worlds nodes are reached, and states: cells by headings by groups of what may follow. */
typedef struct gb_surviving {
    int64_t words;        /* W, at most 1024 */
    const uint64_t *shut; /* (cells of the plot, W) a bit for each world in which nobody may be there */
    uint64_t *reached;    /* (N, W) a bit for each world in which the path to a node survives */
    uint64_t *covered;    /* (S, W) a bit for each world in which some node in this state is reached; 0 at first */
    uint64_t *bits;       /* (W) of the child that is looked at */
    const int64_t *group; /* (B) */
    int64_t groups;
    int64_t headings;
    double cell_m;
    int64_t columns;
    int64_t steps;        /* of cost: children beyond do not grow */
    int64_t step;         /* units */
    int32_t *first;       /* (steps) waiting children by cost; -1: none */
    int32_t *after;       /* (M) the next; M: N * A */
    int32_t *parent;      /* (M) */
    int32_t *slot;        /* (M) */
} gb_surviving;

/* Adds from the cheapest on each child that is the first in its state in at least that number of worlds; returns whether all were
 * looked at: there may be no room before. */
GB_FN int32_t gb_growth_survive(const gb_branching *branching, gb_spreading *spreading, gb_surviving *surviving,
                                gb_growth *growth, int64_t least);

/* ---- Ways: coarse maps of a world ----------------------------------------------------------------------------------- */

#define GB_COARSE_FAR 2147483647 /* the cost of a way that is not there, or not known yet */

enum {
    GB_CELL_OPEN = -1,  /* kind of a fine cell that nothing is in; one that is crossed has the obstacle's number */
    GB_CELL_CLOSED = -2 /* nobody crosses it */
};

/* A world in squares [LK06 4.1, L09 4.6]: P places, the connected parts of open fine cells in each square, and W ways between
 * those that have a side, or in the open a corner, in common. */
typedef struct gb_coarse {
    double x0; /* where fine cell (0, 0) begins */
    double y0;
    double fine_m;            /* side of a fine cell */
    double square_m;          /* side of a square */
    int64_t rows;             /* of fine cells */
    int64_t columns;
    int64_t places;           /* P */
    const int32_t *place_of;  /* (rows, columns) -1: closed */
    const double *point;      /* (P, 2) where each place is roomiest */
    const double *height;     /* (P) metres, of the ground there */
    const double *room;       /* (P) metres to what is closed, as far as it matters */
    const int32_t *crossing;  /* (P) obstacle that is crossed there, -1: none */
    const int32_t *roomiest;  /* (P) in a crossing the place nearby to cross at; else the place itself */
    const double *across;     /* (O, 2) direction in which an obstacle is thinnest, 0, 0 where that is any or unknown */
    const int64_t *first_way; /* (P + 1) */
    const int32_t *to;        /* (W) neighbour, increasing within a place */
    const int32_t *cost;      /* (W) of coming from the neighbour, at least 1; hundredths of a metre, dearer where it is tight */
} gb_coarse;

/* Returns the place at a point or, where that is closed, the nearest one within `reach`; -1 without any. */
GB_FN int64_t gb_coarse_place_at(const gb_coarse *coarse, double x, double y, double reach);

/* Ways from all places to one, as far as they are known: it can go on. */
typedef struct gb_coarse_ways {
    const int32_t *cost;  /* (W) of coming from the neighbour, at least 1: the map's, or dearer */
    const int32_t *extra; /* (P) of leaving a place, at least 0; NULL: nothing */
    int32_t *distance;    /* (P) least cost to the source; GB_COARSE_FAR: no way is known */
    int32_t *onward;      /* (P) place to go to next; -1: none */
    int64_t bucket_count; /* a power of two, more than any `cost` and the neighbour's `extra` together */
    int32_t *buckets;     /* (bucket_count) for each cost the first entry that waits; the caller's, only written */
    int32_t *waiting;     /* (W + 1) likewise */
    int32_t *after;       /* (W + 1) likewise */
    int64_t level;        /* what is nearer than this is settled */
    int64_t entries;      /* made so far */
    int64_t left;         /* of these still wait; 0: all ways are known */
} gb_coarse_ways;

/* Makes a place the source; no other way is known yet. */
GB_FN void gb_coarse_ways_begin(const gb_coarse *coarse, gb_coarse_ways *ways, int64_t source);

/* Spreads until the way of one place is settled, or all are (place -1); what is known already is not done again. */
GB_FN void gb_coarse_ways_spread(const gb_coarse *coarse, gb_coarse_ways *ways, int64_t place);

/* Fine cells of a world, and the places that they make up. */
typedef struct gb_coarse_cells {
    double bounds[4]; /* of the world: least x, least y, greatest x, greatest y */
    double x0;
    double y0;
    double cell_m;
    int64_t rows;
    int64_t columns;
    int64_t block;      /* fine cells along a square, at least 1 */
    double *room;       /* (rows, columns) metres to what nobody crosses and to the bounds, as far as it matters */
    int32_t *kind;      /* (rows, columns) GB_CELL_OPEN, GB_CELL_CLOSED or the obstacle that is crossed there */
    int32_t *place_of;  /* (rows, columns) -1: closed */
    int64_t *first_of;  /* (squares + 1) first place of each square, row by row */
    int64_t place_room; /* length of the arrays below */
    int32_t *row;       /* (place_room) of the cell where a place is roomiest */
    int32_t *column;    /* (place_room) */
    int64_t places;     /* P */
} gb_coarse_cells;

/* Lowers distances from the centres of a window's cells to those to some pieces, where these are nearer.
 * window: first row, first column, those after the last.  distance, nearest (NULL: not asked for): of the window's cells, the
 * latter the obstacle that the distance is to.  reach: pieces farther away than this change nothing. */
GB_FN void gb_coarse_approach(const gb_coarse_cells *cells, const gb_pieces *pieces, const int64_t *chosen, int64_t count,
                              double reach, const int64_t *window, double *distance, int32_t *nearest);

/* Fills room and kind of a window's cells from distances to what nobody crosses, and to what is crossed and which it is.  What
 * is nearer than `slimmest` to the former or to the bounds is closed. */
GB_FN void gb_coarse_tell_kinds(gb_coarse_cells *cells, const int64_t *window, double slimmest, const double *to_closed,
                                const double *to_crossing, const int32_t *nearest);

/* Numbers the connected parts, of one kind each, of every square: writes place_of, first_of, row, column and their number;
 * those beyond `place_room` are only counted.  is_new: (squares) what to look at; the others are as in `before` (NULL: none),
 * a map of as many cells.  scratch: (block * block), the caller's, only written. */
GB_FN void gb_coarse_gather_places(gb_coarse_cells *cells, const uint8_t *is_new, const gb_coarse_cells *before,
                                   int32_t *scratch);

/* Writes the pairs of places whose cells have a side in common, both ways, some more than once, and returns their number; those
 * beyond `room` are only counted. */
GB_FN int64_t gb_coarse_side_ways(const gb_coarse_cells *cells, int32_t *here, int32_t *there, int64_t room);

/* Writes the pairs of places, in squares that meet at a corner, which hang together through both squares between them, and
 * returns their number, at most 8 a place.  first, to: neighbours across sides.  square: (places) of each place.  columns: of
 * squares.  seen: (2 * places), the caller's, only written. */
GB_FN int64_t gb_coarse_corner_ways(const int64_t *first, const int32_t *to, const int32_t *square, int64_t places,
                                    int64_t columns, int32_t *here, int32_t *there, int64_t *seen);

/* Orders pairs by what is here, then by what is there, each once: writes first (places + 1) and to (count), and returns how
 * many are left.  filled: (places), the caller's, only written. */
GB_FN int64_t gb_coarse_order_ways(const int32_t *here, const int32_t *there, int64_t count, int64_t places, int64_t *first,
                                   int32_t *to, int64_t *filled);

/* Writes the costs of ways, whole numbers of a unit in metres: as long as they are, and by how much dearer their ends are. */
GB_FN void gb_coarse_way_costs(const int64_t *first, const int32_t *to, int64_t places, const double *point,
                               const double *dearer, double unit, int32_t *cost);

/* Writes for each place in a crossing the one of the same obstacle, at most `aside` away, that has most room, the nearest of
 * such; for others themselves.  kind: (places) the obstacle crossed, or negative. */
GB_FN void gb_coarse_roomiest_nearby(const double *point, const double *room, const int32_t *kind, int64_t places,
                                     double aside, int32_t *found);

/* Writes the highest top and the lowest bottom of what a clip gets over and under, so thick and square to its way.  What is to
 * be crossed lies between where the body is first and where it is last, slab after slab along the clip; a body that is low all
 * the way gets under things of any thickness. */
GB_FN void gb_clip_room_across(const gb_actions *actions, int64_t clip, double thickness, double *over, double *under);

/* Writes the least widths (P) of pieces, square to one of the sides, and its directions (P, 2); 0, 0 for discs. */
GB_FN void gb_pieces_thinnest(const gb_pieces *pieces, double *width, double *across);

#define GB_MAP_FREE 16          /* price of a metre of free ground */
#define GB_MAP_BORDER 2         /* cells at each edge of a map that are closed */
#define GB_WAY_MARGIN_SHARE 16  /* ways are looked for that are longer by this part of the best */
#define GB_WAY_BUCKETS 1024

enum { GB_PIECE_FREE, GB_PIECE_CROSSED, GB_PIECE_CLOSED }; /* what a piece is to a character that walks up to it */

/* How a map is drawn. */
typedef struct gb_map_style {
    double slim_m;   /* metres: nearer to a closed piece no root can be */
    double roomy_m;  /* metres: farther from all closed pieces ground is free; above slim_m */
    double tight;    /* times as dear where a root only just fits, at least 1 */
    double narrow;   /* how much dearer it gets from roomy_m to 0 m of room, at least 0 */
    double crossing; /* times as dear in what is crossed, at least 1 */
    double steep;    /* times as dear where the ground rises more than `slope`, at least 1 */
    double slope;    /* metres a metre */
} gb_map_style;

#define GB_MAP_UNKNOWN 1 /* price of a cell that is not drawn yet */

/* A coarse map: what a metre costs in each of its cells.  It is drawn where it is looked at, square by square of the world, by
 * one thread at a time. */
typedef struct gb_map {
    double x0; /* where cell (0, 0) begins */
    double y0;
    double cell_m; /* above 0 */
    int64_t rows;
    int64_t columns;
    uint8_t *price;       /* (rows, columns) sixteenths of what a free metre costs; 0: closed; the caller's */
    uint8_t *crossing;    /* (rows, columns) whether something is crossed there, where drawn; the caller's */
    int32_t has_crossing; /* whether it is anywhere; written when the map is begun */
    const gb_world *world;
    const uint8_t *kinds; /* (P) of pieces */
    const gb_map_style *style;
    uint16_t *notes;      /* (rows, columns) the caller's, only written */
} gb_map;

/* Begins a map, of which nothing but the border is drawn. */
GB_FN void gb_map_begin(gb_map *map);

/* Draws all of a map that is not drawn yet. */
GB_FN void gb_map_draw(gb_map *map);

/* Returns the cell at a place, row * columns + column, or GB_NOTHING outside. */
GB_FN int64_t gb_map_cell(const gb_map *map, double x, double y);

/* Returns the open cell at a place or the nearest one within some metres, or GB_NOTHING. */
GB_FN int64_t gb_map_open_cell(gb_map *map, double x, double y, double within_m);

/* The ways over a map to a goal. */
typedef struct gb_way {
    gb_map *map;        /* of the last spread */
    double cells_per_m;
    double unit_m;      /* metres of a unit of `left` */
    double goal_x;
    double goal_y;
    double start_x;
    double start_y;
    double beyond_m;    /* metres from start to goal by way of any cell that was not looked for, at least */
    int32_t *left;      /* (rows, columns) cost to the goal in eightieths of a free cell; -1: not looked for; the caller's */
    int32_t *buckets;   /* (GB_WAY_BUCKETS) the caller's */
    int32_t *queue;     /* (queue_room, 2) the caller's */
    int32_t queue_room; /* at least 16 times the number of cells, or ways may be missed */
    int32_t queued;
} gb_way;

/* Finds the ways to a goal, a disc of radius `goal_within_m`, from a start and from all places on ways that are at most `margin_m` and a part longer.
 * Returns whether there is one; writes `left`. */
GB_FN int32_t gb_way_spread(gb_way *way, gb_map *map, double goal_x, double goal_y, double goal_within_m,
                            double start_x, double start_y, double margin_m);

/* Returns whether the way from a place crosses something within some metres. */
GB_FN int32_t gb_way_crosses(const gb_way *way, double x, double y, double within_m);

/* Returns about how long the way from a place is, in metres of free ground. */
GB_FN double gb_way_length(const gb_way *way, double x, double y);

/* ---- Trip: a whole way, by a search whose edges are paths of trees --------------------------------------------------- */

#define GB_TRIP_TREES 16   /* most trees of a trip */
#define GB_TRIP_STEP -1    /* in the place of a tree: a single step */
#define GB_TRIP_TIMES 3    /* how often a node is expanded at most, wider each time */

/* A node of a tree, as its parent sees it. */
typedef struct gb_branch {
    float x;      /* in the frame of the root */
    float y;
    float cosine; /* of the heading */
    float sine;
    int32_t node;
    int64_t cost; /* units from the root, for the character */
} gb_branch;

/* The nodes of a tree by their parents. */
typedef struct gb_branches {
    const int32_t *first;   /* (N + 1) entries of each node's children: from its own to the next node's */
    const gb_branch *entry; /* (N - 1) by parent */
} gb_branches;

/* What trips of one character in one world read; B behaviors.  Row B of the matrices is the start's. */
typedef struct gb_trip_tables {
    gb_world *world;           /* what stands near expanded states is laid out */
    const gb_traffic *traffic;
    const gb_actions *actions;
    const gb_moves *moves;
    const gb_query *query;     /* start, legs and what may end them; no fields are read */
    gb_map *map;
    int64_t trees;             /* 1 to GB_TRIP_TREES */
    const gb_tree_tables *tree[GB_TRIP_TREES];
    const gb_branches *branches[GB_TRIP_TREES];
    const uint8_t *end_groups[GB_TRIP_TREES]; /* (L, G) groups of a tree that hold what may end each leg */
    const uint8_t *may_use;    /* (B + 1, GB_TRIP_TREES) whether a tree goes on after a behavior */
    const uint8_t *allowed;    /* (B + 1, B) what may follow */
    const int64_t *extra;      /* (B + 1, B) units that the transition costs */
    const uint8_t *has_extra;  /* (B + 1) whether any of them is not 0 */
    const double *overhead;    /* (B + 1) units, at least, that the next step costs beyond the metres that it brings */
    const uint8_t *rests;      /* (B + 1) whether the character is at rest after it */
    const uint8_t *goes_on;    /* (B) whether any tree goes on after it */
    const uint8_t *crosses;    /* (B) whether it is there to cross something */
    int32_t ground_costs;      /* whether rise and fall cost anything */
} gb_trip_tables;

/* A state of a trip, and what led there. */
typedef struct gb_trip_node {
    double x;
    double y;
    double heading;
    double cosine;    /* of the heading, about */
    double sine;
    double left;      /* about the cost that is left, units */
    int64_t cost;     /* units from the start */
    int64_t frame;
    int64_t by;       /* node of the tree, or clip of the single step, that led here */
    int64_t slot;     /* of the table of states */
    int32_t behavior; /* played last; -1: none */
    int32_t leg;
    int32_t parent;   /* -1 at the start */
    int32_t tree;     /* that led here; GB_TRIP_STEP: a single step */
    int32_t times;    /* it was expanded */
    uint8_t arrived;  /* whether it is at the last goal */
    uint8_t on_way;   /* whether the path that led here goes on */
    uint8_t tested;   /* whether all clips that led here were tested whole */
    uint8_t tried;    /* whether clips that cross something were tried from here */
} gb_trip_node;

/* A heap of a tree's branches that may be tried next. */
typedef struct gb_wishes {
    int64_t count;
    int64_t room;
    double *estimate; /* (room) */
    int32_t *entry;   /* (room) */
} gb_wishes;

/* How to search for a trip.  Lengths are for trees that reach 16 m; those that reach farther want longer ones. */
typedef struct gb_trip_settings {
    double weight;           /* of what is left where ends of a tree's paths are chosen, at least 1 */
    double haste;            /* of what is left where states are, until a trip is found, at least 1 */
    double calm;             /* the same from then on */
    double reach_m;          /* of trees, from the root: what stands there is laid out before a state is expanded */
    double near_m;           /* a goal is looked up from within this */
    double sure_m;           /* nearer than this, where a path is found, nothing else is looked for */
    double end_m;            /* from the root, where paths of a tree end */
    double least_m;          /* from the root, from where on states on the way are kept too */
    double apart_m;          /* between ends of paths */
    double ahead_m;          /* so far on is looked at where a state leads to */
    double crossing_m;       /* so far before something that is crossed, clips that cross are tried from every state */
    double margin_m;         /* ways on the map are looked for that are longer by this */
    int64_t ends;            /* of each tree's paths, for each state at first */
    int64_t tests;           /* of clips, for each end, before one gives up */
    int64_t hopeful;         /* expansions in vain after which ways are looked for on the whole map, and the search begins anew */
    int64_t most_expansions; /* of states, for a first trip, those in vain included */
    int64_t improve;         /* states expanded for a cheaper one after the first, where it is not much dearer than estimated */
    double most_more;        /* times as many more where it is */
} gb_trip_settings;

/* What a search for a trip did. */
typedef struct gb_trip_counts {
    int64_t nodes;
    int64_t open;
    int64_t expansions;
    int64_t look_ups;  /* times that a tree was asked */
    int64_t tests;     /* nodes of trees tried */
    int64_t samples;   /* instants of clips looked up in the world, by other than look-ups */
    int64_t goal_node; /* -1: none */
    int64_t nearest;   /* expanded node with the least cost left */
    int64_t ceiling;   /* only trips cheaper than this are of interest */
    double haste;      /* now */
} gb_trip_counts;

/* A search for a trip: what it reads, and what it writes.  Room for N nodes. */
typedef struct gb_trip {
    const gb_trip_tables *tables;
    gb_trip_settings settings;
    int64_t after;     /* behavior that was played before; -1: none, or that is said by row B */
    gb_way *ways;      /* (L) of the query's legs */
    gb_fan *fan;       /* room for B steps */
    gb_tree_scratch *scratch[GB_TRIP_TREES];
    int64_t node_room; /* N, at most 2^26 */
    gb_trip_node *nodes; /* (N) */
    int64_t *entries;    /* (2 * N) the open list */
    int64_t slot_count;  /* a power of two, at least 2 * N */
    int64_t *slots;      /* (slot_count, 4) all -1 at first: the table of states */
    gb_wishes wishes;
    gb_trip_counts counts; /* all 0 at first */
} gb_trip;

/* A step of a plan. */
typedef struct gb_trip_step {
    double x;
    double y;
    double heading;
    int64_t frame;
    int32_t behavior;
    int32_t clip; /* of the action table */
} gb_trip_step;

enum gb_trip_outcome {
    GB_TRIP_FOUND,
    GB_TRIP_NO_WAY,    /* the map shows none; that proves nothing */
    GB_TRIP_EXHAUSTED, /* trees lead no farther */
    GB_TRIP_STOPPED    /* as many states as allowed were expanded */
};

/* Finds a trip and improves it; returns a gb_trip_outcome.  Writes all that `trip` lets it write. */
GB_FN int32_t gb_trip_solve(gb_trip *trip);

/* Writes the steps from the start to a node, as far as there is room, and returns their number. */
GB_FN int64_t gb_trip_steps(const gb_trip *trip, int64_t node, gb_trip_step *steps, int64_t room);

/* ---- World making: clearance, bins, meshes -------------------------------------------------------------------------- */

/* Square cells that cover some bounds. */
typedef struct gb_grid {
    double x0; /* where cell (0, 0) begins */
    double y0;
    double cell_m;
    int64_t rows;
    int64_t columns;
} gb_grid;

/* What filling clearance needs beside: the caller's, only written, each of as many entries as there are pieces. */
typedef struct gb_clearance_scratch {
    double *distances;
    int64_t *in_district;
    int64_t *in_block;
} gb_clearance_scratch;

/* Writes the distance from each cell's centre to the nearest piece or bound, at most 0 inside one: clearance (rows, columns). */
GB_FN void gb_clearance_fill(const gb_pieces *pieces, const double *bounds, const gb_grid *grid, double *clearance,
                             const gb_clearance_scratch *scratch);

/* Writes bin, piece and gap of all pairs at most the piece's reach apart, and returns their number; those beyond `room` are
 * only counted.  reaches: (P) metres; negative: none.  The gap is at most the distance from any point of the bin to the piece. */
GB_FN int64_t gb_bins_within(const gb_pieces *pieces, const double *reaches, const gb_grid *grid, int64_t *bin,
                             int32_t *piece, double *gap, int64_t room);

/* Orders entries by bin, then gap; equals keep their order.  Writes order (count) and the first of each bin, first (bins + 1). */
GB_FN void gb_bins_sort(const int64_t *bin, const double *gap, int64_t count, int64_t bins, int64_t *order, int64_t *first);

/* Triangles of a mesh; seen from above, those that face up run counter-clockwise. */
typedef struct gb_mesh {
    const double *vertices;   /* (V, 3) metres */
    const int64_t *triangles; /* (T, 3) indices of vertices, each below V */
    int64_t count;            /* T */
} gb_mesh;

/* Writes the greatest height of a mesh at the points x0 + column * cell_m, y0 + row * cell_m of a grid, -infinity where there
 * is none: heights (rows, columns). */
GB_FN void gb_mesh_highest(const gb_mesh *mesh, const gb_grid *grid, double *heights);

/* Surfaces of a mesh above and below the middles of cells, L of them, by cell; all arrays are the caller's. */
typedef struct gb_layers {
    int64_t *first;    /* (rows * columns + 1) first layer of each cell */
    double *height;    /* (L) metres */
    int64_t *triangle; /* (L) increasing within a cell */
} gb_layers;

/* Counts layers of the walkable triangles (T) that face up: writes first, for gb_layers_fill only, and returns L. */
GB_FN int64_t gb_layers_count(const gb_mesh *mesh, const uint8_t *is_walkable, const gb_grid *grid,
                              const gb_layers *layers);

/* Writes what has been counted of the same. */
GB_FN void gb_layers_fill(const gb_mesh *mesh, const uint8_t *is_walkable, const gb_grid *grid,
                          const gb_layers *layers);

/* Writes a number for each layer, region (L), equal for those that steps of at most step_m from cell to cell connect. */
GB_FN void gb_layers_connect(const gb_layers *layers, const gb_grid *grid, double step_m, int64_t *region);

/* Parts of triangles in cells, N of them, by cell; all arrays are the caller's. */
typedef struct gb_touches {
    int64_t *first;    /* (rows * columns + 1) first touch of each cell */
    int64_t *triangle; /* (N) */
    double *low;       /* (N) metres: least height of the part */
    double *high;      /* (N) metres: greatest */
} gb_touches;

/* Counts parts in cells that count as larger by grow_m on all sides, or as smaller if it is negative: writes first, for
 * gb_touches_fill only, and returns N. */
GB_FN int64_t gb_touches_count(const gb_mesh *mesh, const gb_grid *grid, double grow_m, const gb_touches *touches);

/* Writes what has been counted of the same, in a cell by triangle. */
GB_FN void gb_touches_fill(const gb_mesh *mesh, const gb_grid *grid, double grow_m, const gb_touches *touches);

/* Writes corners in plan of the parts of triangles (N) in cells (N), grown likewise, and the part of each: points
 * (10 * N, 2) and touch_of (10 * N); returns their number. */
GB_FN int64_t gb_touches_corners(const gb_mesh *mesh, const gb_grid *grid, double grow_m, const int64_t *triangle,
                                 const int64_t *cell, int64_t count, double *points, int64_t *touch_of);

/* Writes the spans of heights that a connected mesh fills, by cell, then height: cells, bottoms and tops, room for 2 * N
 * each; and for each touch its span or GB_NOTHING, span_of (N); returns the number of spans.  The inside of a solid counts
 * as filled; touches that are ground (N) fill nothing.  In each cell touches are sorted by low. */
GB_FN int64_t gb_touches_spans(const gb_mesh *mesh, int32_t is_solid, const gb_grid *grid, const gb_touches *touches,
                               const uint8_t *is_ground, int64_t *cells, double *bottoms, double *tops,
                               int64_t *span_of);

/* Joins spans of a cell that are at most gap_m apart, in place, and writes for each its new one, merged (count); returns
 * their number.  They are sorted by cell, then bottom. */
GB_FN int64_t gb_spans_merge(int64_t *cells, double *bottoms, double *tops, int64_t count, double gap_m,
                             int64_t *merged);

/* S spans of heights in the cells of a grid, by cell. */
typedef struct gb_spans {
    int64_t rows;
    int64_t columns;
    const int64_t *first; /* (rows * columns + 1) first span of each cell */
    const double *bottom; /* (S) metres */
    const double *top;    /* (S) */
} gb_spans;

/* The size of a group of spans. */
typedef struct gb_group {
    int64_t spans; /* their number */
    double low;    /* metres: the least bottom */
    double high;   /* the greatest top */
} gb_group;

/* Writes the number of each span's group, groups (S), and returns how many there are: connected spans of cells side by side
 * whose bottoms differ by at most a tolerance, and so do their tops; waiting: (S), only written. */
GB_FN int64_t gb_spans_group(const gb_spans *spans, double tolerance_m, int64_t *waiting, int64_t *groups);

/* Writes groups (S) after spans of groups (count) of at most most_cells spans have moved to the largest of the larger ones
 * around them that fill their heights up to a tolerance; sizes: (count), only written. */
GB_FN void gb_spans_absorb(const gb_spans *spans, const int64_t *groups, int64_t count, double tolerance_m,
                           int64_t most_cells, gb_group *sizes, int64_t *absorbed);

/* Writes boxes that hold all spans, boxes (S, 6): first row, first column, rows, columns, bottom, top; returns their number.
 * Each begins at the first span that no box holds and grows along one axis, then along the other, in the better order; the
 * bottoms of those that it grows by differ by at most a tolerance, and so do their tops.  used: (S), only written. */
GB_FN int64_t gb_spans_cover(const gb_spans *spans, double tolerance_m, uint8_t *used, double *boxes);

/* Writes which of the points (count, 2), sorted by x, then y, are corners of their convex hull, counter-clockwise, and
 * returns their number; corners: room for 2 * count.  Points on a line have two, a single one itself. */
GB_FN int64_t gb_hull(const double *points, int64_t count, int64_t *corners);

/* Returns the area of a convex hull (count, 2). */
GB_FN double gb_hull_area(const double *hull, int64_t count);

/* Returns 1 where all cells (rows, columns) whose middles are inside a convex hull (count, 2) are allowed, else 0.  The first
 * cell begins at cell_m * (first_column, first_row). */
GB_FN int32_t gb_hull_is_within(const double *hull, int64_t count, const uint8_t *allowed, int64_t rows,
                                int64_t columns, int64_t first_row, int64_t first_column, double cell_m);

/* ---- Pose: clips to joints ------------------------------------------------------------------------------------------ */

/* Rotations are unit quaternions w, x, y, z.  Those of joints are local (relative to the parent joint) or in the world.
 * Angles come from the C library: a last bit may differ between processors, so nothing here is compared. */

/* Composes turns about three moving axes (3) of 0, 1 or 2: angles (count, 3) to rotations (count, 4). */
GB_FN void gb_rotation_from_euler(const double *angles, int64_t count, const int32_t *axes, double *rotations);

/* Splits tracks of rotations (frames, tracks, 4) into turns about three different moving axes: angles (frames, tracks, 3),
 * each as near to those of the frame before as can be. */
GB_FN void gb_rotation_to_euler(const double *rotations, int64_t frames, int64_t tracks, const int32_t *axes,
                                double *angles);

/* Composes local rotations (frames, joints, 4) of a file's angles: degrees (frames, channels).  columns (joints, 3): those
 * of a joint's turns, in order; -1 ends the list.  axes (joints, 3): about which each turns. */
GB_FN void gb_rotation_from_channels(const double *degrees, int64_t frames, int64_t channels, const int64_t *columns,
                                     const int64_t *axes, int64_t joints, double *rotations);

/* Scales rotations (frames, joints, 4) to unit length and flips them into the hemisphere of the frame before.  Returns the
 * first frame with one that is farther than `tolerance` from unit length or no number, where it stops; -1 without any. */
GB_FN int64_t gb_rotation_settle(double *rotations, int64_t frames, int64_t joints, double tolerance);

/* Works out where joints are in the world: offsets (frames, joints, 3), or (1, joints, 3) where all bones are rigid, roots
 * (frames, 3) and local rotations (frames, joints, 4) to positions and rotations.  parents: each less than its joint. */
GB_FN void gb_pose_place(const int32_t *parents, int64_t joints, const double *offsets, int32_t is_rigid,
                         const double *roots, const double *rotations, int64_t frames, double *world_positions,
                         double *world_rotations);

/* Turns the two bones of limbs so that their ends meet targets (count, 3), as far as `limit`, a share of a limb's length,
 * lets them.  joints (count, 3, 3): root, middle, end; hinges (count, 3): unit axes about which they bend forward.  Writes
 * turns in the world (count, 2, 4), and where the ends then are (count, 3). */
GB_FN void gb_limb_reach(const double *joints, const double *targets, const double *hinges, int64_t count, double limit,
                         double *turns, double *reached);

/* C clips of one skeleton with M frames in all, margins included; J joints, P contact points, L limbs. */
typedef struct gb_clip_frames {
    double rate_hz;
    int64_t joints;               /* J */
    int64_t points;               /* P */
    int32_t is_rigid;             /* all bones keep their lengths */
    const int64_t *first;         /* (C) row of each clip's first frame: the first of its margin */
    const int64_t *margin;        /* (C) frames before and after the clip itself */
    const int64_t *recorded;      /* (C, 2) captured frames in the margins before and after */
    const int64_t *steps;         /* (C) frames from the clip's first to its last, without margins */
    const double *end;            /* (C, 3) x, y, heading: the path's last pose */
    const double *root_positions; /* (M, 3) metres */
    const double *rotations;      /* (M, J, 4) local */
    const double *offsets;        /* (M, J, 3) metres, or (1, J, 3) where all bones are rigid */
    const uint8_t *planted;       /* (M, P) whether each contact point rests */
    const double *hinges;         /* (C, L, 3) of each limb's middle joint, in the frame of its root */
} gb_clip_frames;

/* L limbs, legs first, with P contact points and S points of soles; all points are fixed to joints. */
typedef struct gb_limbs {
    int64_t joints;             /* J */
    int64_t limbs;              /* L */
    int64_t points;             /* P */
    int64_t soles;              /* S */
    int64_t support;            /* joint of a moving board that the legs stand on; -1: none */
    const int32_t *parents;     /* (J) each less than its joint; -1: the root */
    const int64_t *chain;       /* (L, 3) root, middle and end joint, each below the one before */
    const uint8_t *is_leg;      /* (L) */
    const uint8_t *is_own;      /* (L, J) whether a joint is the limb's root or below it */
    const int64_t *point_limb;  /* (P) -1: none */
    const int64_t *point_joint; /* (P) */
    const double *point_offset; /* (P, 3) metres, in the joint's frame */
    const int64_t *sole_limb;   /* (S) the leg of a point that must not sink into the ground */
    const int64_t *sole_joint;  /* (S) */
    const double *sole_offset;  /* (S, 3) metres, in the joint's frame */
} gb_limbs;

/* N frames around a join, an odd number, seen from the join's pose; the middle one is the join itself. */
typedef struct gb_window {
    int64_t frames;    /* N */
    double *roots;     /* (N, 3) metres */
    double *rotations; /* (N, J, 4) local */
    double *offsets;   /* (N, J, 3) metres, or (1, J, 3) */
    uint8_t *planted;  /* (N, P) */
} gb_window;

/* Returns how many frames on either side of their join two clips are blended. */
GB_FN int64_t gb_join_window(const gb_clip_frames *clips, int64_t a, int64_t b);

/* Returns how many doubles of room it takes to blend a number of frames on either side. */
GB_FN int64_t gb_join_room(const gb_clip_frames *clips, int64_t window);

/* Blends clip a with clip b after it into 2 * gb_join_window + 1 frames; is_clean: with feet and hands planted and the
 * root's corner rounded. */
GB_FN void gb_join_blend(const gb_clip_frames *clips, const gb_limbs *limbs, int64_t a, int64_t b, int32_t is_clean,
                         double *room, const gb_window *mixed);

/* N blends with W frames in all, each seen from its join's pose, in single precision. */
typedef struct gb_joins {
    int64_t count;         /* N */
    const int64_t *first;  /* (N) row of each blend's first frame */
    const int64_t *window; /* (N) gb_join_window */
    float *root_positions; /* (W, 3) metres */
    float *rotations;      /* (W, J, 4) local */
    float *offsets;        /* (W, J, 3) metres, or (1, J, 3) where all bones are rigid: then not written */
    uint8_t *planted;      /* (W, P) */
} gb_joins;

/* Blends pairs (N, 2) of clips and writes all frames of `joins`.  room: gb_join_room of the widest. */
GB_FN void gb_joins_fill(const gb_clip_frames *clips, const gb_limbs *limbs, const int64_t *pairs, const gb_joins *joins,
                         double *room);

/* The spheres at both ends of every segment of a body: cylinders that contain them contain the body. */
typedef struct gb_spheres {
    int64_t count;
    const int64_t *joint; /* (count) */
    const double *offset; /* (count, 3) metres, in the joint's frame */
    const double *radius; /* (count) metres */
    const int64_t *part;  /* (count) the cylinder that must contain it, 0 to 7 */
} gb_spheres;

/* The swept shapes of clips with S instants in all, which grow. */
typedef struct gb_shapes {
    int64_t frames_per_step; /* frames of a planning frame */
    const int64_t *first;    /* (C) each clip's first instant */
    const double *path;      /* (S, 3) x, y, heading */
    double *offset;          /* (S, 8, 2) metres */
    double *radius;          /* (S, 8) metres */
    double *low;             /* (S, 8) metres */
    double *high;            /* (S, 8) metres */
} gb_shapes;

/* Blends pairs (count, 2) of clips and grows the shapes of both until they contain the blended frames.  room: as above. */
GB_FN void gb_shapes_hold_joins(const gb_clip_frames *clips, const gb_limbs *limbs, const int64_t *pairs, int64_t count,
                                const gb_spheres *spheres, const gb_shapes *shapes, double *room);

/* Lays a sequence of clips end to end: step_clips (steps), and step_joins (steps - 1) between them.  Writes for each frame
 * its row in the clips, or in the joins as ~row, and the pose that places it: 2 * step is a step's start, 2 * step + 1 its
 * end. */
GB_FN void gb_playback_lay_out(const gb_clip_frames *clips, const gb_joins *joins, const int64_t *step_clips, int64_t steps,
                               const int64_t *step_joins, int64_t *rows, int64_t *anchors);

/* Writes roots (frames, 3) and local rotations (frames, J, 4) of what is laid out; poses (2 * steps, 3) by anchor. */
GB_FN void gb_playback_play(const gb_clip_frames *clips, const gb_joins *joins, const int64_t *rows, const int64_t *anchors,
                            int64_t frames, const double *poses, double *roots, double *rotations);

/* A mesh whose vertices follow joints. */
typedef struct gb_skin {
    int64_t vertices;      /* V */
    int64_t joints;        /* J */
    int64_t influences;    /* I: the most joints that move a vertex */
    const double *places;  /* (V, 3) metres, at rest */
    const int32_t *owners; /* (V, I) joints */
    const double *weights; /* (V, I) not negative, rows sum to 1 */
} gb_skin;

/* Places the vertices (frames, V, 3): turns (frames, J, 3, 3) and shifts (frames, J, 3) take a point that is fixed to a joint
 * from its place at rest to the world. */
GB_FN void gb_skin_place(const gb_skin *skin, const double *turns, const double *shifts, int64_t frames, double *placed);

/* Writes unit normals (count, 3) of vertices (count, 3): the mean of the triangles (T, 3) around each, weighted by their area;
 * upward where there are none. */
GB_FN void gb_skin_normals(const double *vertices, int64_t count, const int32_t *triangles, int64_t triangle_count,
                           double *normals);

/* Writes for each vertex the means (vertices, columns) of its neighbours' values: those of neighbours[first[v]] to
 * neighbours[first[v + 1] - 1], at least one. */
GB_FN void gb_skin_average(const int64_t *first, const int32_t *neighbours, int64_t vertices, const double *values,
                           int64_t columns, double *means);

/* ---- Check: bodies at full rate; shares no code with anything above -------------------------------------------------- */

/* A body is capsules; the ends of their axes move straight and evenly from frame to frame.  Nothing is missed between frames:
 * a stretch of time is halved until what moves in it cannot come near enough. */

/* Columns of a row that says what was found: which body meets which, or what, the number of the frame, tick or slice, when, how deep,
 * where (x, y, z), and by which capsules. */
enum gb_check_column {
    GB_CHECK_FIRST,
    GB_CHECK_SECOND,
    GB_CHECK_MOMENT,
    GB_CHECK_TIME,
    GB_CHECK_DEPTH,
    GB_CHECK_PLACE,
    GB_CHECK_CAPSULE = 8,
    GB_CHECK_OTHER_CAPSULE,
    GB_CHECK_COLUMNS,
    GB_CHECK_LEAVES = -1 /* not a thing: the bounds */
};

/* Room for what is found. */
typedef struct gb_check_rows {
    int64_t room;
    double *rows; /* (room, 10) */
} gb_check_rows;

/* Room to work in, of one thread; only written. */
typedef struct gb_check_room {
    int64_t capsules; /* of any body, at most */
    double *axes;     /* (2, capsules, 6) */
    double *tracks;   /* (2, capsules, 16) */
    int32_t *near;    /* (capsules) */
} gb_check_room;

/* T things made of P convex pieces, on S spans of time in each of which a thing moves evenly. */
typedef struct gb_check_things {
    int64_t count;               /* T */
    const double *corner_x;      /* (V) metres, in the thing's own frame; counter-clockwise */
    const double *corner_y;      /* (V) */
    const int64_t *piece_corner; /* (P + 1) first corner of each piece, which has at least one */
    const double *rounding;      /* (P) metres by which a piece reaches beyond its corners, at least 0 */
    const int64_t *thing_piece;  /* (T + 1) first piece of each thing */
    const double *reach;         /* (T) metres around a thing's origin that contain it */
    const int64_t *thing_span;   /* (T + 1) first span of each thing; its spans are in order of time */
    const double *span_from;     /* (S) seconds */
    const double *span_to;       /* (S) seconds, after `span_from` */
    const double *pose_from;     /* (S, 3) x, y, heading */
    const double *pose_to;       /* (S, 3) */
    const double *heights_from;  /* (S, 2) bottom and top above the local ground */
    const double *heights_to;    /* (S, 2) */
    const double *span_disc;     /* (S, 3) x, y and radius of a disc that contains the thing during the span */
} gb_check_things;

/* Heights at points of a grid, bilinear between them, constant beyond the outermost. */
typedef struct gb_check_ground {
    int32_t is_flat; /* level at height 0: the other fields do not count, but for `stretch` */
    double x0;
    double y0;
    double cell_m;
    int64_t rows;    /* at least 2 */
    int64_t columns; /* at least 2 */
    const double *heights; /* (rows, columns) metres */
    double stretch;  /* at least 1: heights above the ground stretch distances at most by this factor */
    double piece_m;  /* metres in the ground plane over which the ground counts as straight */
} gb_check_ground;

/* What bodies must stay out of, and the bounds in which they must stay. */
typedef struct gb_check_world {
    gb_check_things things;
    gb_check_ground ground;
    double bounds[4];   /* least x, least y, greatest x, greatest y */
    double depth_limit; /* metres, at least 0: a capsule less deep in a thing or beyond the bounds is no finding */
} gb_check_world;

/* P bodies with C capsules in all, at frames around some stretch of time. */
typedef struct gb_check_cast {
    int64_t bodies;               /* P */
    const double *start_s;        /* (P) of each motion; before it, the body stands in its first pose */
    const double *rate_hz;        /* (P) above 0 */
    const int64_t *frame_count;   /* (P) of the whole motion; after the last, the body stands in its last pose */
    const int64_t *capsule_first; /* (P + 1) */
    const double *radius;         /* (C) metres */
    const int64_t *frame_first;   /* (P) first placed frame */
    const int64_t *frame_last;    /* (P) last placed frame */
    const int64_t *row_first;     /* (P) row of the first capsule of the first placed frame; capsules, then frames */
    const double *axes;           /* (R, 6) metres: start and end of the axes in the world */
} gb_check_cast;

/* Writes rows of collisions and departures of bodies from a time to another: of each between two frames, and of each frame.
 * Returns their number, which may be more than there is room for. */
GB_FN int64_t gb_check_collisions(const gb_check_cast *cast, double time_from, double time_to,
                                  const gb_check_world *world, gb_check_room *room, gb_check_rows *rows);

/* Writes rows of the deepest touch in every slice of time of every two bodies; edges: (slices + 1) times, boxes: (P, 6), only
 * written.  Returns their number, which may be more than there is room for. */
GB_FN int64_t gb_check_touches(const gb_check_cast *cast, const double *edges, int64_t slices, int64_t first_slice,
                               double *boxes, gb_check_room *room, gb_check_rows *rows);

/* Capsules of K kinds of characters in all their R frames, each seen from the pose that places the frame; G clips and B blends
 * of two clips are made of frames. */
typedef struct gb_check_figures {
    const int64_t *frames_per_step; /* (K) delivered frames in a planning frame */
    int64_t ticks_per_step;         /* ticks in a planning frame: in a tick, all characters move straight */
    const int64_t *capsule_first;   /* (K + 1) */
    const double *radius;           /* (C) metres */
    const int64_t *kind_clip;       /* (K + 1) first clip of each kind */
    const int64_t *clip_first;      /* (G) row of each clip's first frame, without margin */
    const int64_t *clip_steps;      /* (G) frames from the clip's first to its last */
    const double *clip_end;         /* (G, 3) the path's last pose */
    const int64_t *blend_first;     /* (B) row of each blend's first frame */
    const int64_t *blend_window;    /* (B) frames on either side of the join */
    const int64_t *axis_first;      /* (R) number of a row's first axis */
    const float *axes;              /* (A, 6) metres: start and end */
    const double *disc;             /* (R, 3) x, y and radius of a disc in the ground plane around all capsules */
} gb_check_figures;

/* The S steps of N characters; the steps of one character follow each other. */
typedef struct gb_check_steps {
    double rate_hz;            /* planning frames a second */
    int64_t characters;        /* N */
    const int32_t *kind;       /* (N) */
    const int64_t *begin;      /* (N) first planning frame */
    const int64_t *end;        /* (N) last planning frame */
    const int64_t *first_step; /* (N + 1) */
    const uint16_t *clip;      /* (S) number of the clip within the kind */
    const int32_t *frame;      /* (S) planning frame, at least 0, increasing for each character */
    const double *pose;        /* (S, 3) x, y, heading where the clip begins */
    const int32_t *join;       /* (S) blend with the next step, -1 for none */
} gb_check_steps;

/* All characters at the delivered frames of a stretch of time; columns count from each one's first frame in it. */
typedef struct gb_check_block {
    int64_t columns; /* F */
    int64_t *first;  /* (N) first delivered frame; a character's own frames count from time 0 */
    int64_t *last;   /* (N) last delivered frame; of a figure that is not there, before the first */
    int64_t *row;    /* (N, F) of gb_check_figures */
    double *anchor;  /* (N, F, 4) the pose that places it: x, y, cosine and sine */
    double *disc;    /* (N, F, 3) x, y and radius of a disc around the body */
    double *box;     /* (N, 4) least x, y, greatest x, y during the stretch */
} gb_check_block;

/* A crowd in a stretch of time. */
typedef struct gb_check_crowd {
    const gb_check_figures *figures;
    const gb_check_steps *steps;
    const gb_check_block *block;
} gb_check_crowd;

/* Parts of things that characters may meet in a stretch of time. */
typedef struct gb_check_nearby {
    const int64_t *first;     /* (N + 1) first part of each character */
    const int64_t *parts;     /* (M, 3) thing, its first piece, one past its last; for each character in order of things */
    int64_t standing;         /* number of standing things, which come first: each of their parts is one piece */
    const double *piece_pose; /* (P, 4) x, y, cosine and sine of the pieces of standing things */
} gb_check_nearby;

/* Writes x, y and radius of discs (frames, 3) around capsules whose axes are (frames, capsules, 6), larger by a margin. */
GB_FN void gb_check_fill_discs(const float *axes, const double *radius, int64_t capsules, double margin, double *discs,
                               int64_t frames);

/* Writes a block from a planning frame to another. */
GB_FN void gb_check_lay_block(const gb_check_figures *figures, const gb_check_steps *steps, int64_t frame_from,
                              int64_t frame_to, gb_check_block *block);

/* Writes the axes (capsules, 6) of a character's capsules at a column of its block. */
GB_FN void gb_check_place_frame(const gb_check_crowd *crowd, int64_t who, int64_t column, double *axes);

/* Writes rows of a crowd's collisions and departures, of each between two frames and of each frame.  Returns their number,
 * which may be more than there is room for. */
GB_FN int64_t gb_check_crowd_collisions(const gb_check_crowd *crowd, const gb_check_world *world,
                                        const gb_check_nearby *nearby, gb_check_room *room, gb_check_rows *rows);

/* Writes rows of the touches of pairs (P, 2) of characters, of each tick.  Returns their number, which may be more than there
 * is room for. */
GB_FN int64_t gb_check_crowd_touches(const gb_check_crowd *crowd, const int64_t *pairs, int64_t pair_count,
                                     gb_check_room *room, gb_check_rows *rows);

/* Returns the least signed distance from a segment (6) to a piece of a thing between two heights (2), in the thing's frame;
 * writes where on the segment (0 to 1) it is. */
GB_FN double gb_check_axis_distance(const gb_check_things *things, int64_t piece, const double *heights,
                                    const double *segment, double *where);

/* Returns the distance between two segments (6); writes where on each (0 to 1) it is. */
GB_FN double gb_check_segment_distance(const double *one, const double *two, double *where);

/* ---- Picture: triangles to pixels ------------------------------------------------------------------------------------ */

/* The mapping from the world to samples, of a camera or a lamp. */
typedef struct gb_view {
    double eye[3];           /* metres */
    double right[3];         /* unit vectors of the world */
    double down[3];
    double forward[3];
    double focal;            /* samples per unit of x / depth in perspective, else samples per metre */
    double per_focal;        /* 1 / focal */
    double center_x;         /* samples */
    double center_y;         /* samples */
    double near_m;           /* nearer things are not drawn; above 0 in perspective */
    int32_t is_perspective;
} gb_view;

/* Samples that keep the nearest surface; sample (row, column) lies at (column + 0.5, row + 0.5). */
typedef struct gb_samples {
    int64_t rows;
    int64_t columns;
    float *nearness;  /* (rows, columns) grows toward the viewer: 1 / depth in perspective, else -depth; counts only where
                       * there is something, or without numbers, where -infinity is nothing */
    int32_t *numbers; /* (rows, columns) of the nearest triangle or stroke; -1: nothing.  NULL: nobody asks */
} gb_samples;

/* S straight strokes with round ends. */
typedef struct gb_strokes {
    int64_t count;             /* S */
    const double *starts;      /* (S, 3) metres */
    const double *ends;        /* (S, 3) */
    const double *half_widths; /* (S) samples, above 0 */
    double lift_m;             /* strokes are drawn this much nearer than they are, so that lines on a surface are visible */
} gb_strokes;

/* Draws T triangles (T, 3) of V points (V, 3) of the world, clipped at the near plane and numbered by index, into samples;
 * screen: (V, 3) and is_ahead: (V), only written. */
GB_FN void gb_picture_draw_triangles(const gb_view *view, const double *vertices, int64_t vertex_count,
                                     const int32_t *triangles, int64_t triangle_count, double *screen,
                                     uint8_t *is_ahead, gb_samples *into);

/* Draws strokes into samples, numbered from `first_number` on. */
GB_FN void gb_picture_draw_strokes(const gb_view *view, const gb_strokes *strokes, int32_t first_number,
                                   gb_samples *into);

/* Blurs what the key lamp sees (rows, columns; nearness) by a deviation in texels, empty texels as if at `far`, for soft
 * shadows; room: (rows, columns), only written. */
GB_FN void gb_picture_soften_lamp(float *nearness, int64_t rows, int64_t columns, double deviation, double far,
                                  float *room);

/* Returns the numbers of room that gb_picture_shade_floor needs. */
GB_FN int64_t gb_picture_floor_room(int64_t rows, int64_t columns);

/* Writes the share of light (rows, columns; 0 to 1) that reaches texels of the ground, by the heights of the lowest bodies
 * toward the key lamp and straight above; infinity: none.  room is only written. */
GB_FN void gb_picture_shade_floor(const float *key_heights, const float *contact_heights, int64_t rows, int64_t columns,
                                  double texel_m, float *room, float *share);

/* All triangles and strokes of a picture; strokes are numbered after the T triangles.  Each shows one of M colors. */
typedef struct gb_surfaces {
    int64_t triangle_count;   /* T */
    const double *vertices;   /* (V, 3) metres */
    const double *normals;    /* (V, 3) unit */
    const int32_t *triangles; /* (T, 3) indices of vertices */
    const int32_t *owners;    /* (T + S) index of the color */
    const double *colors;     /* (M, 3) linear, 0 to 1 */
    const uint8_t *is_ground; /* (M) whether surfaces of the color are ground, which receives soft shadows */
} gb_surfaces;

/* Two distant lamps and the light from all around; colors are linear. */
typedef struct gb_lamps {
    double key[3]; /* unit, toward the lamp */
    double key_color[3];
    double fill[3]; /* unit, toward the lamp */
    double fill_color[3];
    double sky_color[3];    /* from above */
    double bounce_color[3]; /* from the ground */
} gb_lamps;

/* An endless floor that fades into a background; colors are linear. */
typedef struct gb_backdrop {
    double ground[3];   /* height at the origin, slope along x, slope along y */
    double center_x;    /* metres: the floor is visible around this place */
    double center_y;
    double per_fade;    /* 1 / distance from the center at which the floor has faded away */
    double per_spacing; /* grid lines per metre */
    double line;        /* width of grid lines as a share of their spacing */
    double floor_color[3];
    double line_color[3];
    double top_color[3];
    double bottom_color[3];
} gb_backdrop;

/* The share of light that reaches the ground around the figures; 1 beyond the array. */
typedef struct gb_floor_light {
    double x; /* metres: center of the first texel */
    double y;
    double texels_per_m;
    int64_t rows;        /* along y */
    int64_t columns;     /* along x */
    const float *share;  /* (rows, columns) 0 to 1 */
} gb_floor_light;

/* All that a pixel's color depends on, besides the samples. */
typedef struct gb_picture {
    int64_t rows; /* of pixels */
    int64_t columns;
    int64_t per_pixel; /* samples along each side of a pixel */
    gb_view view;
    gb_surfaces surfaces;
    gb_lamps lamps;
    gb_backdrop backdrop;
    gb_floor_light floor;
    gb_view lamp_view; /* of the key lamp */
    int64_t lamp_rows;
    int64_t lamp_columns;
    const float *lamp_nearness; /* (lamp_rows, lamp_columns) the key lamp's map, blurred */
    int64_t pattern_count;
    const double *pattern; /* (pattern_count, 2) places in the unit disc, where occlusion looks */
    int64_t byte_count;    /* at least 2 */
    const uint8_t *bytes_of_light; /* (byte_count) sRGB bytes of linear light from 0 to 1, evenly spaced */
} gb_picture;

/* Writes pixels (rows, columns, 3) in sRGB from samples: surfaces are lit, the floor is shown elsewhere, all is averaged. */
GB_FN void gb_picture_paint(const gb_picture *picture, const gb_samples *samples, uint8_t *pixels);

/* The same skin in many poses: at rest it has unit normals (V, 3) and joints (J, 3); joints in the world are positions
 * (N, J, 3) and rotations (N, J, 4). */
typedef struct gb_figures {
    const gb_skin *skin;
    const double *normals;
    const double *rest;
    int64_t count; /* N */
    const float *positions;
    const float *rotations;
} gb_figures;

/* Writes vertices and unit normals (N, V, 3) of figures; turns: (J, 12), only written. */
GB_FN void gb_figures_pose(const gb_figures *figures, double *turns, double *vertices, double *normals);

#ifdef __cplusplus
}
#endif
#endif
