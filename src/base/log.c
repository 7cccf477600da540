/* The log of a context, and a clock for it. */
#include "base/context.h"
#include "base/text.h"

#include <time.h>

void rg_context_set_log(rg_context *ctx, rg_log_fn *log, int level, void *user)
{
    if (ctx == NULL) return;
    ctx->log = log;
    ctx->log_level = level;
    ctx->log_user = user;
}

bool rg_log_wanted(const rg_context *ctx, int level)
{
    return ctx->log != NULL && level <= ctx->log_level;
}

void rg_log(rg_context *ctx, int level, const char *format, ...)
{
    enum { RECORD = 1024 };
    char text[RECORD];
    va_list arguments;

    if (!rg_log_wanted(ctx, level)) return;
    va_start(arguments, format);
    rg_text_vformat(text, sizeof text, format, arguments);
    va_end(arguments);
    ctx->log(level, text, ctx->log_user);
}

double rg_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}
