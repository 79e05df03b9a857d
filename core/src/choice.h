/* Choose by hashing: the same step of the same plan always gets the same clip, whatever the order of asking. */
#ifndef GB_CHOICE_H
#define GB_CHOICE_H

#include "gambol.h"

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

#endif
