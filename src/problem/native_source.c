/* The programs of an assembly as C: inputs loaded, instructions, outputs stored and looked at;
 * loops stay loops.
 *
 * Strides, places and offsets are part of the text; lists and constant arrays come with the call.
 * In a loop numbers that are added up at one place come iteration after iteration, in the
 * interpreter batch after batch: equal to rounding. */
#include "problem/assembly_impl.h"
#include "problem/tuning.h"

/* "base + stride*k", "list[k]", or the one place there is. */
static void emit_index(rg_emitter *e, const rg_program *p, const rg_binding *b, int k, bool is_out)
{
    const int64_t offset = b->home == AT_POOL ? b->offset : 0;

    if (p->single != NULL)
        rg_emit(e, "%lld", (long long)p->single[is_out ? p->n_inputs + k : k].place);
    else if (b->map.list != NULL)
        rg_emit(e, "%lld + l%c%d[k]", (long long)offset, is_out ? 'o' : 'i', k);
    else
        rg_emit(e, "%lld + %lld*k", (long long)(offset + b->map.base), (long long)b->map.stride);
}

static void emit_lists(rg_emitter *e, const rg_program *p)
{
    for (int k = 0; k < p->n_inputs; k++) {
        const rg_binding *b = &p->inputs[k];
        if (b->map.list != NULL) rg_emit(e, "const int *li%d = in[%d].map.list;\n", k, k);
        if (b->home == AT_FIXED && b->values != NULL)
            rg_emit(e, "const double *restrict d%d = in[%d].values;\n", k, k);
    }
    for (int k = 0; k < p->n_outputs; k++)
        if (p->outputs[k].map.list != NULL)
            rg_emit(e, "const int *lo%d = out[%d].map.list;\n", k, k);
}

/* The value of input k. */
static void emit_input(rg_emitter *e, const rg_program *p, int k)
{
    const rg_binding *b = &p->inputs[k];
    const bool is_number = b->home == AT_FIXED && b->values == NULL;

    if (is_number)
        rg_emit(e, "(double)(");
    else if (b->home == AT_FIXED)
        rg_emit(e, "d%d[", k);
    else
        rg_emit(e, "%s[", b->home == AT_Z ? "z" : "pool");
    emit_index(e, p, b, k, false);
    rg_emit(e, "%s", is_number ? ")" : "]");
}

static void emit_store(rg_emitter *e, const rg_program *p, int k)
{
    const rg_binding *b = &p->outputs[k];

    rg_emit(e, "%s[", b->home == AT_F ? "F" : b->home == AT_J ? "J" : "pool");
    emit_index(e, p, b, k, true);
    rg_emit(e, "] %s o%d; c |= carry(o%d);\n", b->accumulate ? "+=" : "=", k, k);
}

static void emit_code(rg_emitter *e, const rg_program *p, int64_t from, int64_t to, bool in_memory)
{
    for (int64_t i = from; i < to; i++) {
        const int32_t output = rg_emit_instruction(e, p->tape, i, in_memory);
        if (output >= 0) emit_store(e, p, output);
    }
}

/* ---- short programs: one function, everything in variables ----------------------------------- */

#define ARGUMENTS                                                                                  \
    "double t, const double *restrict z, double *restrict F, double *restrict J,\n"                \
    "double *restrict pool, const source *in, const target *out"

static void emit_short(rg_emitter *e, const rg_program *p)
{
    rg_emit(e, "double s, q;\n");
    for (int32_t k = 0; k < rg_tape_registers(p->tape); k++)
        rg_emit(e, "double r%d;\n", (int)k);
    for (int k = 0; k < p->n_inputs; k++) {
        rg_emit(e, "const double x%d = ", k);
        emit_input(e, p, k);
        rg_emit(e, ";\n");
    }
    emit_code(e, p, 0, rg_tape_length(p->tape), false);
}

/* ---- long programs: pieces, because compilers take more than linear time for a function ------ */

/* x, li, lo and d are macros, so that a piece takes what it needs. */
static void emit_names(rg_emitter *e, const rg_program *p)
{
    for (int k = 0; k < p->n_inputs; k++) {
        const rg_binding *b = &p->inputs[k];
        if (b->map.list != NULL) rg_emit(e, "#define li%d in[%d].map.list\n", k, k);
        if (b->home == AT_FIXED) rg_emit(e, "#define d%d in[%d].values\n", k, k);
        rg_emit(e, "#define x%d ", k);
        emit_input(e, p, k);
        rg_emit(e, "\n");
    }
    for (int k = 0; k < p->n_outputs; k++)
        if (p->outputs[k].map.list != NULL) rg_emit(e, "#define lo%d out[%d].map.list\n", k, k);
}

static void forget_names(rg_emitter *e, const rg_program *p)
{
    for (int k = 0; k < p->n_inputs; k++)
        rg_emit(e, "#undef x%d\n#undef li%d\n#undef d%d\n", k, k, k);
    for (int k = 0; k < p->n_outputs; k++)
        rg_emit(e, "#undef lo%d\n", k);
}

static void emit_pieces(rg_emitter *e, const rg_program *p)
{
    const int64_t length = rg_tape_length(p->tape);

    emit_names(e, p);
    for (int64_t from = 0; from < length; from += RG_NATIVE_PIECE) {
        const int64_t to = from + RG_NATIVE_PIECE < length ? from + RG_NATIVE_PIECE : length;
        rg_emit(e,
                "static __attribute__((noinline)) unsigned long long k%d_%lld(" ARGUMENTS
                ", double *restrict r, long long k)\n{\n"
                "unsigned long long c = 0;\ndouble s, q;\n",
                p->number, (long long)(from / RG_NATIVE_PIECE));
        emit_code(e, p, from, to, true);
        rg_emit(e, "return c;\n}\n");
    }
    forget_names(e, p);
}

static void emit_calls(rg_emitter *e, const rg_program *p)
{
    const int64_t length = rg_tape_length(p->tape);

    rg_emit(e, "double r[%d];\n", (int)rg_tape_registers(p->tape) + 1);
    for (int64_t from = 0; from < length; from += RG_NATIVE_PIECE)
        rg_emit(e, "c |= k%d_%lld(t, z, F, J, pool, in, out, r, k);\n", p->number,
                (long long)(from / RG_NATIVE_PIECE));
}

/* ---- all of them ----------------------------------------------------------------------------- */

static void emit_program(rg_emitter *e, const rg_program *p, int64_t count)
{
    if (p->tape == NULL) return;
    const bool is_long = rg_tape_length(p->tape) > RG_NATIVE_LONG;
    if (is_long) emit_pieces(e, p);
    rg_emit(e, "static int k%d(" ARGUMENTS ")\n{\nunsigned long long c = 0;\n", p->number);
    if (!is_long) emit_lists(e, p);
    rg_emit(e, "for (long long k = 0; k < %lld; k++) {\n", (long long)count);
    if (is_long)
        emit_calls(e, p);
    else
        emit_short(e, p);
    rg_emit(e, "}\nreturn c >> 63 == 0;\n}\n");
}

/* Deep as sums are nested: bounded by the parser. */
static void emit_unit(rg_emitter *e, const rg_unit *u)
{
    emit_program(e, &u->value, u->count);
    emit_program(e, &u->jacobian, u->count);
    for (int k = 0; k < u->n_children; k++)
        emit_unit(e, &u->children[k]);
}

static void emit_tables(rg_emitter *e, const rg_unit *u)
{
    if (u->value.tape != NULL) rg_emit_tables(e, u->value.tape);
    if (u->jacobian.tape != NULL) rg_emit_tables(e, u->jacobian.tape);
    for (int k = 0; k < u->n_children; k++)
        emit_tables(e, &u->children[k]);
}

void rg_assembly_emit(rg_emitter *e, const rg_assembly *a)
{
    rg_emit_prelude(e);
    for (int k = 0; k < a->n_units; k++)
        emit_tables(e, &a->units[k]);
    for (int k = 0; k < a->n_units; k++)
        emit_unit(e, &a->units[k]);
    rg_emit(e, "int (*const rg_kernels[])(double, const double *, double *, double *, double *,\n"
               "const source *, const target *) = {\n");
    for (int k = 0; k < a->n_programs; k++)
        rg_emit(e, "k%d,\n", k);
    rg_emit(e, "};\n");
}

static int64_t tape_length(const rg_tape *tape)
{
    return tape == NULL ? 0 : rg_tape_length(tape) + rg_tape_nodes(tape);
}

static int64_t unit_length(const rg_unit *u)
{
    int64_t length = tape_length(u->value.tape) + tape_length(u->jacobian.tape);

    for (int k = 0; k < u->n_children; k++)
        length += unit_length(&u->children[k]);
    return length;
}

int64_t rg_assembly_length(const rg_assembly *a)
{
    int64_t length = 0;

    for (int k = 0; k < a->n_units; k++)
        length += unit_length(&a->units[k]);
    return length;
}
