/* Expressions of a model as MathML.  Brackets are set where the order of operations needs them;
 * fractions, roots and powers need none. */
#include "model/mathml_impl.h"

#include <string.h>

/* The name of the function of a call; "": something else. */
static const char *function_of(const rg_ast *a)
{
    const bool is_named = a->kind == RG_AST_CALL && a->args[0]->kind == RG_AST_NAME;

    return is_named ? a->args[0]->text : "";
}

static const struct {
    char op;
    int level;
    const char *sign;
} operators[] = {
    {'o', RG_MATHML_OR,      "or"  },
    {'a', RG_MATHML_AND,     "and" },
    {'+', RG_MATHML_SUM,     "+"   },
    {'-', RG_MATHML_SUM,     "−" },
    {'*', RG_MATHML_PRODUCT, ""    },
    {'/', RG_MATHML_POWER,   ""    },
    {'^', RG_MATHML_POWER,   ""    },
    {'<', RG_MATHML_COMPARE, "&lt;"},
    {'>', RG_MATHML_COMPARE, "&gt;"},
    {'l', RG_MATHML_COMPARE, "≤" },
    {'g', RG_MATHML_COMPARE, "≥" },
    {'!', RG_MATHML_COMPARE, "≠" },
    {'=', RG_MATHML_COMPARE, "="   }
};

/* The row of an operator; what is not in the table is an equality. */
static size_t operator_of(char op)
{
    size_t k = 0;

    while (k + 1 < sizeof operators / sizeof *operators && operators[k].op != op)
        k++;
    return k;
}

/* e^x is a power, and what is written beside two cases would belong to the lower one. */
static int level_of(const rg_ast *a)
{
    if (strcmp(function_of(a), "exp") == 0 && a->n_args == 2) return RG_MATHML_POWER;
    if (strcmp(function_of(a), "if") == 0 && a->n_args == 4) return RG_MATHML_COMPARE;
    if (a->kind == RG_AST_UNARY) return a->op == '-' ? RG_MATHML_SIGN : RG_MATHML_NOT;
    if (a->kind == RG_AST_SUM && a->op == 's') return RG_MATHML_PRODUCT;
    if (a->kind == RG_AST_NUMBER && a->value < 0) return RG_MATHML_SIGN;
    return a->kind == RG_AST_BINARY ? operators[operator_of(a->op)].level : RG_MATHML_ATOM;
}

/* A factor that begins with a sign: a (-b) is not a - b. */
static bool starts_with_sign(const rg_ast *a)
{
    while (a->kind == RG_AST_BINARY && a->op == '*' && a->n_args > 0)
        a = a->args[0];
    return level_of(a) == RG_MATHML_SIGN;
}

/* 2 x needs no sign between them, 2 3 does. */
static bool starts_with_number(const rg_ast *a)
{
    while (a->kind == RG_AST_BINARY && a->op != '/' && a->n_args > 0)
        a = a->args[0];
    return a->kind == RG_AST_NUMBER;
}

static void write_fraction(rg_mathml *w, const rg_ast *a)
{
    if (w->raised > 0) {
        rg_mathml_tree(w, a->args[0], RG_MATHML_PRODUCT);
        fputs("<mo stretchy=\"false\" lspace=\"0\" rspace=\"0\">/</mo>", w->to);
        rg_mathml_tree(w, a->args[1], RG_MATHML_SIGN + 1);
        return;
    }
    fputs("<mfrac><mrow>", w->to);
    rg_mathml_tree(w, a->args[0], RG_MATHML_LOOSE);
    fputs("</mrow><mrow>", w->to);
    rg_mathml_tree(w, a->args[1], RG_MATHML_LOOSE);
    fputs("</mrow></mfrac>", w->to);
}

static void write_exponent(rg_mathml *w, const rg_ast *a)
{
    fputs("<mrow>", w->to);
    w->raised++;
    rg_mathml_tree(w, a, RG_MATHML_LOOSE);
    w->raised--;
    fputs("</mrow></msup>", w->to);
}

static void write_binary(rg_mathml *w, const rg_ast *a)
{
    const int level = level_of(a);

    if (a->op == '/') {
        write_fraction(w, a);
        return;
    }
    if (a->op == '^') {
        fputs("<msup><mrow>", w->to);
        rg_mathml_tree(w, a->args[0], RG_MATHML_ATOM);
        fputs("</mrow>", w->to);
        write_exponent(w, a->args[1]);
        return;
    }
    rg_mathml_tree(w, a->args[0], level);
    if (a->op == '*')
        fputs(starts_with_number(a->args[1]) ? "<mo>·</mo>" : "<mspace width=\".17em\"/>", w->to);
    else
        fprintf(w->to, "<mo>%s</mo>", operators[operator_of(a->op)].sign);
    const bool is_signed =
        (a->op == '*' || a->op == '+' || a->op == '-') && starts_with_sign(a->args[1]);
    rg_mathml_tree(w, a->args[1],
                   is_signed                      ? RG_MATHML_ATOM
                   : a->op == '+' || a->op == '*' ? level
                                                  : level + 1);
}

/* Is it higher than a line of text?  Brackets grow with such trees alone. */
static bool is_high(const rg_mathml *w, const rg_ast *a)
{
    const bool is_power = a->kind == RG_AST_BINARY && a->op == '^';

    if (a->kind == RG_AST_SUM) return true;
    if (a->kind == RG_AST_BINARY && a->op == '/' && w->raised == 0) return true;
    if (strcmp(function_of(a), "if") == 0) return true;
    if (strcmp(function_of(a), "exp") == 0) return false;
    for (int k = 0; k < (is_power ? 1 : a->n_args) && a->kind != RG_AST_INDEX; k++)
        if (is_high(w, a->args[k])) return true;
    return false;
}

static void write_bracket(rg_mathml *w, const char *sign, bool is_tall)
{
    fprintf(w->to, is_tall ? "<mo>%s</mo>" : "<mo stretchy=\"false\">%s</mo>", sign);
}

static void write_list(rg_mathml *w, int n, rg_ast *const *args)
{
    bool has_height = false;

    for (int k = 0; k < n; k++)
        has_height = has_height || is_high(w, args[k]);
    write_bracket(w, "(", has_height);
    for (int k = 0; k < n; k++) {
        if (k > 0) fputs("<mo>,</mo>", w->to);
        rg_mathml_tree(w, args[k], RG_MATHML_LOOSE);
    }
    write_bracket(w, ")", has_height);
}

static void write_cases(rg_mathml *w, const rg_ast *a)
{
    fputs("<mrow><mo>{</mo><mtable columnalign=\"left\"><mtr><mtd>", w->to);
    rg_mathml_tree(w, a->args[2], RG_MATHML_LOOSE);
    fputs("</mtd><mtd><mtext>if\u00a0</mtext>", w->to);
    rg_mathml_tree(w, a->args[1], RG_MATHML_LOOSE);
    fputs("</mtd></mtr><mtr><mtd>", w->to);
    rg_mathml_tree(w, a->args[3], RG_MATHML_LOOSE);
    fputs("</mtd><mtd><mtext>otherwise</mtext></mtd></mtr></mtable></mrow>", w->to);
}

/* Functions with one argument that have signs of their own around it. */
static const struct {
    const char *name, *open, *close;
} enclosed[] = {
    {"sqrt",  "<msqrt>",                                  "</msqrt>"                            },
    {"abs",   "<mrow><mo stretchy=\"false\">|</mo>",      "<mo stretchy=\"false\">|</mo></mrow>"},
    {"floor", "<mrow><mo stretchy=\"false\">\u230a</mo>",
     "<mo stretchy=\"false\">\u230b</mo></mrow>"                                                },
    {"ceil",  "<mrow><mo stretchy=\"false\">\u2308</mo>",
     "<mo stretchy=\"false\">\u2309</mo></mrow>"                                                },
};

/* args[0] is the function, or an unknown at a point. */
static void write_call(rg_mathml *w, const rg_ast *a)
{
    const char *name = function_of(a);

    if (strcmp(name, "if") == 0 && a->n_args == 4) {
        write_cases(w, a);
        return;
    }
    if (strcmp(name, "exp") == 0 && a->n_args == 2) {
        fputs("<msup><mi>e</mi>", w->to);
        write_exponent(w, a->args[1]);
        return;
    }
    for (size_t k = 0; k < sizeof enclosed / sizeof *enclosed && a->n_args == 2; k++) {
        if (strcmp(name, enclosed[k].name) != 0) continue;
        fputs(enclosed[k].open, w->to);
        rg_mathml_tree(w, a->args[1], RG_MATHML_LOOSE);
        fputs(enclosed[k].close, w->to);
        return;
    }
    fputs("<mrow>", w->to);
    if (strcmp(name, "atan2") == 0) /* its digit is no index */
        fputs("<mi>atan2</mi>", w->to);
    else
        rg_mathml_tree(w, a->args[0], RG_MATHML_ATOM);
    write_list(w, a->n_args - 1, a->args + 1);
    fputs("</mrow>", w->to);
}

static void write_prime(rg_mathml *w, const rg_ast *a)
{
    const bool is_many = a->primes > 3;

    fputs(is_many ? "<msup><mrow>" : "<mrow>", w->to);
    rg_mathml_tree(w, a->args[0], RG_MATHML_ATOM);
    if (is_many)
        fprintf(w->to, "</mrow><mrow><mo>(</mo><mn>%d</mn><mo>)</mo></mrow></msup>", a->primes);
    else
        fprintf(w->to, "<mo lspace=\"0\" rspace=\"0\">%s</mo></mrow>",
                a->primes == 1   ? "′"
                : a->primes == 2 ? "″"
                                 : "‴");
}

/* sum, min or max over ranges */
static void write_over(rg_mathml *w, const rg_ast *a)
{
    const char *least = a->op == 'n' ? "<mi>min</mi>" : "<mi>max</mi>";
    const char *sign = a->op == 's' ? "<mo>∑</mo>" : least;

    fputs("<mrow>", w->to);
    for (int k = 0; k < a->n_ranges; k++) {
        fprintf(w->to, "<munderover>%s<mrow>", sign);
        rg_mathml_name(w, a->ranges[k].name, 0, NULL);
        fputs("<mo>=</mo>", w->to);
        rg_mathml_tree(w, a->ranges[k].low, RG_MATHML_SUM);
        fputs("</mrow><mrow>", w->to);
        rg_mathml_tree(w, a->ranges[k].high, RG_MATHML_SUM);
        fputs("</mrow></munderover>", w->to);
    }
    fputs("<mspace width=\".17em\"/>", w->to);
    rg_mathml_tree(w, a->args[0], RG_MATHML_PRODUCT);
    fputs("</mrow>", w->to);
}

static void write_bare(rg_mathml *w, const rg_ast *a)
{
    switch (a->kind) {
    case RG_AST_NUMBER:
        rg_mathml_number(w, a);
        break;
    case RG_AST_NAME:
        rg_mathml_name(w, a->text, 0, NULL);
        break;
    case RG_AST_INDEX:
        rg_mathml_name(w, a->text, a->n_args, a->args);
        break;
    case RG_AST_CALL:
        write_call(w, a);
        break;
    case RG_AST_PRIME:
        write_prime(w, a);
        break;
    case RG_AST_UNARY:
        fputs(a->op == '-' ? "<mo form=\"prefix\">−</mo>" : "<mtext>not\u00a0</mtext>", w->to);
        rg_mathml_tree(w, a->args[0], level_of(a));
        break;
    case RG_AST_BINARY:
        write_binary(w, a);
        break;
    case RG_AST_SUM:
        write_over(w, a);
        break;
    case RG_AST_LIST:
        write_list(w, a->n_args, a->args);
        break;
    }
}

/* The height of a tree is limited (RG_MODEL_HEIGHT), and so is this recursion. */
void rg_mathml_tree(rg_mathml *w, const rg_ast *a, int around)
{
    const bool is_quotient = a->kind == RG_AST_BINARY && a->op == '/' && w->raised > 0;
    const int level = is_quotient || rg_mathml_has_power(w, a) ? RG_MATHML_PRODUCT : level_of(a);
    const bool is_open = level < around;

    fputs("<mrow>", w->to);
    if (is_open) write_bracket(w, "(", is_high(w, a));
    write_bare(w, a);
    if (is_open) write_bracket(w, ")", is_high(w, a));
    fputs("</mrow>", w->to);
}
