/* Choosing by hashing: in range, even, and the same whatever was asked before. */
#include "choice.h"

#include "check.h"

enum { COUNT = 7, DRAWS = 14000 };

void test_choice(report *test) {
    int64_t drawn[COUNT] = {0};
    for (int64_t step = 0; step < DRAWS; step++) {
        int64_t found = gb_clip_choose(41, step, 3, COUNT);
        CHECK(test, found >= 0 && found < COUNT);
        CHECK_SAME(test, found, gb_choose_clip(41, step, 3, COUNT));
        drawn[found]++;
        DIGEST(test, found);
    }
    for (int number = 0; number < COUNT; number++) CHECK_NEAR(test, (double)drawn[number], (double)DRAWS / (double)COUNT, 200.0);
    CHECK_SAME(test, gb_clip_choose(-1, 5, 2, 1), 0);
    /* Two different words never give the same word: a bijection. */
    CHECK(test, gb_scramble(1) != gb_scramble(2) && gb_scramble(0) != gb_scramble(0x80000000u));
    for (int64_t seed = 0; seed < 200; seed++)
        DIGEST(test, gb_clip_choose(seed << 33, (int64_t)random_word(test), seed, 1000000));
}
