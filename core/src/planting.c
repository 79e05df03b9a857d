/* Put the feet and hands of a blended window where the clips have them: bend arms and legs so that their ends reach
 * targets. */
#include "blending.h"

#include "two_bones.h"

#define REACH 0.996        /* share of a limb's length: it stretches no farther, unless its pose is straighter */
#define LIFTING_ROUNDS 3   /* the most that lift a sole out of the ground; more lifts more exactly */
#define LEAST_LIFT_M 0.001 /* metres: a sole may be this much deeper in the ground than in its clip */

/* ---- Bending ---- */

/* Turns the joints from `top` to the one above `bottom`; turns: one frame of placed rotations (J, 4). */
static void turn_chain(const int32_t *parents, int64_t top, int64_t bottom, gb_quaternion by, double *turns) {
    int64_t joint = bottom;
    do {
        joint = parents[joint];
        gb_quaternion_put(turns + 4 * joint, gb_quaternion_product(by, gb_quaternion_at(turns + 4 * joint)));
    } while (joint != top && joint > 0);
}

/* A joint's rotation relative to its parent's; turns: (J, 4) of one frame. */
static gb_quaternion local_turn(const int32_t *parents, int64_t joint, const double *turns) {
    gb_quaternion own = gb_quaternion_at(turns + 4 * joint);
    if (parents[joint] < 0) return own;
    return gb_quaternion_product(gb_quaternion_inverse(gb_quaternion_at(turns + 4 * parents[joint])), own);
}

/* Turns a limb's root, middle and end joint until the end is at the targets and turned as the ends.  The hinge is
 * the axis of the middle joint, in the frame of the limb's root.  Leaves joints as they were placed, but for
 * rotations of the limb. */
static void bend_limb(gb_blending *blending, int64_t limb, gb_vector hinge) {
    const gb_limbs *limbs = blending->limbs;
    const int64_t *chain = limbs->chain + 3 * limb;
    int64_t root = chain[0], middle = chain[1], end = chain[2];
    gb_window_place(blending, &blending->mixed, &blending->mixed_placed);
    for (int64_t frame = 0; frame < blending->mixed.frames; frame++) {
        const double *places = blending->mixed_placed.positions + 3 * frame * limbs->joints;
        double *turns = blending->mixed_placed.rotations + 4 * frame * limbs->joints;
        double *local = blending->mixed.rotations + 4 * frame * limbs->joints;
        gb_reach asked = {gb_vector_at(places + 3 * root), gb_vector_at(places + 3 * middle),
                          gb_vector_at(places + 3 * end), gb_vector_at(blending->targets + 3 * frame),
                          gb_quaternion_rotate(gb_quaternion_at(turns + 4 * root), hinge)};
        gb_reached found = gb_two_bones_reach(&asked, REACH);
        turn_chain(limbs->parents, root, middle, found.upper_turn, turns);
        turn_chain(limbs->parents, middle, end, found.lower_turn, turns);
        gb_quaternion_put(turns + 4 * end, gb_quaternion_at(blending->ends + 4 * frame));
        for (int number = 0; number < 3; number++)
            gb_quaternion_put(local + 4 * chain[number], local_turn(limbs->parents, chain[number], turns));
    }
}

/* How deep the lowest point of a leg's sole is in the ground, metres. */
static double depth_of(const gb_limbs *limbs, int64_t limb, const gb_placed *placed, int64_t frame) {
    double depth = 0.0;
    for (int64_t point = 0; point < limbs->soles; point++) {
        if (limbs->sole_limb[point] != limb) continue;
        int64_t row = frame * limbs->joints + limbs->sole_joint[point];
        depth = gb_max(depth, -gb_fixed_point(placed, row, limbs->sole_offset + 3 * point).z);
    }
    return depth;
}

/* Bends a limb of the mixed window to its targets, but no deeper into the ground than in the clips: the mix of two
 * feet on the ground may sink into it if one is turned relative to the other. */
static void bend_above_ground(gb_blending *blending, int64_t limb) {
    const gb_limbs *limbs = blending->limbs;
    gb_vector of_a = gb_vector_at(blending->clips->hinges + 3 * (blending->a * limbs->limbs + limb));
    gb_vector of_b = gb_vector_at(blending->clips->hinges + 3 * (blending->b * limbs->limbs + limb));
    double length;
    gb_vector hinge = gb_direction(gb_vector_plus(of_a, of_b), of_a, &length);
    int64_t frames = blending->mixed.frames;
    for (int64_t frame = 0; frame < frames; frame++) {
        blending->before_depths[frame] = depth_of(limbs, limb, &blending->before_placed, frame);
        blending->after_depths[frame] = depth_of(limbs, limb, &blending->after_placed, frame);
    }
    for (int round = 0; round < LIFTING_ROUNDS; round++) {
        int is_lifted = 0;
        bend_limb(blending, limb, hinge);
        gb_window_place(blending, &blending->mixed, &blending->mixed_placed);
        for (int64_t frame = 0; frame < frames; frame++) {
            const double *allowed = frame <= frames / 2 ? blending->before_depths : blending->after_depths;
            double lift = depth_of(limbs, limb, &blending->mixed_placed, frame) - allowed[frame];
            if (lift <= LEAST_LIFT_M) continue;
            blending->targets[3 * frame + 2] += lift;
            is_lifted = 1;
        }
        if (!is_lifted) return;
    }
}

/* ---- Aims ---- */

/* Mixes a limb's contacts and rotations by its own weights: a straight leg stays straight while it stands. */
static void follow(gb_blending *blending, int64_t limb) {
    const gb_limbs *limbs = blending->limbs;
    for (int64_t frame = 0; frame < blending->mixed.frames; frame++) {
        double weight = blending->weights[frame];
        const uint8_t *planted = weight < 0.5 ? blending->before.planted : blending->after.planted;
        for (int64_t point = 0; point < limbs->points; point++)
            if (limbs->point_limb[point] == limb)
                blending->mixed.planted[frame * limbs->points + point] = planted[frame * limbs->points + point];
        for (int64_t joint = 0; joint < limbs->joints; joint++) {
            if (!limbs->is_own[limb * limbs->joints + joint]) continue;
            int64_t row = 4 * (frame * limbs->joints + joint);
            gb_quaternion a = gb_quaternion_at(blending->before.rotations + row);
            gb_quaternion b = gb_quaternion_at(blending->after.rotations + row);
            gb_quaternion_put(blending->mixed.rotations + row, gb_quaternion_between(a, b, weight));
        }
    }
}

/* A place and a rotation. */
typedef struct frame_of {
    gb_vector at;
    gb_quaternion turn;
} frame_of;

static frame_of frame_at(const gb_placed *placed, int64_t row) {
    frame_of found = {gb_vector_at(placed->positions + 3 * row), gb_quaternion_at(placed->rotations + 4 * row)};
    return found;
}

/* A joint as it is seen from a moving support, or from the world if that is -1; first: row of the frame's first
 * joint. */
static frame_of from_support(const gb_placed *placed, int64_t first, int64_t joint, int64_t support) {
    frame_of seen = frame_at(placed, first + joint);
    if (support < 0) return seen;
    frame_of under = frame_at(placed, first + support);
    gb_quaternion back = gb_quaternion_inverse(under.turn);
    seen.at = gb_quaternion_rotate(back, gb_vector_minus(seen.at, under.at));
    seen.turn = gb_quaternion_product(back, seen.turn);
    return seen;
}

/* Writes where a limb's end should be, mixed from both clips: in the world, or on a support as it is mixed. */
static void aim_between(gb_blending *blending, int64_t limb, int64_t support) {
    int64_t end = blending->limbs->chain[3 * limb + 2];
    for (int64_t frame = 0; frame < blending->mixed.frames; frame++) {
        int64_t first = frame * blending->limbs->joints;
        double weight = blending->weights[frame];
        frame_of a = from_support(&blending->before_placed, first, end, support);
        frame_of b = from_support(&blending->after_placed, first, end, support);
        gb_vector at = gb_vector_of(a.at.x + weight * (b.at.x - a.at.x), a.at.y + weight * (b.at.y - a.at.y),
                                    a.at.z + weight * (b.at.z - a.at.z));
        gb_quaternion turn = gb_quaternion_between(a.turn, b.turn, weight);
        if (support >= 0) {
            frame_of under = frame_at(&blending->mixed_placed, first + support);
            at = gb_vector_plus(gb_quaternion_rotate(under.turn, at), under.at);
            turn = gb_quaternion_product(under.turn, turn);
        }
        gb_vector_put(blending->targets + 3 * frame, at);
        gb_quaternion_put(blending->ends + 4 * frame, turn);
    }
}

/* Writes where a limb's end is. */
static void aim_as_is(gb_blending *blending, int64_t limb) {
    int64_t end = blending->limbs->chain[3 * limb + 2];
    for (int64_t frame = 0; frame < blending->mixed.frames; frame++) {
        frame_of here = frame_at(&blending->mixed_placed, frame * blending->limbs->joints + end);
        gb_vector_put(blending->targets + 3 * frame, here.at);
        gb_quaternion_put(blending->ends + 4 * frame, here.turn);
    }
}

static void place_points(const gb_limbs *limbs, const gb_placed *placed, int64_t frames, double *points) {
    for (int64_t frame = 0; frame < frames; frame++)
        for (int64_t point = 0; point < limbs->points; point++) {
            int64_t row = frame * limbs->joints + limbs->point_joint[point];
            gb_vector at = gb_fixed_point(placed, row, limbs->point_offset + 3 * point);
            gb_vector_put(points + 3 * (frame * limbs->points + point), at);
        }
}

/* Limbs that stand around the join are planted; others stay as mixed, but legs are kept above the ground, and on the
 * board of a figure with a board. */
void gb_plant_limbs(gb_blending *blending) {
    const gb_limbs *limbs = blending->limbs;
    int64_t frames = blending->mixed.frames;
    gb_window_place(blending, &blending->before, &blending->before_placed);
    gb_window_place(blending, &blending->after, &blending->after_placed);
    place_points(limbs, &blending->before_placed, frames, blending->before_points);
    place_points(limbs, &blending->after_placed, frames, blending->after_points);
    for (int64_t limb = 0; limb < limbs->limbs; limb++) {
        int64_t first = 0, last = frames - 1;
        int is_planted = gb_limb_stands(blending, limb);
        if (!is_planted && !limbs->is_leg[limb]) continue;
        if (is_planted) gb_choose_changeover(blending, limb, &first, &last);
        for (int64_t frame = 0; frame < frames; frame++) blending->weights[frame] = gb_ramp(frame, first, last);
        int64_t support = is_planted ? -1 : limbs->support;
        int is_led = is_planted || support >= 0;
        if (is_led) follow(blending, limb);
        gb_window_place(blending, &blending->mixed, &blending->mixed_placed);
        if (is_led) aim_between(blending, limb, support);
        else aim_as_is(blending, limb);
        bend_above_ground(blending, limb);
    }
}
