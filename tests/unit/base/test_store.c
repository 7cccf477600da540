/* States as bytes, and the restart files that hold them. */
#include "base/checkpoint.h"
#include "support/test.h"

#include <stdio.h>
#include <string.h>

static rg_context *ctx;

typedef struct {
    double h;
    int64_t n, capacity;
    double *y;
    char *text;
} thing;

static void store(thing *x, rg_store *s)
{
    RG_STORE(s, x->h);
    rg_store_grown(s, &x->y, &x->n, &x->capacity, sizeof *x->y);
    rg_store_text(s, &x->text);
}

static void clear(thing *x)
{
    rg_free(ctx, x->y);
    rg_free(ctx, x->text);
}

static void fill(thing *x)
{
    x->h = 0.25;
    x->n = x->capacity = 3;
    x->y = rg_alloc(ctx, 3, sizeof *x->y);
    x->y[2] = 7.0;
    x->text = rg_copy_text(ctx, "abc", 3);
}

static void test_both_ways(void)
{
    thing a = {0}, b = {0};
    rg_store s, inner;

    fill(&a);
    rg_store_init(ctx, &s);
    rg_store_init(ctx, &inner);
    store(&a, &inner);
    rg_store_inner(&s, &inner);
    rg_store_open(&s);
    rg_store_empty(&inner);
    rg_store_inner(&s, &inner);
    store(&b, &inner);
    CHECK(inner.status == RG_OK && b.h == a.h && b.n == 3 && b.y[2] == 7.0);
    CHECK_TEXT(b.text, "abc");
    store(&b, &inner); /* there is no more */
    CHECK(inner.status == RG_ERR_ARGUMENT);
    rg_clear_error(ctx);
    clear(&a);
    clear(&b);
    rg_store_clear(&s);
    rg_store_clear(&inner);
}

static rg_status open_as(const char *value, bool is_resumed, rg_checkpoint **c)
{
    rg_run_name name = {.ctx = ctx};

    rg_run_name_add(&name, "option rtol", "%s", value);
    rg_run_name_hash(&name, "model text", 17);
    const rg_status status = rg_checkpoint_open(ctx, "test_store.ck", is_resumed, &name, c);
    rg_run_name_clear(&name);
    return status;
}

static void test_file(void)
{
    rg_checkpoint *c;
    rg_store s;
    double x = 3.0, y = 0.0;

    remove("test_store.ck");
    rg_store_init(ctx, &s);
    RG_STORE(&s, x);
    CHECK(open_as("1e-6", true, &c) == RG_OK && rg_checkpoint_state(c)->size == 0);
    CHECK(rg_checkpoint_write(c, &s) == RG_OK);
    rg_checkpoint_close(&c);
    CHECK(open_as("1e-8", true, &c) == RG_ERR_ARGUMENT);
    CHECK(strstr(rg_last_error(ctx)->message, "option rtol was 1e-6 and is 1e-8 now") != NULL);
    rg_clear_error(ctx);
    CHECK(open_as("1e-6", true, &c) == RG_OK);
    RG_STORE(rg_checkpoint_state(c), y);
    CHECK(y == 3.0);
    rg_checkpoint_close(&c);
    rg_store_clear(&s);
}

/* Every byte counts. */
static void test_damage(void)
{
    char bytes[512];
    FILE *file = fopen("test_store.ck", "rb");
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    rg_checkpoint *c;

    fclose(file);
    CHECK(size > 60 && size < sizeof bytes);
    for (size_t k = 0; k < 2 * size; k++) { /* one byte is another, then the end is missing */
        bytes[k % size] ^= k < size ? 1 : 0;
        file = fopen("test_store.ck", "wb");
        fwrite(bytes, 1, k < size ? size : k - size, file);
        fclose(file);
        CHECK(open_as("1e-6", true, &c) == RG_ERR_ARGUMENT);
        CHECK(rg_last_error(ctx)->message[0] != '\0' && rg_last_error(ctx)->remedy[0] != '\0');
        rg_clear_error(ctx);
        bytes[k % size] ^= k < size ? 1 : 0;
    }
    remove("test_store.ck");
}

static const test_case cases[] = {
    {"both ways", test_both_ways},
    {"file",      test_file     },
    {"damage",    test_damage   },
};

int main(void)
{
    if (rg_context_create(&ctx) != RG_OK) return 1;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rg_context_destroy(&ctx);
    return status;
}
