/* Compares the kernels of a model that a C compiler makes with those of the interpreter. */
#include "support/native.h"

#include "problem/assembly.h"
#include "problem/native.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { POINTS = 3, MOST_UNKNOWNS = 20000 };

bool native_has_compiler(void)
{
    return system("${CC:-cc} --version > /dev/null 2>&1") == 0;
}

typedef struct {
    rg_assembly *a;
    rg_assembly_work *w[2]; /* interpreted, compiled */
    double *z, *F[2], *J[2];
    int64_t n_rows, n_columns, nonzeros;
} pair;

static void *take(int64_t n, size_t size)
{
    void *p = calloc((size_t)n + 1, size);
    if (p == NULL) exit(EXIT_FAILURE);
    return p;
}

static double random_number(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (double)(*state >> 11) / 9007199254740992.0;
}

/* Equal to 1e-14, relative to the largest: numbers that are added up at one place may cancel. */
static bool is_equal(int64_t n, const double *a, const double *b)
{
    double size = 0, worst = 0;
    bool is_same_kind = true;

    for (int64_t k = 0; k < n; k++) {
        if (!isfinite(a[k]) || !isfinite(b[k])) {
            is_same_kind = is_same_kind && isfinite(a[k]) == isfinite(b[k]);
            continue;
        }
        size = fmax(size, fabs(a[k]));
        worst = fmax(worst, fabs(a[k] - b[k]));
    }
    return is_same_kind && worst <= 1e-14 * size;
}

static void compare_points(pair *q, const char *name)
{
    uint64_t state = 12345;
    int same = 0;

    for (int k = 0; k < POINTS; k++) {
        const double t = 0.3 + k;
        rg_status status[2][2];
        for (int64_t j = 0; j < q->n_columns; j++)
            q->z[j] = 0.2 + 1.6 * random_number(&state);
        for (int c = 0; c < 2; c++) {
            status[c][0] = rg_assembly_residual(q->a, q->w[c], t, q->z, q->F[c]);
            if (k > 0)
                status[c][1] = rg_assembly_jacobian(q->a, q->w[c], t, q->z, q->F[c], q->J[c]);
            else
                status[c][1] = rg_assembly_jacobian(q->a, q->w[c], t, q->z, NULL, q->J[c]);
        }
        same += status[0][0] == status[1][0] && status[0][1] == status[1][1]
                && is_equal(q->n_rows, q->F[0], q->F[1]) && is_equal(q->nonzeros, q->J[0], q->J[1]);
    }
    if (!CHECK_INT(same, POINTS)) printf("%s\n", name);
}

static void open_pair(pair *q, rg_problem *p, int levels)
{
    const int orders = p->max_order + levels;
    const int64_t n = p->n;
    int32_t *columns[2 * RG_MAX_ORDER], *rows[2];

    for (int o = 0; o < orders; o++) {
        columns[o] = take(n, sizeof *columns[o]);
        for (int64_t k = 0; k < n; k++)
            columns[o][k] = (int32_t)(k * orders + o);
    }
    for (int l = 0; l < levels; l++) {
        rows[l] = take(n, sizeof *rows[l]);
        for (int64_t k = 0; k < n; k++)
            rows[l][k] = l == 0 || k % 3 != 1 ? (int32_t)q->n_rows++ : -1;
    }
    q->n_columns = orders * n;
    const rg_assembly_spec spec = {levels,       orders,
                                   q->n_columns, (const int32_t *const *)rows,
                                   q->n_rows,    (const int32_t *const *)columns};
    CHECK_INT(rg_assembly_create(p, &spec, true, &q->a), RG_OK);
    for (int o = 0; o < orders; o++)
        free(columns[o]);
    for (int l = 0; l < levels; l++)
        free(rows[l]);
}

static void close_pair(pair *q)
{
    for (int c = 0; c < 2; c++) {
        rg_assembly_work_destroy(&q->w[c]);
        free(q->F[c]);
        free(q->J[c]);
    }
    rg_assembly_destroy(&q->a);
    free(q->z);
}

/* levels: with total derivatives of the equations, as they are used for hidden constraints. */
static void compare_kernels(rg_problem *p, const char *name, int levels)
{
    pair q = {0};
    char why[256];

    open_pair(&q, p, levels);
    const rg_pattern *pattern = q.a != NULL ? rg_assembly_pattern(q.a) : NULL;
    if (pattern != NULL) {
        q.nonzeros = pattern->start[pattern->n_columns];
        q.z = take(q.n_columns, sizeof *q.z);
        for (int c = 0; c < 2; c++) {
            q.F[c] = take(q.n_rows, sizeof *q.F[c]);
            q.J[c] = take(q.nonzeros, sizeof *q.J[c]);
            p->native_mode = c == 0 ? RG_NATIVE_OFF : RG_NATIVE_ON;
            CHECK_INT(rg_assembly_work_create(q.a, &q.w[c]), RG_OK);
        }
        p->native_mode = RG_NATIVE_OFF;
        if (CHECK(!rg_native_failed(p->native, why, sizeof why)))
            compare_points(&q, name);
        else
            printf("%s: %s\n", name, why);
    }
    close_pair(&q);
}

static void compare_model(const char *name)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    char path[300];

    snprintf(path, sizeof path, "examples/%s", name);
    rg_context_create(&ctx);
    if (CHECK_INT(rg_problem_from_file(ctx, path, &p), RG_OK) && p->n <= MOST_UNKNOWNS)
        compare_kernels(p, name, p->n < 200 && p->max_order < 3 ? 2 : 1);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

void native_compare_models(void)
{
    char line[256];
    FILE *file = fopen("tests/reference/structure.csv", "r");
    int n = 0;

    if (!CHECK(file != NULL)) return;
    while (fgets(line, sizeof line, file) != NULL) {
        line[strcspn(line, ",\r\n")] = '\0';
        if (strstr(line, ".rg") == NULL) continue;
        if (test_takes(n++)) compare_model(line);
    }
    fclose(file);
    CHECK(n >= 30);
}
