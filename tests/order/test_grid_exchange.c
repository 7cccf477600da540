/* Fluxes through sides that depend on the scalar: cooling and radiation, on every side, in explicit
 * and implicit steps and without a time derivative; the value on the side is second order too. */
#include "regula.h"
#include "support/end.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>

enum { MOST = 8 };

/* A plate of thickness 1 that cools from 100 to 20 with Bi = 5 (Carslaw, Jaeger): with the roots of
 * l tan(l) = 5,  T = 20 + 80 sum 4 sin(l)/(2 l + sin(2 l)) cos(l x) exp(-l^2 t). */
static double plate(double x, double t)
{
    double sum = 0.0;

    for (int n = 0; n < 20; n++) {
        double low = n * acos(-1.0), high = low + 0.5 * acos(-1.0);
        for (int k = 0; k < 80; k++) {
            const double middle = 0.5 * (low + high);
            *(middle * tan(middle) < 5.0 ? &low : &high) = middle;
        }
        sum += 4.0 * sin(low) / (2.0 * low + sin(2.0 * low)) * cos(low * x) * exp(-low * low * t);
    }
    return 20.0 + 80.0 * sum;
}

static void check_plate(const char *side, int axis)
{
    char text[512];
    double error[2][2], y[MOST];

    for (int k = 0; k < 2; k++) {
        const int n = 16 << k;
        snprintf(text, sizeof text,
                 "domain x = 0..1 cells %d, y = 0..1 cells %d\nfield T = 100\nT' = lap(T)\n"
                 "boundary flux(T, %s) = 5*(T - 20)\nover t = 0 .. .5\n"
                 "output a = T(.5, .5), b = mean(T, %s)\n",
                 axis == 0 ? n : 3, axis == 1 ? n : 3, side, side);
        if (!CHECK(end_values(text, (const char *const[]){"tol", "1e-8", NULL}, y))) return;
        error[k][0] = fabs(y[0] - plate(0.5, 0.5));
        error[k][1] = fabs(y[1] - plate(1.0, 0.5));
    }
    for (int m = 0; m < 2; m++) {
        CHECK(error[0][m] < 0.01);
        if (!CHECK(fabs(error[0][m] / error[1][m] - 4.0) < 0.4))
            printf("    %s: errors %.2e %.2e\n", side, error[0][m], error[1][m]);
    }
}

static void test_cooling(void)
{
    check_plate("left", 0);
    check_plate("right", 0);
    check_plate("bottom", 1);
    check_plate("top", 1);
}

/* 1000 - T = 1e-8 (T^4 - 300^4) + 2 (T - 20) on the side of a bar at rest, and where marching and
 * implicit steps end. */
static void test_radiation(void)
{
    static const char *const still =
        "domain x = 0..1 cells 10\nfield T ~ 300\n0 = lap(T)\nboundary T(left) = 1000\n"
        "boundary flux(T, right) = 1e-8*(T^4 - 300^4) + 2*(T - 20)\n"
        "output a = mean(T, right), b = T(.35)\n";
    static const char *const late =
        "domain x = 0..1 cells 10\nfield T = 300\nT' = lap(T)\nboundary T(left) = 1000\n"
        "boundary flux(T, right) = 1e-8*(T^4 - 300^4) + 2*(T - 20)\nover t = 0 .. 8\n"
        "output a = mean(T, right), b = T(.35)\n";
    double low = 0.0, high = 1000.0, y[MOST];

    for (int k = 0; k < 100; k++) {
        const double T = 0.5 * (low + high);
        const double rest = 1000.0 - T - 1e-8 * (pow(T, 4) - 8.1e9) - 2.0 * (T - 20.0);
        *(rest > 0.0 ? &low : &high) = T;
    }
    const char *const none[] = {NULL}, *const implicit[] = {"scheme", "implicit", NULL};
    CHECK(end_values(still, none, y));
    CHECK_NEAR(y[0], low, 1e-8 * low);
    CHECK_NEAR(y[1], 1000.0 + 0.35 * (low - 1000.0), 1e-8 * 1000.0);
    CHECK(end_values(late, none, y));
    CHECK_NEAR(y[0], low, 1e-4 * low);
    CHECK(end_values(late, implicit, y));
    CHECK_NEAR(y[0], low, 1e-4 * low);
}

int main(void)
{
    static const test_case cases[] = {
        {"cooling",   test_cooling  },
        {"radiation", test_radiation},
    };
    return test_main(cases, sizeof cases / sizeof *cases);
}
