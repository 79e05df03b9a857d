/* Blend two clips around their join, frame by frame, in the frame of the join's pose. */
#include "blending.h"

#define SETTLING_S 0.05  /* a difference in speed at a cut-off take fades over this time; larger is smoother */
#define ROUNDING_M 0.008 /* metres: the most by which the root cuts the corner between two paths; larger is smoother */

/* ---- Turns between rotations ---- */

/* Axis times angle of a unit quaternion; the angle is at most half a turn. */
static gb_vector rotation_vector(gb_quaternion q) {
    double sine = sqrt(q.x * q.x + q.y * q.y + q.z * q.z);
    if (sine < 1e-12) return gb_vector_of(0.0, 0.0, 0.0);
    double scale = (q.w >= 0.0 ? 2.0 : -2.0) * gb_atan2(sine, gb_abs(q.w)) / sine;
    return gb_vector_of(scale * q.x, scale * q.y, scale * q.z);
}

/* Turns a rotation in its own frame by axis times angle. */
static gb_quaternion turn_by(gb_quaternion q, gb_vector v) {
    double angle = gb_vector_length(v);
    double scale = angle < 1e-9 ? 0.5 : gb_sin(0.5 * angle) / angle;
    return gb_quaternion_product(q, gb_quaternion_of(gb_cos(0.5 * angle), scale * v.x, scale * v.y, scale * v.z));
}

/* Axis times angle that turns one rotation into another, in its own frame; both at their four numbers. */
static gb_vector turn_between(const double *from, const double *to) {
    return rotation_vector(gb_quaternion_product(gb_quaternion_inverse(gb_quaternion_at(from)), gb_quaternion_at(to)));
}

/* ---- Windows ---- */

static void copy(double *to, const double *from, int64_t count) {
    for (int64_t number = 0; number < count; number++) to[number] = from[number];
}

static void copy_bytes(uint8_t *to, const uint8_t *from, int64_t count) {
    for (int64_t number = 0; number < count; number++) to[number] = from[number];
}

/* Copies frames of the clips from a row on, seen from a planar pose: x, y, heading. */
static void cut_window(const gb_clip_frames *clips, int64_t row, const double *pose, gb_window *window) {
    int64_t joints = clips->joints, frames = window->frames;
    gb_quaternion back = gb_quaternion_of(gb_cos(0.5 * pose[2]), 0.0, 0.0, -gb_sin(0.5 * pose[2]));
    double cosine = gb_cos(pose[2]), sine = gb_sin(pose[2]);
    copy(window->roots, clips->root_positions + 3 * row, 3 * frames);
    copy(window->rotations, clips->rotations + 4 * row * joints, 4 * frames * joints);
    copy_bytes(window->planted, clips->planted + row * clips->points, frames * clips->points);
    if (clips->is_rigid) copy(window->offsets, clips->offsets, 3 * joints);
    else copy(window->offsets, clips->offsets + 3 * row * joints, 3 * frames * joints);
    for (int64_t frame = 0; frame < frames; frame++) {
        double *root = window->roots + 3 * frame, *turn = window->rotations + 4 * frame * joints;
        double east = root[0] - pose[0], north = root[1] - pose[1];
        root[0] = cosine * east + sine * north;
        root[1] = cosine * north - sine * east;
        gb_quaternion_put(turn, gb_quaternion_product(back, gb_quaternion_at(turn)));
    }
}

/* Replaces the frames beyond the join (step: 1 after, -1 before) by those of the neighbour, moved by the difference
 * in pose at the join; the difference in speed fades over `settling` frames.  So a take that ends exactly at a
 * contact still blends without a jerk. */
static void stand_in(const gb_clip_frames *clips, gb_window *own, const gb_window *other, int64_t step,
                     double settling) {
    int64_t frames = own->frames, anchor = frames / 2, joints = clips->joints, points = clips->points;
    for (int64_t frame = anchor + step; frame >= 0 && frame < frames; frame += step) {
        double past = (double)(step * (frame - anchor));
        double settled = (double)step * settling * (1.0 - gb_exp(-past / settling));
        double rate = (double)step * settled;
        for (int axis = 0; axis < 3; axis++) {
            const double *mine = own->roots + axis, *theirs = other->roots + axis;
            double faster = mine[3 * anchor] - mine[3 * (anchor - step)];
            faster -= theirs[3 * (anchor + step)] - theirs[3 * anchor];
            double apart = mine[3 * anchor] - theirs[3 * anchor];
            own->roots[3 * frame + axis] = theirs[3 * frame] + apart + (double)step * faster * settled;
        }
        for (int64_t joint = 0; joint < joints; joint++) {
            const double *mine = own->rotations + 4 * joint, *theirs = other->rotations + 4 * joint;
            const double *meeting = theirs + 4 * anchor * joints, *here = mine + 4 * anchor * joints;
            gb_vector apart = turn_between(meeting, here);
            gb_vector fast = turn_between(mine + 4 * (anchor - step) * joints, here);
            gb_vector slow = turn_between(meeting, theirs + 4 * (anchor + step) * joints);
            gb_vector by = gb_vector_of(apart.x + rate * (fast.x - slow.x), apart.y + rate * (fast.y - slow.y),
                                        apart.z + rate * (fast.z - slow.z));
            int64_t row = frame * joints + joint;
            gb_quaternion_put(own->rotations + 4 * row, turn_by(gb_quaternion_at(other->rotations + 4 * row), by));
        }
        if (!clips->is_rigid) copy(own->offsets + 3 * frame * joints, own->offsets + 3 * anchor * joints, 3 * joints);
        copy_bytes(own->planted + frame * points, other->planted + frame * points, points);
    }
}

/* Rounds the corner of the root's path at the join, which itself keeps its place.  With velocities v_a and v_b a
 * frame, the path moves by c(t) = -(v_b - v_a) / 2 |t| (1 - |t| / T)^2.  This makes the velocity continuous; c is
 * largest at T / 3, and T is as long as ROUNDING_M allows. */
static void round_corner(gb_window *mixed, const double *a, const double *b) {
    int64_t middle = mixed->frames / 2;
    if (middle < 1) return;
    const double *later_a = a + 3 * (middle + 1), *earlier_a = a + 3 * (middle - 1);
    const double *later_b = b + 3 * (middle + 1), *earlier_b = b + 3 * (middle - 1);
    double vx = 0.5 * (later_b[0] - earlier_b[0] - later_a[0] + earlier_a[0]);
    double vy = 0.5 * (later_b[1] - earlier_b[1] - later_a[1] + earlier_a[1]);
    double reach = gb_min((double)middle, 13.5 * ROUNDING_M / gb_max(gb_hypot(vx, vy), 1e-12));
    for (int64_t frame = 0; frame < mixed->frames; frame++) {
        double distance = gb_abs((double)(frame - middle));
        if (distance >= reach) continue;
        double left = 1.0 - distance / reach, cut = -0.5 * distance * (left * left);
        mixed->roots[3 * frame] += cut * vx;
        mixed->roots[3 * frame + 1] += cut * vy;
    }
}

/* Blends rotations, height and offsets of two windows; in the plane the root follows a to the join, then b. */
static void mix(const gb_clip_frames *clips, const gb_window *a, const gb_window *b, gb_window *mixed) {
    int64_t frames = mixed->frames, middle = frames / 2, joints = clips->joints, points = clips->points;
    copy(mixed->offsets, a->offsets, 3 * joints * (clips->is_rigid ? 1 : frames));
    for (int64_t frame = 0; frame < frames; frame++) {
        double weight = gb_ramp(frame, 0, frames - 1), *root = mixed->roots + 3 * frame;
        const gb_window *led = frame <= middle ? a : b;
        copy(root, led->roots + 3 * frame, 2);
        root[2] = (1.0 - weight) * a->roots[3 * frame + 2] + weight * b->roots[3 * frame + 2];
        for (int64_t row = frame * joints; row < (frame + 1) * joints; row++) {
            gb_quaternion of_a = gb_quaternion_at(a->rotations + 4 * row);
            gb_quaternion of_b = gb_quaternion_at(b->rotations + 4 * row);
            gb_quaternion_put(mixed->rotations + 4 * row, gb_quaternion_between(of_a, of_b, weight));
        }
        if (!clips->is_rigid)
            for (int64_t at = 3 * frame * joints; at < 3 * (frame + 1) * joints; at++)
                mixed->offsets[at] += weight * (b->offsets[at] - a->offsets[at]);
        copy_bytes(mixed->planted + frame * points, led->planted + frame * points, points);
    }
}

/* ---- Blends ---- */

void gb_window_place(const gb_blending *blending, const gb_window *window, const gb_placed *placed) {
    gb_pose_place(blending->limbs->parents, blending->clips->joints, window->offsets, blending->clips->is_rigid,
                  window->roots, window->rotations, window->frames, placed->positions, placed->rotations);
}

int64_t gb_join_window(const gb_clip_frames *clips, int64_t a, int64_t b) {
    int64_t window = gb_least(clips->margin[a], clips->margin[b]);
    return gb_least(window, gb_least(clips->steps[a], clips->steps[b]) / 2);
}

void gb_blend(gb_blending *blending, int64_t a, int64_t b, int32_t is_clean) {
    const gb_clip_frames *clips = blending->clips;
    int64_t window = blending->mixed.frames / 2;
    int64_t last_of_a = clips->first[a] + clips->margin[a] + clips->steps[a];
    const double origin[3] = {0.0, 0.0, 0.0};
    double settling = SETTLING_S * clips->rate_hz;
    blending->a = a;
    blending->b = b;
    cut_window(clips, last_of_a - window, clips->end + 3 * a, &blending->before);
    cut_window(clips, clips->first[b] + clips->margin[b] - window, origin, &blending->after);
    if (clips->recorded[2 * b] < window) stand_in(clips, &blending->after, &blending->before, -1, settling);
    if (clips->recorded[2 * a + 1] < window) stand_in(clips, &blending->before, &blending->after, 1, settling);
    mix(clips, &blending->before, &blending->after, &blending->mixed);
    if (!is_clean) return;
    round_corner(&blending->mixed, blending->before.roots, blending->after.roots);
    gb_plant_limbs(blending);
}

/* Takes `count` doubles of the room; without a room, only counts them. */
static double *take(double *room, int64_t *taken, int64_t count) {
    double *found = room == NULL ? NULL : room + *taken;
    *taken += count;
    return found;
}

int64_t gb_blending_lay_out(gb_blending *blending, const gb_clip_frames *clips, const gb_limbs *limbs, int64_t frames,
                            double *room) {
    int64_t taken = 0, rows = frames * clips->joints, marks = frames * clips->points;
    gb_window *windows[3] = {&blending->before, &blending->after, &blending->mixed};
    gb_placed *placed[3] = {&blending->before_placed, &blending->after_placed, &blending->mixed_placed};
    blending->clips = clips;
    blending->limbs = limbs;
    for (int number = 0; number < 3; number++) {
        windows[number]->frames = frames;
        windows[number]->roots = take(room, &taken, 3 * frames);
        windows[number]->rotations = take(room, &taken, 4 * rows);
        windows[number]->offsets = take(room, &taken, 3 * (clips->is_rigid ? clips->joints : rows));
        windows[number]->planted = (uint8_t *)take(room, &taken, (marks + 7) / 8);
        placed[number]->positions = take(room, &taken, 3 * rows);
        placed[number]->rotations = take(room, &taken, 4 * rows);
    }
    blending->before_points = take(room, &taken, 3 * marks);
    blending->after_points = take(room, &taken, 3 * marks);
    blending->weights = take(room, &taken, frames);
    blending->targets = take(room, &taken, 3 * frames);
    blending->ends = take(room, &taken, 4 * frames);
    blending->before_depths = take(room, &taken, frames);
    blending->after_depths = take(room, &taken, frames);
    blending->before_costs = take(room, &taken, frames);
    blending->after_costs = take(room, &taken, frames);
    return taken;
}

int64_t gb_join_room(const gb_clip_frames *clips, int64_t window) {
    gb_blending blending;
    return gb_blending_lay_out(&blending, clips, NULL, 2 * window + 1, NULL);
}

void gb_join_blend(const gb_clip_frames *clips, const gb_limbs *limbs, int64_t a, int64_t b, int32_t is_clean,
                   double *room, const gb_window *mixed) {
    gb_blending blending;
    gb_blending_lay_out(&blending, clips, limbs, mixed->frames, room);
    blending.mixed = *mixed;
    gb_blend(&blending, a, b, is_clean);
}
