/* What blending one pair of clips reads and writes: windows of N frames around their join, the join in the middle. */
#ifndef GB_BLENDING_H
#define GB_BLENDING_H

#include "joints.h"

#include <stddef.h>

typedef struct gb_blending {
    const gb_clip_frames *clips;
    const gb_limbs *limbs;
    int64_t a; /* the clip before the join */
    int64_t b; /* the clip after it */
    gb_window before, after, mixed;
    gb_placed before_placed, after_placed, mixed_placed;
    double *before_points; /* (N, P, 3) contact points as clip a moves them */
    double *after_points;  /* (N, P, 3) as clip b does */
    double *weights;       /* (N) of clip b, of one limb */
    double *targets;       /* (N, 3) for the end of a limb */
    double *ends;          /* (N, 4) how it is to be turned */
    double *before_depths; /* (N) metres that a limb's sole is in the ground */
    double *after_depths;  /* (N) */
    double *before_costs;  /* (N) of following clip a up to a frame */
    double *after_costs;   /* (N) of following clip b after it */
} gb_blending;

/* Rises smoothly from 0 at the first frame to 1 at the last. */
static inline double gb_ramp(int64_t frame, int64_t first, int64_t last) {
    double t = (double)(frame - first) / gb_max((double)(last - first), 1.0);
    t = gb_min(gb_max(t, 0.0), 1.0);
    return t * t * (3.0 - 2.0 * t);
}

/* Works out the joints of a window. */
void gb_window_place(const gb_blending *blending, const gb_window *window, const gb_placed *placed);

/* Lays out windows of some frames and all other arrays in `room`, and returns how many doubles they take; without a
 * room it only counts them. */
int64_t gb_blending_lay_out(gb_blending *blending, const gb_clip_frames *clips, const gb_limbs *limbs, int64_t frames,
                            double *room);

/* Fills the mixed window of a blending that is laid out with the join of clips a and b. */
void gb_blend(gb_blending *blending, int64_t a, int64_t b, int32_t is_clean);

/* Puts feet and hands of the mixed window where the clips have them. */
void gb_plant_limbs(gb_blending *blending);

/* Whether a limb is planted in any frame of either clip. */
int gb_limb_stands(const gb_blending *blending, int64_t limb);

/* Chooses the first and last frame of a limb's changeover. */
void gb_choose_changeover(const gb_blending *blending, int64_t limb, int64_t *first, int64_t *last);

#endif
