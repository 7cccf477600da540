/* Fields, numbers and files of the CSV writer. */
#include "solution/csv.h"
#include "solution/number.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char folder[] = "/tmp/regula-csv-XXXXXX";

static void path_of(const char *name, char path[64])
{
    snprintf(path, 64, "%s/%s", folder, name);
}

static void read_all(const char *path, char *buffer, size_t size)
{
    FILE *f = fopen(path, "r");

    buffer[0] = '\0';
    if (f == NULL) return;
    buffer[fread(buffer, 1, size - 1, f)] = '\0';
    fclose(f);
}

static void test_quotes(void)
{
    rg_context *ctx = NULL;
    rg_csv *csv = NULL;
    char path[64], text[256];

    path_of("quotes.csv", path);
    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_csv_open(ctx, path, &csv) == RG_OK);
    rg_csv_text(csv, "t");
    rg_csv_text(csv, "c[1,2]");
    rg_csv_text(csv, "a\"b");
    CHECK(rg_csv_end_row(csv) == RG_OK);
    rg_csv_real(csv, 0.1);
    rg_csv_real(csv, NAN);
    rg_csv_real(csv, -INFINITY);
    CHECK(rg_csv_end_row(csv) == RG_OK);
    CHECK(access(path, F_OK) != 0); /* appears as a whole */
    CHECK(rg_csv_close(&csv, true) == RG_OK);
    CHECK(csv == NULL);
    read_all(path, text, sizeof text);
    CHECK_TEXT(text, "t,\"c[1,2]\",\"a\"\"b\"\n0.10000000000000001,nan,-inf\n");
    unlink(path);
    rg_context_destroy(&ctx);
}

/* Rows of a run that failed stay beside an older file, and the failure says where; no rows leave no
 * file. */
static void test_incomplete(void)
{
    rg_context *ctx = NULL;
    rg_csv *csv = NULL;
    char path[64], part[80], text[256];

    path_of("incomplete.csv", path);
    snprintf(part, sizeof part, "%s.part", path);
    CHECK(rg_context_create(&ctx) == RG_OK);
    for (int round = 0; round < 2; round++) { /* a complete file, then an incomplete one */
        CHECK(rg_csv_open(ctx, path, &csv) == RG_OK);
        rg_csv_integer(csv, round);
        CHECK(rg_csv_end_row(csv) == RG_OK);
        if (round == 1) {
            rg_fail(ctx, RG_ERR_CONVERGENCE, "it gave up");
            rg_remedy(ctx, "try again");
        }
        CHECK(rg_csv_close(&csv, round == 0) == RG_OK);
    }
    read_all(path, text, sizeof text);
    CHECK_TEXT(text, "0\n");
    read_all(part, text, sizeof text);
    CHECK_TEXT(text, "1\n");
    snprintf(text, sizeof text, "try again (the rows so far are in '%s')", part);
    CHECK_TEXT(rg_last_error(ctx)->remedy, text);
    CHECK(rg_csv_open(ctx, path, &csv) == RG_OK);
    CHECK(rg_csv_close(&csv, false) == RG_OK);
    CHECK(access(part, F_OK) != 0);
    unlink(path);
    rg_context_destroy(&ctx);
}

static void test_full_disk(void)
{
    rg_context *ctx = NULL;
    rg_csv *csv = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_csv_open(ctx, "/dev/full", &csv) == RG_OK);
    rg_csv_text(csv, "t");
    rg_csv_end_row(csv);
    CHECK(rg_csv_close(&csv, true) == RG_ERR_IO);
    CHECK(strstr(rg_last_error(ctx)->message, "/dev/full") != NULL);
    CHECK(rg_last_error(ctx)->remedy[0] != '\0');
    CHECK(access("/dev/full.part", F_OK) != 0);
    rg_context_destroy(&ctx);
}

static void test_no_folder(void)
{
    rg_context *ctx = NULL;
    rg_csv *csv = NULL;

    CHECK(rg_context_create(&ctx) == RG_OK);
    CHECK(rg_csv_open(ctx, "/nonexistent/x.csv", &csv) == RG_ERR_IO);
    CHECK(csv == NULL);
    CHECK(rg_last_error(ctx)->message[0] != '\0');
    rg_context_destroy(&ctx);
}

static void test_numbers(void)
{
    char buffer[40];

    CHECK_TEXT(rg_data_text(1, buffer), "1");
    CHECK_TEXT(rg_data_text(-1e-5 / 3, buffer), "-3.3333333333333337e-06");
    CHECK_TEXT(rg_short_text(3.14159, 3, buffer), "3.14");
    CHECK_TEXT(rg_data_text(-NAN, buffer), "nan");
}

static const test_case cases[] = {
    {"quotes",     test_quotes    },
    {"incomplete", test_incomplete},
    {"full disk",  test_full_disk },
    {"no folder",  test_no_folder },
    {"numbers",    test_numbers   }
};

int main(void)
{
    if (mkdtemp(folder) == NULL) return EXIT_FAILURE;
    const int status = test_main(cases, sizeof cases / sizeof *cases);
    rmdir(folder);
    return status;
}
