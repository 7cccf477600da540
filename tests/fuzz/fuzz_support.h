/* What fuzz targets share: a context with little memory, and a claim that ends the run when it does
 * not hold. */
#ifndef RG_TESTS_FUZZ_SUPPORT_H
#define RG_TESTS_FUZZ_SUPPORT_H

#include "regula.h"

#include <stdlib.h>
#include <string.h>

enum {
    FUZZ_MEMORY = 64 << 20
}; /* bytes in one block; a model that wants more gets RG_ERR_MEMORY */

#define CLAIM(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void *fuzz_realloc(void *pointer, size_t size, void *user)
{
    (void)user;
    if (size > FUZZ_MEMORY) return NULL;
    if (size > 0) return realloc(pointer, size);
    free(pointer);
    return NULL;
}

/* A negative status has a message and a remedy; everything prints. */
static inline void claim_error(const rg_context *ctx, rg_status status)
{
    char *text = NULL;
    size_t length = 0;
    if (status >= 0) return;
    CLAIM(rg_error_count(ctx) > 0);
    FILE *to = open_memstream(&text, &length);
    CLAIM(to != NULL);
    for (int k = 0; k < rg_error_count(ctx); k++) {
        const rg_error *e = rg_error_at(ctx, k);
        CLAIM(e->code < 0 && e->message[0] != '\0' && e->remedy[0] != '\0');
        rg_error_print(e, to);
    }
    fclose(to);
    CLAIM(length > 0);
    free(text);
}

#endif
