/* Which files were read, by identity and not by name, so that no output overwrites one of them. */
#include "base/context.h"

#include <sys/stat.h>

void rg_note_input(rg_context *ctx, FILE *file)
{
    struct stat info;

    if (fstat(fileno(file), &info) != 0 || !S_ISREG(info.st_mode)) return;
    uint64_t *place = ctx->inputs[ctx->n_inputs++ % RG_INPUT_LIMIT];
    place[0] = (uint64_t)info.st_dev;
    place[1] = (uint64_t)info.st_ino;
}

void rg_take_inputs(rg_context *ctx, const rg_context *from)
{
    for (int k = 0; k < from->n_inputs && k < RG_INPUT_LIMIT; k++) {
        uint64_t *place = ctx->inputs[ctx->n_inputs++ % RG_INPUT_LIMIT];
        place[0] = from->inputs[k][0];
        place[1] = from->inputs[k][1];
    }
}

bool rg_is_input(const rg_context *ctx, const char *path)
{
    struct stat info;

    if (ctx == NULL || lstat(path, &info) != 0 || !S_ISREG(info.st_mode)) return false;
    for (int k = 0; k < ctx->n_inputs && k < RG_INPUT_LIMIT; k++)
        if (ctx->inputs[k][0] == (uint64_t)info.st_dev
            && ctx->inputs[k][1] == (uint64_t)info.st_ino)
            return true;
    return false;
}
