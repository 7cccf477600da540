/* The scaled complementary error function
 *
 *     erfcx(x) = exp(x^2) erfc(x)
 *              = 1/(x sqrt(pi)) (1 - 1/(2 x^2) + 1 3/(2 x^2)^2 - 1 3 5/(2 x^2)^3 ...)
 *
 * by its definition for small x, where exp(x^2) loses x^2 units of rounding, by the asymptotic
 * series (AS64, 7.1.23) for large ones. */
#include "base/erfcx.h"

#include <math.h>

enum { SERIES_FROM = 10, TERMS = 12 };

double rg_erfcx(double x)
{
    const double root_pi = sqrt(acos(-1.0));
    double term = 1.0, sum = 1.0;

    if (x < SERIES_FROM) return exp(x * x) * erfc(x);
    for (int k = 1; k <= TERMS; k++) {
        term *= -(2 * k - 1) / (2.0 * x * x);
        sum += term;
    }
    return sum / (x * root_pi);
}
