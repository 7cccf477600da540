/* A model whose analysis is known, and the comparison. */
#ifndef RG_TESTS_STRUCTURE_KNOWN_H
#define RG_TESTS_STRUCTURE_KNOWN_H

#include "structure/analysis.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *name, *text;
    int index, dof;
    bool is_structural, is_singular_start;
    int n_redundant;
    const char *variable_index; /* a digit per unknown, or NULL */
} known;

/* RG_TEST_LOG in the environment shows what the points say. */
static void print_log(int level, const char *text, void *user)
{
    (void)user;
    printf("  log %d: %s\n", level, text);
}

static void check_known(const known *k)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    const rg_analysis *a = NULL;
    CHECK(rg_context_create(&ctx) == RG_OK);
    if (getenv("RG_TEST_LOG") != NULL) rg_context_set_log(ctx, print_log, 3, NULL);
    const bool ok =
        rg_problem_from_text(ctx, k->text, &p) == RG_OK && rg_analysis_get(p, &a) == RG_OK;
    if (!CHECK(ok)) rg_error_print(rg_last_error(ctx), stdout);
    if (ok) {
        bool same = CHECK_INT(a->index, k->index);
        same = CHECK_INT(a->dof, k->dof) && same;
        same = CHECK_INT(a->is_structural, k->is_structural) && same;
        same = CHECK_INT(a->is_singular_start, k->is_singular_start) && same;
        same = CHECK_INT(a->n_redundant, k->n_redundant) && same;
        if (!same) printf("  in model: %s\n", k->name);
        for (size_t j = 0; k->variable_index != NULL && j < strlen(k->variable_index); j++)
            if (!CHECK_INT(a->variable_index[j], k->variable_index[j] - '0'))
                printf("  in model: %s, unknown %d\n", k->name, (int)j + 1);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

#endif
