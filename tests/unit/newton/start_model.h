/* Start values of a model text, looked up by name. */
#ifndef RG_TESTS_START_MODEL_H
#define RG_TESTS_START_MODEL_H

#include "newton/consistent.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    rg_context *ctx;
    rg_problem *p;
    const rg_analysis *a;
    rg_consistent *c;
    rg_status status;
} start_model;

static void close_model(start_model *m)
{
    rg_consistent_destroy(m->ctx, &m->c);
    rg_problem_destroy(&m->p);
    rg_context_destroy(&m->ctx);
}

/* status: of the first call that failed. */
static start_model open_model(const char *text)
{
    start_model m = {0};

    m.status = rg_context_create(&m.ctx);
    if (m.status == RG_OK) m.status = rg_problem_from_text(m.ctx, text, &m.p);
    if (m.status == RG_OK) m.status = rg_analysis_get(m.p, &m.a);
    if (m.status == RG_OK) m.status = rg_consistent_create(m.p, m.a, m.p->a, &m.c);
    return m;
}

static double value_of(const start_model *m, const char *name)
{
    char text[64];

    for (int r = 0; m->c != NULL && r < m->c->n_orders; r++) {
        for (int64_t j = 0; j < m->p->n; j++) {
            rg_variable_name(m->p, j, r, text, sizeof text);
            if (strcmp(text, name) == 0) return m->c->value[r][j];
        }
    }
    return NAN;
}

static bool warns_of(const start_model *m, const char *part)
{
    for (int k = 0; m->p != NULL && k < m->p->study->n_warnings; k++)
        if (strstr(m->p->study->warnings[k], part) != NULL) return true;
    return false;
}

/* Found, to rounding; prints the message otherwise. */
static bool check_found(const start_model *m)
{
    if (m->status != RG_OK) printf("    %s\n", rg_last_error(m->ctx)->message);
    if (!CHECK_INT(m->status, RG_OK)) return false;
    return CHECK(m->c->residual <= 1e-13);
}

#endif
