/* A mechanism with one redundant constraint: the constraint Jacobian loses rank at every position
 * it can take. */
#include "unit/structure/known.h"

#include <stdarg.h>

/* Bricard's mechanism in natural coordinates: points P1..P4 and unit axes e1..e4 of the joints, P0,
 * e0, P5, e5 fixed. Each rod: |P_k - P_{k-1}| = 1, both axes perpendicular to it and to each other.
 * 24 constraints of rank 23. */
typedef struct {
    char text[60000];
    size_t used;
} writer;

static void put(writer *w, const char *format, ...) RG_PRINTF(2, 3);
static void put(writer *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    w->used += (size_t)vsnprintf(w->text + w->used, sizeof w->text - w->used, format, list);
    va_end(list);
}

static const double joint[6][3] = {
    {0, 0,  0},
    {1, 0,  0},
    {1, -1, 0},
    {1, -1, 1},
    {0, -1, 1},
    {0, 0,  1}
};
static const double axis[6][3] = {
    {0, 1, 0},
    {0, 0, 1},
    {1, 0, 0},
    {0, 1, 0},
    {0, 0, 1},
    {1, 0, 0}
};

/* Coordinate x of joint k (or of its axis) as text: a name, or a number for the fixed ones. */
static void coordinate(char out[16], char kind, int k, int x)
{
    if (k == 0 || k == 5)
        snprintf(out, 16, "%g", kind == 'P' ? joint[k][x] : axis[k][x]);
    else
        snprintf(out, 16, "%c%d%c", kind, k, "xyz"[x]);
}

/* The factors of constraint number c of a rod: u . v - constant, u and v each rod (r), e_{k-1} (a)
 * or e_k (b). */
static const char pair[4][2] = {
    {'r', 'r'},
    {'r', 'a'},
    {'r', 'b'},
    {'a', 'b'}
};

static void factor(char out[48], char what, int rod, int x)
{
    char p[16], q[16];
    if (what == 'r') {
        coordinate(p, 'P', rod, x);
        coordinate(q, 'P', rod - 1, x);
        snprintf(out, 48, "(%s - (%s))", p, q);
    } else {
        coordinate(out, 'e', what == 'a' ? rod - 1 : rod, x);
    }
}

/* d(factor)/d(coordinate of joint k): 1, -1 or 0. */
static int derivative(char what, int rod, char kind, int k)
{
    if (what == 'r') return kind == 'P' ? (k == rod) - (k == rod - 1) : 0;
    return kind == 'e' && k == (what == 'a' ? rod - 1 : rod);
}

static void write_force(writer *w, char kind, int k, int x)
{
    char f[48];
    for (int rod = 1; rod <= 5; rod++)
        for (int c = 0; c < 4; c++)
            for (int side = 0; side < 2; side++) {
                const int s = derivative(pair[c][side], rod, kind, k);
                factor(f, pair[c][1 - side], rod, x);
                if (s != 0) put(w, " %c L%d%d*%s", s > 0 ? '-' : '+', rod, c, f);
            }
    if (kind == 'e') put(w, " - 2*N%d*e%d%c", k, k, "xyz"[x]);
}

static void write_bricard(writer *w)
{
    char f[48], g[48];
    for (int k = 1; k <= 4; k++)
        for (int x = 0; x < 3; x++) {
            const char n = "xyz"[x];
            put(w, "var P%d%c = %g, P%d%c' = 0, e%d%c = %g, e%d%c' = 0\n", k, n, joint[k][x], k, n,
                k, n, axis[k][x], k, n);
        }
    for (int rod = 1; rod <= 5; rod++)
        for (int c = 0; c < 4; c++)
            put(w, "var L%d%d\n", rod, c);
    for (int k = 1; k <= 4; k++)
        put(w, "var N%d\n", k);
    for (int k = 1; k <= 4; k++)
        for (int x = 0; x < 3; x++) {
            put(w, "P%d%c'' = %s", k, "xyz"[x], x == 1 ? "-9.81" : "0");
            write_force(w, 'P', k, x);
            put(w, "\n0.1*e%d%c'' = 0", k, "xyz"[x]);
            write_force(w, 'e', k, x);
            put(w, "\n");
        }
    for (int rod = 1; rod <= 5; rod++)
        for (int c = 0; c < 4; c++) {
            put(w, "0 = %s", c == 0 ? "-1" : "0");
            for (int x = 0; x < 3; x++) {
                factor(f, pair[c][0], rod, x);
                factor(g, pair[c][1], rod, x);
                put(w, " + %s*%s", f, g);
            }
            put(w, "\n");
        }
    for (int k = 1; k <= 4; k++)
        put(w, "0 = e%dx^2 + e%dy^2 + e%dz^2 - 1\n", k, k, k);
    put(w, "over t = 0 .. 1\n");
}

static void test_bricard(void)
{
    writer *w = calloc(1, sizeof *w);
    write_bricard(w);
    const known bricard = {"bricard", w->text, 3, 2, false, false, 1, NULL};
    check_known(&bricard);
    free(w);
}

static const test_case cases[] = {
    {"bricard", test_bricard}
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
