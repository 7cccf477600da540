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

/* Two ranks have the columns 0 .. 1 and 2 .. 4 of an array of 3 rows; the file has all of it. */
static void test_divided(void)
{
    double left[6], right[9], back[9], all[15], h = 0.5;
    rg_store_piece shape = {
        .whole = {5, 3, 1},
          .part = {2, 3, 1},
          .element = sizeof(double)
    };
    rg_store s, inner, file;

    for (int k = 0; k < 15; k++) {
        all[k] = k;
        if (k % 5 < 2)
            left[k / 5 * 2 + k % 5] = k;
        else
            right[k / 5 * 3 + k % 5 - 2] = k;
    }
    rg_store_init(ctx, &inner);
    rg_store_init(ctx, &s);
    rg_store_init(ctx, &file);
    RG_STORE(&inner, h);
    rg_store_divided(&inner, left, &shape);
    rg_store_inner(&s, &inner);
    CHECK(inner.n_pieces == 1 && inner.piece[0].at == 8 && s.n_pieces == 1 && s.piece[0].at == 16);
    CHECK(rg_store_whole_size(&inner) == 16 * sizeof h && s.size == 8 * sizeof h);
    RG_STORE(&inner, h); /* reads its own part again */
    rg_store_divided(&inner, back, &shape);
    CHECK(inner.status == RG_OK && memcmp(back, left, sizeof left) == 0);
    RG_STORE(&file, h);
    rg_store_reals(&file, all, 15);
    rg_store_open(&file);
    file.is_whole = true;
    shape.part[0] = 3;
    shape.from[0] = 2;
    RG_STORE(&file, h);
    rg_store_divided(&file, back, &shape);
    CHECK(file.status == RG_OK && memcmp(back, right, sizeof right) == 0 && file.at == file.size);
    rg_store_divided(&file, back, &shape); /* there is no more */
    CHECK(file.status == RG_ERR_ARGUMENT);
    rg_clear_error(ctx);
    const uint64_t sum = rg_checksum(0, 0, all, sizeof all);
    CHECK(sum == rg_checksum(rg_checksum(0, 40, all + 5, 80), 0, all, 40));
    CHECK(sum != rg_checksum(rg_checksum(0, 40, all, 40), 0, all + 5, 40));
    rg_store_clear(&s);
    rg_store_clear(&inner);
    rg_store_clear(&file);
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
    {"divided",   test_divided  },
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
