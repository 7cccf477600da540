/* Unit tests: a list of named functions with checks in them.
 * A failed check prints its place and goes on with the next one. */
#ifndef RG_TESTS_SUPPORT_TEST_H
#define RG_TESTS_SUPPORT_TEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
    const char *name;
    void (*run)(void);
} test_case;

/* UMFPACK and FFTW, which are left out by make GPL=no. */
#ifdef RG_NO_GPL
enum { HAS_GPL = 0 };
#else
enum { HAS_GPL = 1 };
#endif

/* All of them return whether the check held, so that a test can leave early. */
#define CHECK(condition) test_check((condition), __FILE__, __LINE__, #condition)
/* |a - b| <= tol; two NaN are not near. */
#define CHECK_NEAR(a, b, tol) test_near((a), (b), (tol), __FILE__, __LINE__, #a ", " #b)
#define CHECK_TEXT(a, b)      test_text((a), (b), __FILE__, __LINE__, #a ", " #b)
#define CHECK_INT(a, b)       test_int((a), (b), __FILE__, __LINE__, #a ", " #b)

bool test_check(bool holds, const char *file, int line, const char *what);
bool test_near(double a, double b, double tol, const char *file, int line, const char *what);
bool test_text(const char *a, const char *b, const char *file, int line, const char *what);
bool test_int(long long a, long long b, const char *file, int line, const char *what);

/* Whether a long sweep takes its k-th member: every n-th one where TEST_SHARE=n is set, which
 * `make test` does; all of them otherwise, so also in `make test-all`. */
bool test_takes(int64_t k);
int test_share(void); /* n */

/* Names what is left out when an optional package is missing; such a case needs no check.  Returns
 * is_missing. */
bool test_skips(bool is_missing, const char *what);

/* Runs all cases; prints "N passed, N failed" (cases); 1 if one failed or none ran, else 0.  With
 * TEST_TIMES set it also prints the processor time of each. */
int test_main(const test_case *cases, size_t n_cases);

#endif
