/* Run the tests: a line for each with its claims and its digest; exit code 1 if any claim does not hold.
 *
 *     cc -std=c99 -ffp-contract=off -Icore/include -Icore/src core/tests/(all).c core/src/(all).c -lm && ./a.out
 */
#include "check.h"

typedef struct named_test {
    const char *name;
    void (*run)(report *);
} named_test;

int main(void) {
    static const named_test tests[] = {
        {"numbers", test_numbers},     {"elementary", test_elementary}, {"choice", test_choice}, {"shapes", test_shapes},
        {"open_list", test_open_list}, {"visited", test_visited},       {"field", test_field},   {"closed", test_closed},
        {"world", test_world},         {"traffic", test_traffic},       {"search", test_search}, {"map", test_map},
        {"way", test_way},             {"judge", test_judge},
    };
    int64_t failures = 0;
    for (size_t number = 0; number < sizeof tests / sizeof tests[0]; number++) {
        report test = {tests[number].name, 0, 0, 0xCBF29CE484222325u, 2005};
        tests[number].run(&test);
        printf("%-10s %8" PRId64 " claims %4" PRId64 " failures  digest %016" PRIx64 "\n", test.name, test.claims,
               test.failures, test.digest);
        failures += test.failures;
    }
    return failures > 0;
}
