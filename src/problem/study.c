/* Life of a study, and its warnings. */
#include "problem/study.h"

#include <string.h>

rg_status rg_study_create(rg_context *ctx, rg_study **out)
{
    rg_study *s = *out = rg_alloc(ctx, 1, sizeof *s);

    if (s == NULL) return RG_ERR_MEMORY;
    s->ctx = ctx;
    return RG_OK;
}

rg_status rg_study_create_from(rg_context *ctx, const rg_study *from, rg_study **out)
{
    RG_TRY(rg_study_create(ctx, out));
    (*out)->analysis = from->analysis;
    (*out)->consistent = from->consistent;
    memcpy((*out)->dependent, from->dependent, sizeof from->dependent);
    const rg_status status = rg_study_take_warnings(*out, from);
    if (status != RG_OK) rg_study_destroy(out);
    return status;
}

void rg_study_take_stand_in(rg_study *s, rg_problem **p)
{
    rg_problem_destroy(&s->stand_in);
    s->stand_in = *p;
    *p = NULL;
}

void rg_study_forget(rg_study *s)
{
    rg_problem_destroy(&s->stand_in);
    rg_problem_destroy(&s->combined);
    if (s->consistent_destroy != NULL) s->consistent_destroy(s->ctx, &s->consistent);
    if (s->analysis_destroy != NULL) s->analysis_destroy(s->ctx, &s->analysis);
    s->consistent = NULL;
    s->analysis = NULL;
    s->consistent_destroy = NULL;
    s->analysis_destroy = NULL;
    s->conditioning = 0.0;
    rg_free(s->ctx, s->turning);
    s->turning = NULL;
}

void rg_study_clear(rg_study *s)
{
    rg_study_forget(s);
    for (int k = 0; k < s->n_warnings; k++)
        rg_free(s->ctx, s->warnings[k]);
    rg_free(s->ctx, s->warnings);
    s->warnings = NULL;
    s->n_warnings = 0;
}

void rg_study_destroy(rg_study **study)
{
    if (*study == NULL) return;
    rg_study_clear(*study);
    rg_free((*study)->ctx, *study);
    *study = NULL;
}

rg_status rg_study_warn(rg_study *s, const char *text)
{
    for (int k = 0; k < s->n_warnings; k++)
        if (strcmp(s->warnings[k], text) == 0) return RG_OK;
    char **grown = rg_resize(s->ctx, s->warnings, (size_t)s->n_warnings + 1, sizeof *s->warnings);
    if (grown == NULL) return RG_ERR_MEMORY;
    s->warnings = grown;
    s->warnings[s->n_warnings] = rg_copy_text(s->ctx, text, strlen(text));
    if (s->warnings[s->n_warnings] == NULL) return RG_ERR_MEMORY;
    s->n_warnings++;
    return RG_OK;
}

void rg_study_keep_warnings(rg_study *s, int count)
{
    while (s->n_warnings > count)
        rg_free(s->ctx, s->warnings[--s->n_warnings]);
}

void rg_study_store_warnings(rg_study *study, rg_store *s)
{
    int n = study->n_warnings;

    RG_STORE(s, n);
    if (s->is_reading) {
        for (int k = 0; k < study->n_warnings; k++)
            rg_free(study->ctx, study->warnings[k]);
        study->n_warnings = 0;
    }
    for (int k = 0; k < n && s->status == RG_OK; k++) {
        char *text = s->is_reading ? NULL : study->warnings[k];
        rg_store_text(s, &text);
        if (!s->is_reading) continue;
        if (s->status == RG_OK) s->status = rg_study_warn(study, text);
        rg_free(s->ctx, text);
    }
}

rg_status rg_study_take_warnings(rg_study *s, const rg_study *from)
{
    for (int k = 0; k < from->n_warnings; k++)
        RG_TRY(rg_study_warn(s, from->warnings[k]));
    return RG_OK;
}
