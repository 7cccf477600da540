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

/* Reads the bytes as the text of a model, and looks at what it is, if it is one. */
static inline int fuzz_model_text(const uint8_t *data, size_t size,
                                  void (*look)(rg_context *ctx, rg_problem *p))
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    char *text = malloc(size + 1);

    CLAIM(text != NULL);
    memcpy(text, data, size);
    text[size] = '\0';
    CLAIM(rg_context_create_with(fuzz_realloc, NULL, &ctx) == RG_OK);
    const rg_status status = rg_problem_from_text(ctx, text, &p);
    claim_error(ctx, status);
    CLAIM((status < 0) == (p == NULL));
    if (p != NULL) look(ctx, p);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
    free(text);
    return 0;
}

#endif
