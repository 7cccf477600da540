/* Equations that fade by orders of size within a run: x' exp(a (1 - t)) = 1, as of a viscosity that
 * falls, or a stiffness that ends.  What moves late is below the tolerance for long, so that steps
 * grow as fast as they may.  Newton's method with the Jacobian of the start of such a step changes
 * nothing, and took that for convergence: x = 1e-7 for 0.05 at any tolerance, with an estimate of
 * 5e-6. */
#include "regula.h"
#include "support/rows.h"
#include "support/test.h"
#include "support/text.h"

#include <math.h>
#include <stdio.h>

static rg_context *ctx;

enum { ROWS = 5, FORMS = 6 };

/* (exp(-a (1 - s)) - exp(-a))/a */
static double late(double a, double s)
{
    return (exp(-a * (1.0 - s)) - exp(-a)) / a;
}

static double exact(int form, double a, double s)
{
    return form == 4 ? sin(3.0 * s) : form == 5 ? s * s : late(a, s);
}

static void put_form(char *text, size_t size, int form, double a)
{
    switch (form) {
    case 0:
        text_put(text, size, "var x = 0\nT*x'*exp(%g*(1 - s)) = 1\n", a);
        break;
    case 1:
        text_put(text, size, "var x = 0, y\nT*x'*exp(%g*(1 - s)) = 1\ny = x + s\n", a);
        break;
    case 2:
        text_put(text, size, "var x = 0, w = 0\nT*w' = 1\nT*x'*exp(%g*(1 - w)) = 1\n", a);
        break;
    case 3:
        text_put(text, size,
                 "var x[i=1..3] = 0\nfor i = 1..3 {\nT*x[i]'*exp(%g*(1 - s)) = i\n}\n"
                 "output x[1]\n",
                 a);
        break;
    case 4:
        text_put(text, size, "var x = 0\nT*x' = -exp(%g*(0.7 - s))*(x - sin(3*s)) + 3*cos(3*s)\n",
                 2.0 * a);
        break;
    default:
        text_put(text, size, "var x = 0\nT*x' = -1e8*exp(-%g*s)*(x - s^2) + 2*s\n", 2.0 * a);
    }
}

static void test_fading(void)
{
    static const double rates[] = {12, 16, 20, 24}, times[] = {1, 1e-6, 86400};
    char text[512];

    for (int k = 0; k < FORMS * 4 * 3 * 3; k++) {
        const int form = k % FORMS;
        const double a = rates[k / FORMS % 4], T = times[k / FORMS / 4 % 3];
        const double tol = pow(10.0, -3 - 2 * (k / FORMS / 12));
        double worst = 0.0;
        text[0] = '\0';
        text_put(text, sizeof text, "param T = %g\nlet s = t/T\n", T);
        put_form(text, sizeof text, form, a);
        text_put(text, sizeof text, "over t = 0 .. T\n");
        const rows_result r = rows_solve(ctx, text, ROWS, "tol=%g method=radau", tol);
        for (int i = 0; i < ROWS && r.status == RG_OK; i++) {
            const double x = exact(form, a, (double)i / (ROWS - 1));
            worst = fmax(worst, fabs(r.row[i][0] - x) / (1.0 + fabs(x)));
        }
        if (!CHECK(r.status == RG_OK) || !CHECK(worst <= 30.0 * tol && worst <= 10.0 * r.estimate))
            printf("%g: error %g, estimate %g; %s\n%s", tol, worst, r.estimate, r.message, text);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"fading", test_fading},
    };

    if (rg_context_create(&ctx) < 0) return 1;
    const int result = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return result;
}
