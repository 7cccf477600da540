/* Any bytes as model text, zero bytes too: parsing ends in a tree that can be printed and parsed
 * again to the same tree, or in errors with message, place and remedy. */
#include "fuzz/fuzz_support.h"
#include "support/print_model.h"

/* All brackets written out nest deeper than the text did; the left edge of a boundary line has
 * none. */
enum { HEIGHT_PRINTED = 60, HEIGHT_BOUNDARY = 16 };

/* rg_source_from_text() stops at a zero byte, a file does not: they are put in afterwards. */
static rg_source *make_source(rg_context *ctx, const char *bytes, size_t size)
{
    rg_source *source = NULL;
    char *text = malloc(size + 1);

    CLAIM(text != NULL);
    for (size_t k = 0; k < size; k++)
        text[k] = bytes[k] == '\0' ? ' ' : bytes[k];
    text[size] = '\0';
    CLAIM(rg_source_from_text(ctx, "text", text, &source) == RG_OK);
    const size_t mark = size - (size_t)source->length; /* a byte order mark is dropped */
    CLAIM(mark == 0 || mark == 3);
    if (size > 0) memcpy(source->text, bytes + mark, size - mark);
    free(text);
    return source;
}

static int claim_tree(const rg_ast *node, const rg_source *source)
{
    int height = 0;

    if (node == NULL) return 0;
    CLAIM(node->span.start >= 0 && node->span.start <= node->span.end);
    CLAIM(node->span.end <= source->length);
    for (int k = 0; k < node->n_args; k++) {
        const int below = claim_tree(node->args[k], source);
        CLAIM(node->args[k] != NULL);
        if (below > height) height = below;
    }
    for (int k = 0; k < node->n_ranges; k++) {
        const int low = claim_tree(node->ranges[k].low, source);
        const int high = claim_tree(node->ranges[k].high, source);
        if (low > height) height = low;
        if (high > height) height = high;
    }
    CLAIM(node->height == height + 1 && node->height <= RG_MODEL_HEIGHT);
    return node->height;
}

static int claim_statements(int n, rg_statement *const *list, const rg_source *source)
{
    int height = 0;

    for (int k = 0; k < n; k++) {
        const rg_statement *s = list[k];
        int parts[] = {claim_tree(s->left, source), claim_tree(s->right, source),
                       1 + claim_statements(s->n_body, s->body, source)};
        if (s->kind == RG_STATEMENT_BOUNDARY && s->left->height > HEIGHT_BOUNDARY)
            height = HEIGHT_PRINTED + 1;
        CLAIM(s->span.start <= s->span.end && s->span.end <= source->length);
        for (int j = 0; j < s->n_ranges; j++) {
            claim_tree(s->ranges[j].low, source);
            claim_tree(s->ranges[j].high, source);
        }
        for (int j = 0; j < 3; j++) {
            if (parts[j] > height) height = parts[j];
        }
    }
    return height;
}

static rg_model *parse(rg_context *ctx, const char *bytes, size_t size)
{
    rg_source *source = make_source(ctx, bytes, size);
    rg_model *model = NULL;

    rg_clear_error(ctx);
    const rg_status status = rg_model_parse(ctx, &source, &model);
    claim_error(ctx, status);
    CLAIM(source == NULL && (status == RG_OK) == (model != NULL));
    CLAIM(status == RG_OK || status == RG_ERR_SYNTAX);
    for (int k = 0; status != RG_OK && k < rg_error_count(ctx); k++) {
        CLAIM(rg_error_at(ctx, k)->line > 0 && rg_error_at(ctx, k)->column > 0);
    }
    CLAIM(status == RG_OK || rg_error_count(ctx) <= RG_MODEL_ERRORS);
    return model;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    rg_context *ctx = NULL;

    CLAIM(rg_context_create_with(fuzz_realloc, NULL, &ctx) == RG_OK);
    rg_model *first = parse(ctx, (const char *)data, size);
    if (first != NULL
        && claim_statements(first->n_statements, first->statements, first->source)
               <= HEIGHT_PRINTED) {
        char *text = print_model(first);
        CLAIM(text != NULL);
        rg_model *second = parse(ctx, text, strlen(text));
        CLAIM(second != NULL);
        char *again = print_model(second);
        CLAIM(again != NULL && strcmp(text, again) == 0);
        free(again);
        free(text);
        rg_model_destroy(ctx, &second);
    }
    rg_model_destroy(ctx, &first);
    rg_context_destroy(&ctx);
    return 0;
}
