/* Allocation through a context: zeroed memory, overflow, growth, allocators that fail. */
#include "base/pieces.h"
#include "support/fault.h"
#include "support/test.h"

#include <string.h>

static void test_zeroed(void)
{
    fault_allocator a = {0}; /* hands out memory that is not zero */
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create_with(fault_realloc, &a, &ctx), RG_OK);
    unsigned char *p = rg_alloc(ctx, 100, 3);
    int sum = 0;
    for (int k = 0; k < 300; k++)
        sum += p[k];
    CHECK_INT(sum, 0);
    CHECK_INT(rg_last_error(ctx)->code, RG_OK);
    rg_free(ctx, p);
    rg_free(ctx, NULL);
    rg_context_destroy(&ctx);
    CHECK_INT(a.live, 0);
}

/* Blocks of the standard allocator that were in use before, small and large. */
static void test_zeroed_again(void)
{
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    for (size_t bytes = 1; bytes <= 5000; bytes += 1 + bytes / 9)
        for (int turn = 0; turn < 3; turn++) {
            unsigned char *p = rg_alloc(ctx, bytes, 1);
            size_t used = 0;
            for (size_t k = 0; k < bytes; k++)
                used += p[k] != 0;
            CHECK_INT(used, 0);
            memset(p, 0xff, bytes);
            rg_free(ctx, p);
        }
    rg_context_destroy(&ctx);
}

static bool is_all(unsigned char what, const unsigned char *p, size_t bytes)
{
    return p[0] == what && memcmp(p, p + 1, bytes - 1) == 0;
}

/* Blocks of whole huge pages and around them, anew after others: zeroed, the others as they were,
 * and what was written stays when a block grows. */
static void test_large(void)
{
    enum { BLOCKS = 6, TURNS = 4, HUGE_PAGE = 2 << 20 };
    static const size_t beyond[BLOCKS] = {0, 1, 4095, 4097, 1234567, HUGE_PAGE + 77};
    unsigned char *block[BLOCKS] = {NULL};
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    for (int turn = 0; turn < TURNS; turn++)
        for (int k = 0; k < BLOCKS; k++) {
            const size_t bytes = HUGE_PAGE / 2 + beyond[k];
            if (turn > 0) CHECK(is_all((unsigned char)(turn + k), block[k], bytes));
            rg_free(ctx, block[k]);
            block[k] = rg_alloc(ctx, bytes, 1);
            CHECK(is_all(0, block[k], bytes));
            memset(block[k], turn + 1 + k, bytes);
        }
    for (int k = 0; k < BLOCKS; k++) {
        block[k] = rg_resize(ctx, block[k], 3, HUGE_PAGE);
        CHECK(is_all((unsigned char)(TURNS + k), block[k], HUGE_PAGE / 2 + beyond[k]));
        rg_free(ctx, block[k]);
    }
    rg_context_destroy(&ctx);
}

static void test_overflow(void)
{
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    CHECK(rg_alloc(ctx, SIZE_MAX / 2, 4) == NULL); /* the product wraps to a small number */
    CHECK_INT(rg_last_error(ctx)->code, RG_ERR_MEMORY);
    CHECK(rg_last_error(ctx)->remedy[0] != '\0');
    rg_clear_error(ctx);
    char *p = rg_alloc(ctx, 4, 1);
    CHECK(rg_resize(ctx, p, SIZE_MAX / 8 + 2, 8) == NULL);
    CHECK_INT(rg_last_error(ctx)->code, RG_ERR_MEMORY);
    memset(p, 1, 4); /* still there */
    rg_free(ctx, p);
    rg_context_destroy(&ctx);
}

static void test_nothing(void)
{
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    void *p = rg_alloc(ctx, 0, 8);
    CHECK(p != NULL); /* NULL always means a failure */
    void *q = rg_resize(ctx, p, 0, 8);
    CHECK(q != NULL);
    rg_free(ctx, q);
    char *empty = rg_copy_text(ctx, "", 0);
    CHECK_TEXT(empty, "");
    rg_free(ctx, empty);
    rg_context_destroy(&ctx);
    CHECK(ctx == NULL);
    rg_context_destroy(&ctx);
}

static void test_grow(void)
{
    rg_context *ctx = NULL;
    int64_t capacity = 0;
    double *array = NULL;
    int moves = 0;

    CHECK_INT(rg_context_create(&ctx), RG_OK);
    for (int64_t k = 0; k < 100000; k++) {
        const int64_t before = capacity;
        if (!CHECK_INT(rg_grow(ctx, &array, k, &capacity, sizeof *array), RG_OK)) break;
        moves += capacity != before;
        array[k] = (double)k;
    }
    CHECK(moves <= 14); /* doubling */
    CHECK_NEAR(array[0] + array[77777] + array[99999], 0 + 77777 + 99999, 0);
    rg_free(ctx, array);
    rg_context_destroy(&ctx);
}

/* Arrays of an object: apart, zeroed, aligned; none is set where there is no memory. */
static void test_pieces(void)
{
    fault_allocator a = {0};
    rg_context *ctx = NULL;
    char *letters = NULL;
    double *numbers = NULL, *none = NULL;
    int32_t *counts = NULL;
    void *block = NULL;

    CHECK_INT(rg_context_create_with(fault_realloc, &a, &ctx), RG_OK);
    CHECK_INT(RG_TAKE(ctx, &block, RG_PIECE(letters, 3), RG_PIECE(numbers, 5), RG_PIECE(none, 0),
                      RG_PIECE(counts, 7)),
              RG_OK);
    CHECK((void *)letters == block && (uintptr_t)numbers % 16 == 0 && (uintptr_t)counts % 16 == 0);
    CHECK((char *)numbers >= letters + 3 && (char *)none >= (char *)(numbers + 5)
          && (char *)counts > (char *)none);
    for (int k = 0; k < 7; k++)
        CHECK(counts[k] == 0 && (k >= 5 || numbers[k] == 0.0) && (k >= 3 || letters[k] == 0));
    rg_free(ctx, block);
    CHECK_INT(RG_TAKE(ctx, &block, RG_PIECE(letters, 3), RG_PIECE(numbers, 1001)), RG_OK);
    CHECK((uintptr_t)numbers % RG_CACHE_LINE == 0 && numbers[0] == 0.0 && numbers[1000] == 0.0);
    rg_free(ctx, block);
    block = NULL;
    letters = NULL;
    CHECK_INT(RG_TAKE(ctx, &block, RG_PIECE(letters, 1), RG_PIECE(numbers, INT64_MAX)),
              RG_ERR_MEMORY);
    CHECK_INT(RG_TAKE(ctx, &block, RG_PIECE(letters, -1)), RG_ERR_MEMORY);
    CHECK(block == NULL && letters == NULL);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"pieces",       test_pieces      },
    {"zeroed",       test_zeroed      },
    {"zeroed again", test_zeroed_again},
    {"large",        test_large       },
    {"overflow",     test_overflow    },
    {"nothing",      test_nothing     },
    {"grow",         test_grow        },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
