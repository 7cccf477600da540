/* Every allocation of src/base fails once. */
#include "base/base.h"
#include "support/fault.h"
#include "support/test.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static rg_status make_source(rg_context *ctx, void *user)
{
    rg_source *source = NULL;
    const rg_status status = rg_source_from_text(ctx, "text", user, &source);
    if (status < 0) CHECK(source == NULL);
    rg_source_destroy(ctx, &source);
    return status;
}

static void test_source(void)
{
    /* context, text, source, name, line starts */
    CHECK_INT(fault_run("source", make_source, "var x = 1\nx' = -x\n"), 5);
}

static rg_status read_source(rg_context *ctx, void *user)
{
    rg_source *source = NULL;
    const rg_status status = rg_source_read(ctx, user, &source);
    if (status < 0) CHECK(source == NULL);
    if (status == RG_OK) CHECK_INT(source->length, 100000);
    rg_source_destroy(ctx, &source);
    return status;
}

static void test_read(void)
{
    char path[] = "/tmp/regula-test-XXXXXX";
    char line[101];
    const int descriptor = mkstemp(path);

    if (!CHECK(descriptor >= 0)) return;
    FILE *to = fdopen(descriptor, "w");
    memset(line, 'x', 99);
    strcpy(line + 99, "\n");
    for (int k = 0; k < 1000; k++)
        fputs(line, to);
    fclose(to);
    CHECK(fault_run("read", read_source, path) > 5);
    remove(path);
}

static rg_status grow_array(rg_context *ctx, void *user)
{
    const int n = *(const int *)user;
    int64_t capacity = 0;
    int *array = NULL;
    rg_status status = RG_OK;

    for (int k = 0; k < n && status == RG_OK; k++) {
        status = rg_grow(ctx, &array, k, &capacity, sizeof *array);
        if (status == RG_OK) array[k] = k;
        for (int i = 0; i < k; i += 37)
            CHECK_INT(array[i], i); /* also after a failure */
    }
    rg_free(ctx, array);
    return status;
}

static void test_grow(void)
{
    int n = 1000;
    CHECK(fault_run("grow", grow_array, &n) >= 7);
}

static rg_status make_options(rg_context *ctx, void *nothing)
{
    rg_options *o = NULL, *copy = NULL;
    rg_status status = rg_options_create(ctx, &o);

    (void)nothing;
    CHECK((status == RG_OK) == (o != NULL));
    if (status == RG_OK) status = rg_options_copy(o, &copy);
    CHECK((status == RG_OK) == (copy != NULL));
    rg_options_destroy(&copy);
    rg_options_destroy(&o);
    return status;
}

static void test_options(void)
{
    CHECK(fault_run("options", make_options, NULL) >= 2);
}

/* The allocator itself has to notice a leak. */
static void test_leak_is_seen(void)
{
    fault_allocator a = {0};
    rg_context *ctx = NULL;

    CHECK_INT(rg_context_create_with(fault_realloc, &a, &ctx), RG_OK);
    void *kept = rg_alloc(ctx, 10, 1);
    rg_context_destroy(&ctx);
    CHECK_INT(a.live, 1);
    CHECK_INT(a.bytes, 10);
    fault_realloc(kept, 0, &a);
    CHECK_INT(a.live, 0);
}

static const test_case cases[] = {
    {"source",       test_source      },
    {"read",         test_read        },
    {"grow",         test_grow        },
    {"options",      test_options     },
    {"leak is seen", test_leak_is_seen},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
