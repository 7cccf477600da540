/* Random models with known solutions, as model texts.
 *
 * In the time s = (t - t0)/T the unknowns are x_i = U_i e_i(s), with
 *
 *     e_i(s) = a_i + b_i sin(w_i s + p_i) + c_i exp(-d_i s),
 *
 * and the right-hand sides are completed by the functions of time that make them a solution:
 *
 *     ode, stiff   x' = f(x) + r
 *     index 1      x' = f(x, y) + r,            0 = g(x, y) + q            (g_y regular)
 *     index 2      x' = f(x) - B(s) y + r,      0 = c(x) - c(e)            (c_x B regular)
 *     index 3      x'' = f(x, x') - c_x^T y + r, 0 = c(x) - c(e)
 *
 * Every number comes from the seed; the same seed gives the same text on every machine. */
#ifndef RG_TESTS_RANDOM_MODELS_H
#define RG_TESTS_RANDOM_MODELS_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    RANDOM_ODE,
    RANDOM_STIFF,
    RANDOM_INDEX1,
    RANDOM_INDEX2,
    RANDOM_INDEX3,
    RANDOM_KINDS
} random_kind;

typedef enum {
    RANDOM_KEPT,  /* states are given with =, the rest is not given       */
    RANDOM_GUESS, /* states are given with ~, the rest with ~ 0           */
} random_start;

enum { RANDOM_MOST = 8, RANDOM_TEXT = 1 << 16 };

typedef struct {
    random_kind kind;
    uint64_t seed;
    double t0, scale; /* start time, and length of a unit of s: 0 .. length in s */
    double length;    /* interval in s */
    double units;     /* unknown i is measured in U_i = units^(random in -1 .. 1); 1: all U_i = 1 */
    random_start start; /* how start values are given */
    int is_array;       /* states as one array x[1..n], the rest as y[1..m] */
} random_request;

typedef struct {
    int n_states, n_rest; /* x_1 .. x_n, then y_1 .. y_m */
    double unit[2 * RANDOM_MOST];
    double a[2 * RANDOM_MOST], b[2 * RANDOM_MOST], w[2 * RANDOM_MOST], p[2 * RANDOM_MOST];
    double c[2 * RANDOM_MOST], d[2 * RANDOM_MOST];
    double t0, scale, t_end;
    char text[RANDOM_TEXT];
} random_model;

void random_model_make(const random_request *r, random_model *m);
/* Unknown i (states, then the rest) and its derivative of order 0, 1, 2 with respect to t, in its
 * unit. */
double random_model_exact(const random_model *m, int i, int order, double t);
/* Its name in the model. */
void random_model_name(const random_request *r, const random_model *m, int i, char *buffer,
                       size_t size);

#endif
