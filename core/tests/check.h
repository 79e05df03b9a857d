/* What the core's tests are made of: claims that are counted, random numbers and digests, alike on every machine.
 *
 * A test is a function of a report.  CHECK(report, claim) counts a claim and tells of one that does not hold, with its line
 * and values; DIGEST(report, number) mixes an answer into the report's digest, so that two compilers or processors can be
 * compared by one number. */
#ifndef GB_CHECK_H
#define GB_CHECK_H

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "numbers.h"

typedef struct report {
    const char *name;
    int64_t claims;
    int64_t failures;
    uint64_t digest; /* of all answers so far */
    uint64_t state;  /* of the random numbers */
} report;

enum { MOST_TOLD = 20 }; /* failures of one test that are told of */

static inline void claim_is(report *test, int holds, const char *text, double found, double expected, const char *file,
                            int line) {
    test->claims++;
    if (holds || ++test->failures > MOST_TOLD) return;
    printf("%s:%d: %s: %s (found %.17g, expected %.17g)\n", file, line, test->name, text, found, expected);
}

#define CHECK(test, claim) claim_is((test), (claim) ? 1 : 0, #claim, (double)((claim) ? 1 : 0), 1.0, __FILE__, __LINE__)
#define CHECK_SAME(test, found, expected) \
    claim_is((test), (found) == (expected), #found, (double)(found), (double)(expected), __FILE__, __LINE__)
#define CHECK_NEAR(test, found, expected, within) \
    claim_is((test), gb_abs((found) - (expected)) <= (within), #found, (found), (expected), __FILE__, __LINE__)

/* Mixes the eight bytes of a word into the digest [FNV-1a]. */
static inline void digest_word(report *test, uint64_t word) {
    for (int byte = 0; byte < 8; byte++) test->digest = (test->digest ^ ((word >> (8 * byte)) & 0xFFu)) * 0x100000001B3u;
}

static inline void digest_double(report *test, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    digest_word(test, bits);
}

#define DIGEST(test, number) digest_word((test), (uint64_t)(int64_t)(number))

/* A random word [S. Vigna's splitmix64].  One draw a statement: in which order arguments are worked out is the compiler's. */
static inline uint64_t random_word(report *test) {
    uint64_t word = test->state += 0x9E3779B97F4A7C15u;
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9u;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBu;
    return word ^ (word >> 31);
}

/* A whole number from 0 to count - 1. */
static inline int64_t random_below(report *test, int64_t count) {
    return (int64_t)(random_word(test) % (uint64_t)count);
}

static inline double random_between(report *test, double least, double greatest) {
    return least + (greatest - least) * ((double)(random_word(test) >> 11) / 9007199254740992.0);
}

/* The tests, one file each. */
void test_numbers(report *test);
void test_elementary(report *test);
void test_choice(report *test);
void test_shapes(report *test);
void test_open_list(report *test);
void test_visited(report *test);
void test_field(report *test);
void test_closed(report *test);
void test_world(report *test);
void test_traffic(report *test);
void test_search(report *test);
void test_map(report *test);
void test_way(report *test);
void test_judge(report *test);

#endif
