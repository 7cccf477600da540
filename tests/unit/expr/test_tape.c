/* Tapes, the compiled expressions: their values are those of the graph. */
#include "expr/tape.h"
#include "expr/tape_impl.h"
#include "random_expr.h"
#include "support/fault.h"
#include "support/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 300, OUTPUTS = 3 };

typedef struct {
    rg_context *ctx;
    rg_graph *g;
    rg_tape *tape;
    double *workspace;
    rg_node outputs[OUTPUTS];
} fixture;

static void open_fixture(fixture *f)
{
    memset(f, 0, sizeof *f);
    rg_context_create(&f->ctx);
    rg_graph_create(f->ctx, &f->g);
}

static void compile(fixture *f, int n)
{
    CHECK_INT(rg_tape_create(f->ctx, f->g, n, f->outputs, &f->tape), RG_OK);
    f->workspace = calloc(rg_tape_workspace(f->tape) + 1, sizeof(double));
}

static void close_fixture(fixture *f)
{
    free(f->workspace);
    rg_tape_destroy(&f->tape);
    rg_graph_destroy(&f->g);
    rg_context_destroy(&f->ctx);
}

static bool is_same(double a, double b)
{
    return a == b || (isnan(a) && isnan(b));
}

/* Three random expressions over 300 iterations, three kinds of maps: batches, single runs and the
 * plain values of the graph agree to the last bit. */
static void check_random(fixture *f)
{
    static double vars[RANDOM_VARS][2 * COUNT], batch[OUTPUTS][COUNT], single[OUTPUTS][COUNT];
    static int32_t list[COUNT];
    rg_tape_source inputs[RANDOM_VARS];
    rg_tape_target to_batch[OUTPUTS], to_single[OUTPUTS];
    double *memo = malloc(sizeof *memo * (size_t)rg_graph_size(f->g));

    for (int k = 0; k < COUNT; k++)
        list[k] = (int32_t)random_next(2 * COUNT);
    for (int v = 0; v < RANDOM_VARS; v++)
        for (int k = 0; k < 2 * COUNT; k++)
            vars[v][k] = random_real(-2, 2);
    for (int j = 0; j < rg_tape_input_count(f->tape); j++) {
        const int32_t slot = rg_tape_input_at(f->tape, j).slot;
        inputs[j] = (rg_tape_source){
            vars[slot], {0, 1, NULL}
        };
        if (slot == 1) inputs[j].map = (rg_map){2 * COUNT - 1, -2, NULL};
        if (slot == 2) inputs[j].map.list = list;
    }
    for (int o = 0; o < OUTPUTS; o++) {
        to_batch[o] = (rg_tape_target){
            batch[o], {0, 1, NULL},
             false
        };
        to_single[o] = (rg_tape_target){
            single[o], {0, 1, NULL},
             false
        };
    }
    rg_tape_run(f->tape, 0.5, 0, COUNT, NULL, inputs, to_batch, f->workspace);
    for (int k = 0; k < COUNT; k++)
        rg_tape_run(f->tape, 0.5, k, 1, NULL, inputs, to_single, f->workspace);
    int differ = 0;
    for (int k = 0; k < COUNT; k++) {
        const double point[RANDOM_VARS] = {vars[0][k], vars[1][2 * COUNT - 1 - 2 * k],
                                           vars[2][list[k]], vars[3][k]};
        for (int o = 0; o < OUTPUTS; o++) {
            const double value = graph_value(f->g, f->outputs[o], 0.5, point, memo);
            if (!is_same(batch[o][k], single[o][k]) || !is_same(batch[o][k], value)) differ++;
        }
    }
    CHECK_INT(differ, 0);
    free(memo);
}

static void test_random(void)
{
    for (int n = 0; n < 25; n++) {
        fixture f;
        open_fixture(&f);
        for (int o = 0; o < OUTPUTS; o++) {
            random_expr e = {.size = 0};
            int at = 0;
            random_make(&e, 5);
            f.outputs[o] = random_graph(&e, &at, f.g);
        }
        compile(&f, OUTPUTS);
        check_random(&f);
        close_fixture(&f);
    }
}

/* Outputs: stride, list, accumulation; inputs: iteration list, numbers from the map, time. */
/* ---- rows ------------------------------------------------------------------------------------ */

enum { ROWS = 7, LONG = 150 };

/* Variable 0 moves along the rows, 1 and 2 across them, 3 both ways. */
static void set_row(const rg_tape *tape, double (*vars)[ROWS * LONG], int row,
                    double (*out)[ROWS * LONG], int stride, rg_tape_source *inputs,
                    rg_tape_target *targets)
{
    for (int j = 0; j < rg_tape_input_count(tape); j++) {
        const int32_t slot = rg_tape_input_at(tape, j).slot;
        const rg_map map = slot == 0   ? (rg_map){0, 1, NULL}
                           : slot == 3 ? (rg_map){(int64_t)row * LONG, 1, NULL}
                                       : (rg_map){row, 0, NULL};
        inputs[j] = (rg_tape_source){vars[slot], map};
    }
    for (int o = 0; o < OUTPUTS; o++)
        targets[o] = (rg_tape_target){
            out[o], {(int64_t)row * LONG, stride, NULL},
             false
        };
}

static void split(fixture *f)
{
    static const uint8_t of_slot[RANDOM_VARS] = {RG_MOVES_ALONG, RG_MOVES_ACROSS, RG_MOVES_ACROSS,
                                                 RG_MOVES_ALONG | RG_MOVES_ACROSS};
    uint8_t moves[RANDOM_VARS + 1] = {0};

    for (int j = 0; j < rg_tape_input_count(f->tape); j++)
        moves[j] = of_slot[rg_tape_input_at(f->tape, j).slot];
    CHECK_INT(rg_tape_split(f->tape, moves), RG_OK);
    free(f->workspace);
    f->workspace = calloc(rg_tape_workspace(f->tape) + 1, sizeof(double));
}

/* Runs over rows give the numbers of runs over each, and find the same ones that are not finite. */
static void check_rows(fixture *f, int stride)
{
    static double vars[RANDOM_VARS][ROWS * LONG], one[OUTPUTS][ROWS * LONG],
        rows[OUTPUTS][ROWS * LONG];
    rg_tape_source inputs[RANDOM_VARS];
    rg_tape_target targets[OUTPUTS];
    const int width = rg_tape_width(f->tape), length = LONG / stride;
    bool was_finite = true, is_finite = true;

    for (int v = 0; v < RANDOM_VARS; v++)
        for (int k = 0; k < ROWS * LONG; k++)
            vars[v][k] = random_real(-2, 2);
    for (int row = 0; row < ROWS; row++) {
        set_row(f->tape, vars, row, one, stride, inputs, targets);
        was_finite &= rg_tape_run(f->tape, 0.5, 0, length, NULL, inputs, targets, f->workspace);
    }
    for (int first = 0; first < length; first += width)
        for (int row = 0; row < ROWS; row++) {
            const int n = length - first < width ? length - first : width;
            set_row(f->tape, vars, row, rows, stride, inputs, targets);
            is_finite &=
                rg_tape_run_row(f->tape, 0.5, first, n, row == 0, inputs, targets, f->workspace);
        }
    int differ = 0;
    for (int o = 0; o < OUTPUTS; o++)
        for (int k = 0; k < ROWS * LONG; k++)
            if (!is_same(one[o][k], rows[o][k])) differ++;
    CHECK_INT(differ, 0);
    CHECK_INT(is_finite, was_finite);
}

static void test_rows(void)
{
    for (int n = 0; n < 60; n++) {
        fixture f;
        open_fixture(&f);
        for (int o = 0; o < OUTPUTS; o++) {
            random_expr e = {.size = 0};
            int at = 0;
            random_make(&e, 1 + n % 6);
            f.outputs[o] = random_graph(&e, &at, f.g);
        }
        compile(&f, OUTPUTS);
        split(&f);
        check_rows(&f, 1 + n % 2);
        close_fixture(&f);
    }
}

/* 1 + sin(7 x) cos(5 y): the sine stays over the rows, the cosine is computed once in each. */
static void test_once(void)
{
    fixture f;
    open_fixture(&f);
    const rg_node x = rg_graph_var(f.g, 0, 0), y = rg_graph_var(f.g, 1, 0),
                  a = rg_graph_unary(f.g, RG_OP_SIN,
                                     rg_graph_binary(f.g, RG_OP_MUL, rg_graph_const(f.g, 7), x)),
                  b = rg_graph_unary(f.g, RG_OP_COS,
                                     rg_graph_binary(f.g, RG_OP_MUL, rg_graph_const(f.g, 5), y));
    f.outputs[0] = rg_graph_binary(f.g, RG_OP_ADD, rg_graph_const(f.g, 1),
                                   rg_graph_binary(f.g, RG_OP_MUL, a, b));
    compile(&f, 1);
    split(&f);
    CHECK_INT(f.tape->n_kept, 1);
    for (int64_t q = 0; q < f.tape->length; q++) {
        if (f.tape->code[q].op == RG_OP_SIN) CHECK_INT(f.tape->moves[q], RG_MOVES_ALONG);
        if (f.tape->code[q].op == RG_OP_COS) CHECK_INT(f.tape->moves[q], RG_MOVES_ACROSS);
    }
    close_fixture(&f);
}

/* x cos(3 t), cos(3 t): the cosine of the time is computed once for all iterations of a batch. */
static void test_time_alone(void)
{
    enum { MANY = 300 };
    static double x[MANY], y[MANY], z[3];
    static int32_t list[MANY];
    fixture f;

    open_fixture(&f);
    const rg_node times =
                      rg_graph_binary(f.g, RG_OP_MUL, rg_graph_const(f.g, 3), rg_graph_time(f.g)),
                  c = rg_graph_unary(f.g, RG_OP_COS, times);
    f.outputs[0] = rg_graph_binary(f.g, RG_OP_MUL, rg_graph_var(f.g, 0, 0), c);
    f.outputs[1] = c;
    compile(&f, 2);
    for (int64_t q = 0; q < f.tape->length; q++)
        CHECK_INT(f.tape->moves[q] != 0, f.tape->code[q].target == f.tape->first_output);
    for (int k = 0; k < MANY; k++) {
        x[k] = k;
        y[k] = 1;
        list[k] = k % 3;
    }
    const rg_tape_source input = {
        x, {0, 1, NULL}
    };
    const rg_tape_target outputs[2] = {
        {y, {0, 1, NULL}, true},
        {z, {0, 0, list}, true}
    };
    CHECK(rg_tape_run(f.tape, 0.7, 0, MANY, NULL, &input, outputs, f.workspace));
    for (int k = 0; k < MANY; k++)
        CHECK_NEAR(y[k], 1 + k * cos(3 * 0.7), 0);
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(z[k], 100 * cos(3 * 0.7), 1e-13 * 100);
    close_fixture(&f);
}

static void test_maps(void)
{
    fixture f;
    double x[50], y[200] = {0}, z[10] = {0};
    int32_t iterations[20], list[20];

    open_fixture(&f);
    const rg_node x_node = rg_graph_var(f.g, 0, 0), index = rg_graph_data(f.g, 0);
    f.outputs[0] = rg_graph_binary(f.g, RG_OP_MUL, x_node, index);
    f.outputs[1] = rg_graph_time(f.g);
    compile(&f, 2);
    for (int k = 0; k < 50; k++)
        x[k] = 100 + k;
    for (int k = 0; k < 20; k++) {
        iterations[k] = 2 * k + 1;
        list[k] = k % 10;
    }
    rg_tape_source inputs[2];
    for (int j = 0; j < 2; j++)
        inputs[j] = rg_tape_input_at(f.tape, j).op == RG_OP_VAR
                        ? (rg_tape_source){x, {0, 1, NULL}}
                        : (rg_tape_source){NULL, {7, 3, NULL}};
    const rg_tape_target outputs[2] = {
        {y, {5, 3, NULL}, false},
        {z, {0, 0, list}, true }
    };
    rg_tape_run(f.tape, 2.5, 0, 20, iterations, inputs, outputs, f.workspace);
    for (int k = 0; k < 20; k++)
        CHECK_NEAR(y[5 + 3 * k], (100 + 2 * k + 1) * (7 + 3 * (2 * k + 1)), 0);
    for (int k = 0; k < 10; k++)
        CHECK_NEAR(z[k], 5, 0);
    close_fixture(&f);
}

/* The working set of long sums and deep nests stays small. */
static void test_registers(void)
{
    for (int kind = 0; kind < 2; kind++) {
        fixture f;
        open_fixture(&f);
        rg_node sum = rg_graph_const(f.g, 1);
        for (int k = 0; k < 20000; k++) {
            const rg_node a = rg_graph_var(f.g, k % 100, 0), b = rg_graph_var(f.g, 7 * k % 101, 1);
            const rg_node ka = rg_graph_binary(f.g, RG_OP_MUL, rg_graph_const(f.g, k), a);
            const rg_node term =
                rg_graph_unary(f.g, RG_OP_SIN, rg_graph_binary(f.g, RG_OP_ADD, ka, b));
            sum = rg_graph_binary(f.g, RG_OP_ADD, kind ? term : sum, kind ? sum : term);
        }
        f.outputs[0] = sum;
        compile(&f, 1);
        CHECK(f.tape->n_registers <= 4);
        CHECK_INT(rg_tape_input_count(f.tape), 201);
        close_fixture(&f);
    }
}

static void test_joined(void)
{
    fixture f;
    open_fixture(&f);
    const rg_node x = rg_graph_var(f.g, 0, 0), y = rg_graph_var(f.g, 1, 0),
                  z = rg_graph_var(f.g, 2, 0);
    f.outputs[0] = rg_graph_binary(f.g, RG_OP_ADD, rg_graph_binary(f.g, RG_OP_MUL, x, y), z);
    f.outputs[1] = rg_graph_binary(f.g, RG_OP_SUB, z,
                                   rg_graph_binary(f.g, RG_OP_MUL, rg_graph_const(f.g, 3), y));
    f.outputs[2] = rg_graph_const(f.g, 4);
    compile(&f, 3);
    CHECK_INT(rg_tape_length(f.tape), 3); /* each writes its output */
    const double at[3] = {2, 5, 11};
    double out[3];
    rg_tape_source inputs[3];
    rg_tape_target outputs[3];
    for (int j = 0; j < 3; j++) {
        inputs[j] = (rg_tape_source){
            at, {rg_tape_input_at(f.tape, j).slot, 0, NULL}
        };
        outputs[j] = (rg_tape_target){
            out, {j, 0, NULL},
             false
        };
    }
    rg_tape_run(f.tape, 0, 0, 1, NULL, inputs, outputs, f.workspace);
    CHECK_NEAR(out[0], 21, 0);
    CHECK_NEAR(out[1], -4, 0);
    CHECK_NEAR(out[2], 4, 0);
    close_fixture(&f);
}

/* ---- the n-th allocation fails --------------------------------------------------------------- */

static void test_allocation(void)
{
    int n = 0;
    for (rg_status status = RG_ERR_MEMORY; status != RG_OK && n < 1000; n++) {
        int left = 1000000;
        rg_context *ctx = NULL;
        rg_graph *g = NULL;
        rg_tape *tape = NULL;
        rg_context_create_with(fault_exhausted, &left, &ctx);
        rg_graph_create(ctx, &g);
        rg_node sum = rg_graph_time(g);
        for (int k = 0; k < 100; k++)
            sum = rg_graph_unary(g, RG_OP_SIN,
                                 rg_graph_binary(g, RG_OP_ADD, sum, rg_graph_var(g, k, 0)));
        left = n;
        status = rg_tape_create(ctx, g, 1, &sum, &tape);
        CHECK(status == RG_OK ? tape != NULL : status == RG_ERR_MEMORY && tape == NULL);
        if (status == RG_OK) status = rg_tape_split(tape, (const uint8_t[100]){0});
        CHECK(status == RG_OK || status == RG_ERR_MEMORY);
        left = 1000000;
        rg_tape_destroy(&tape);
        rg_graph_destroy(&g);
        rg_context_destroy(&ctx);
    }
    CHECK(n > 5 && n < 1000);
}

static const test_case cases[] = {
    {"random expressions",  test_random    },
    {"rows",                test_rows      },
    {"once in rows",        test_once      },
    {"time alone",          test_time_alone},
    {"maps",                test_maps      },
    {"few registers",       test_registers },
    {"joined instructions", test_joined    },
    {"allocation failures", test_allocation},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
