/* Patterns from lists of nonzeros: sorted, each place once, and every nonzero knows its place. */
#include "linalg/join.h"
#include "support/test.h"

/* 3 x 2 (more rows than columns) and 2 x 3, entries in no order and some of them twice. */
static void test_join(void)
{
    static const int32_t at[][2] = {
        {2, 1},
        {0, 0},
        {2, 0},
        {0, 1},
        {2, 1},
        {0, 0}
    };
    static const int64_t tall[] = {3, 0, 1, 2, 3, 0}, flat[] = {3, 0, 2, 1, 3, 0};

    for (int turn = 0; turn < 2; turn++) {
        rg_context *ctx = NULL;
        rg_nonzero list[6];
        int64_t start[4] = {0}, place[6];
        int32_t row[6];
        rg_pattern p = {turn == 0 ? 3 : 2, turn == 0 ? 2 : 3, start, row};

        if (!CHECK_INT(rg_context_create(&ctx), RG_OK)) return;
        for (int k = 0; k < 6; k++)
            list[k] = (rg_nonzero){at[k][turn], at[k][1 - turn], &place[k]};
        CHECK_INT(rg_pattern_join(ctx, 6, list, &p), RG_OK);
        for (int k = 0; k < 6; k++)
            CHECK_INT((int)place[k], (int)(turn == 0 ? tall : flat)[k]);
        CHECK_INT((int)start[p.n_columns], 4);
        for (int64_t j = 0; j < p.n_columns; j++)
            for (int64_t e = start[j] + 1; e < start[j + 1]; e++)
                CHECK(row[e] > row[e - 1]);
        CHECK_INT((int)start[1], 2);
        rg_context_destroy(&ctx);
    }
}

int main(void)
{
    static const test_case cases[] = {
        {"join", test_join}
    };

    return test_main(cases, sizeof cases / sizeof *cases);
}
