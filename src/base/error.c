/* The list of errors of a context.  The place that detects a failure records it. */
#include "base/context.h"
#include "base/text.h"

#include <math.h>
#include <string.h>

static void reset(rg_error *e)
{
    memset(e, 0, sizeof *e);
    e->t = NAN;
}

void rg_clear_error(rg_context *ctx)
{
    for (int k = 0; k <= ctx->n_errors; k++)
        reset(&ctx->errors[k]);
    ctx->n_errors = 0;
    ctx->latest = &ctx->errors[0];
}

rg_status rg_fail_again(rg_context *ctx, const rg_error *error)
{
    rg_clear_error(ctx);
    if (error->code == RG_OK) return RG_OK; /* there was none: the next one is the first */
    rg_fail(ctx, error->code, "%s", error->message);
    *ctx->latest = *error;
    return error->code;
}

/* An interrupt is used up by the failure that reports it. */
rg_status rg_fail(rg_context *ctx, rg_status code, const char *format, ...)
{
    if (ctx == NULL) return code;
    rg_error *e = &ctx->errors[ctx->n_errors];
    if (ctx->n_errors < RG_ERROR_LIMIT) ctx->n_errors++;
    reset(e);
    e->code = code;
    va_list arguments;
    va_start(arguments, format);
    rg_text_vformat(e->message, sizeof e->message, format, arguments);
    va_end(arguments);
    ctx->latest = e;
    if (code == RG_ERR_INTERRUPTED) atomic_store(&ctx->interrupted, 0);
    return code;
}

rg_status rg_remedy(rg_context *ctx, const char *format, ...)
{
    va_list arguments;

    va_start(arguments, format);
    rg_text_vformat(ctx->latest->remedy, sizeof ctx->latest->remedy, format, arguments);
    va_end(arguments);
    return ctx->latest->code;
}

rg_status rg_fail_time(rg_context *ctx, double t)
{
    ctx->latest->t = t;
    return ctx->latest->code;
}

static bool is_behind(const rg_error *a, const rg_error *b)
{
    return a->line != b->line ? a->line > b->line : a->column > b->column;
}

void rg_sort_errors(rg_context *ctx)
{
    rg_error *const e = ctx->errors;

    for (int k = 0; k < ctx->n_errors; k++)
        if (e[k].line == 0 || e[k].code != e[0].code) return;
    for (int k = 1; k < ctx->n_errors; k++) {
        const rg_error now = e[k];
        int i = k;
        for (; i > 0 && is_behind(&e[i - 1], &now); i--)
            e[i] = e[i - 1];
        e[i] = now;
    }
}

const rg_error *rg_last_error(const rg_context *ctx)
{
    static const rg_error no_context = {.code = RG_ERR_ARGUMENT,
                                        .message = "there is no context",
                                        .remedy = "check what rg_context_create() returned"};
    return ctx != NULL ? &ctx->errors[0] : &no_context;
}

const char *rg_status_name(rg_status status)
{
    static const char *const failures[] = {"",         "argument",  "memory",       "io",
                                           "syntax",   "structure", "inconsistent", "convergence",
                                           "callback", "method",    "interrupted"};

    if (status == RG_OK) return "ok";
    if (status == RG_STOPPED) return "stopped";
    return status <= RG_ERR_ARGUMENT && status >= RG_ERR_INTERRUPTED ? failures[-status]
                                                                     : "unknown";
}

int rg_error_count(const rg_context *ctx)
{
    return ctx != NULL ? ctx->n_errors : 0;
}

const rg_error *rg_error_at(const rg_context *ctx, int k)
{
    if (ctx == NULL) return rg_last_error(NULL);
    return k >= 0 && k < ctx->n_errors ? &ctx->errors[k] : &ctx->errors[0];
}
