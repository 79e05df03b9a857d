/* Choose by hashing: the same step of the same plan always gets the same clip, whatever the order of asking. */
#ifndef GB_CHOICE_H
#define GB_CHOICE_H

#include "numbers.h"

/* Mixes the bits of a word: a bijection in which each input bit flips about half of the output bits.
 * Multipliers and shifts come from C. Wellons, "Prospecting for hash functions" (2018). */
static inline uint32_t gb_scramble(uint32_t word) {
    word = (word ^ (word >> 16)) * 0x7FEB352Du;
    word = (word ^ (word >> 15)) * 0x846CA68Bu;
    return word ^ (word >> 16);
}

static inline int64_t gb_choose_clip(int64_t seed, int64_t step, int64_t behavior, int64_t count) {
    uint64_t bits = (uint64_t)seed;
    uint32_t word = gb_scramble((uint32_t)bits);
    word = gb_scramble(word ^ (uint32_t)(bits >> 32));
    word = gb_scramble(word ^ (uint32_t)(uint64_t)step);
    word = gb_scramble(word ^ (uint32_t)(uint64_t)behavior);
    return (int64_t)(((uint64_t)word * (uint64_t)count) >> 32);
}

/* A word made of a state alone, to draw clips with. */
static inline int64_t gb_state_word(double x, double y, double heading, int64_t frame) {
    uint32_t word = gb_scramble((uint32_t)(int64_t)gb_floor(x * 1000.0 + 0.5));
    double turns = heading / GB_TURN;
    word = gb_scramble(word ^ (uint32_t)(int64_t)gb_floor(y * 1000.0 + 0.5));
    word = gb_scramble(word ^ (uint32_t)((int64_t)gb_floor((turns - gb_floor(turns)) * 3600.0 + 0.5) % 3600));
    return (int64_t)gb_scramble(word ^ (uint32_t)frame);
}

#endif
