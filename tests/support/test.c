/* The runner of the test programs: cases, checks, counts of failures. */
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static int failed_checks; /* of the case that runs now */
static int all_checks;
static const char *current = "";

static bool note(bool holds)
{
    all_checks++;
    if (!holds) failed_checks++;
    return holds;
}

bool test_check(bool holds, const char *file, int line, const char *what)
{
    if (!holds) printf("%s:%d: %s: does not hold: %s\n", file, line, current, what);
    return note(holds);
}

bool test_near(double a, double b, double tol, const char *file, int line, const char *what)
{
    const bool holds = fabs(a - b) <= tol || a == b;
    if (!holds)
        printf("%s:%d: %s: %s: %.17g and %.17g differ by %.3g, allowed %.3g\n", file, line, current,
               what, a, b, fabs(a - b), tol);
    return note(holds);
}

bool test_text(const char *a, const char *b, const char *file, int line, const char *what)
{
    const bool holds = a && b && strcmp(a, b) == 0;
    if (!holds)
        printf("%s:%d: %s: %s:\n  \"%s\"\n  \"%s\"\n", file, line, current, what, a ? a : "(null)",
               b ? b : "(null)");
    return note(holds);
}

bool test_int(long long a, long long b, const char *file, int line, const char *what)
{
    if (a != b) printf("%s:%d: %s: %s: %lld and %lld\n", file, line, current, what, a, b);
    return note(a == b);
}

int test_share(void)
{
    const char *asked = getenv("TEST_SHARE");
    const int share = asked != NULL ? atoi(asked) : 1;

    return share > 1 ? share : 1;
}

bool test_takes(int64_t k)
{
    return k % test_share() == 0;
}

bool test_skips(bool is_missing, const char *what)
{
    static const char *told; /* the case that was told last */

    if (is_missing) {
        if (told != current) printf("skipped %s: %s\n", current, what);
        told = current;
        all_checks++;
    }
    return is_missing;
}

/* A case without a single check counts as failed: it proves nothing. */
static bool run_case(const test_case *c)
{
    failed_checks = 0;
    all_checks = 0;
    current = c->name;
    const clock_t begin = clock();
    c->run();
    if (getenv("TEST_TIMES") != NULL)
        printf("%8.2f s %s\n", (double)(clock() - begin) / CLOCKS_PER_SEC, c->name);
    if (all_checks == 0) printf("%s: makes no check\n", c->name);
    fflush(stdout);
    return failed_checks == 0 && all_checks > 0;
}

int test_main(const test_case *cases, size_t n_cases)
{
    int passed = 0, failed = 0;
    for (size_t k = 0; k < n_cases; k++) {
        if (run_case(&cases[k]))
            passed++;
        else
            failed++;
    }
    printf("%d passed, %d failed\n", passed, failed);
    return failed > 0 || n_cases == 0;
}
