/* Model text -> tree -> text with all brackets written out. */
#include "support/print_model.h"
#include "support/test.h"

/* The tree of a text, printed; checks that the printed text has the same tree. */
static char *parse_printed(const char *text)
{
    rg_context *ctx = NULL;
    rg_source *source = NULL;
    rg_model *model = NULL;
    char *printed = NULL;

    if (!CHECK(rg_context_create(&ctx) == RG_OK)) return NULL;
    CHECK(rg_source_from_text(ctx, "text", text, &source) == RG_OK);
    if (rg_model_parse(ctx, &source, &model) == RG_OK) {
        printed = print_model(model);
    } else {
        rg_error_print(rg_last_error(ctx), stderr);
    }
    CHECK(source == NULL);
    rg_model_destroy(ctx, &model);
    rg_context_destroy(&ctx);
    return printed;
}

static void check_tree(const char *text, const char *expected, const char *file, int line)
{
    char *once = parse_printed(text);
    char *twice = once == NULL ? NULL : parse_printed(once);

    test_text(once == NULL ? "(error)" : once, expected, file, line, text);
    test_text(twice == NULL ? "(error)" : twice, expected, file, line, text);
    free(once);
    free(twice);
}

#define TREE(text, expected) check_tree(text, expected, __FILE__, __LINE__)

static void test_expressions(void)
{
    TREE("y = a + b - c*d/e", "y = ((a + b) - ((c * d) / e))\n");
    TREE("y = -x^2", "y = (-(x ^ 2))\n");
    TREE("y = 2^-1", "y = (2 ^ (-1))\n");
    TREE("y = a*-b", "y = (a * (-b))\n");
    TREE("y = a^b^c", "y = (a ^ (b ^ c))\n");
    TREE("y = 2^-x^2", "y = (2 ^ (-(x ^ 2)))\n");
    TREE("y = --x - -x", "y = ((-(-x)) - (-x))\n");
    TREE("y = (a + b)*c", "y = ((a + b) * c)\n");
    TREE("-x = .5", "(-x) = 0.5\n");
}

static void test_conditions(void)
{
    TREE("y = a < 1 or b >= 2 and not c == d", "y = ((a < 1) or ((b >= 2) and (not (c == d))))\n");
    TREE("y = not a + 1 != 2", "y = (not ((a + 1) != 2))\n");
    TREE("y = not not a", "y = (not (not a))\n");
    TREE("y = if(x <= 0, -x, x)", "y = if((x <= 0), (-x), x)\n");
    TREE("y = (a < b) == (c > d)", "y = ((a < b) == (c > d))\n");
}

static void test_postfix(void)
{
    TREE("x'' = u[i+1, 2]' + f(x, y')", "x'' = (u[(i + 1), 2]' + f(x, y'))\n");
    TREE("(x*y)' = (x')'", "(x * y)' = (x')'\n");
    TREE("(x)' = (f(x))'", "x' = (f(x))'\n");
    TREE("boundary x'(0) = u[3](end) + u[1]''(start + 1)",
         "boundary x'(0) = (u[3](end) + u[1]''((start + 1)))\n");
    TREE("boundary x(0)^2*a + b*c - (d - e) = 1",
         "boundary x(0) ^ 2 * a + (b * c) - (d - e) = 1\n");
    TREE("y = f()", "y = f()\n");
    TREE("y = x ''", "y = x''\n");
    TREE("y = sin (x)", "y = sin(x)\n");
}

static void test_sums(void)
{
    TREE("y = sum(i=1..N, j=i..M-1, u[i]*v[j])",
         "y = sum(i = 1 .. N, j = i .. (M - 1), (u[i] * v[j]))\n");
    TREE("y = max(i=1..3, min(j=1..i, k=1..2, u[j]))",
         "y = max(i = 1 .. 3, min(j = 1 .. i, k = 1 .. 2, u[j]))\n");
    TREE("y = max(i, 2) + min(i == 2, 1)", "y = (max(i, 2) + min((i == 2), 1))\n");
    TREE("y = sum(i=1..3, i == 2)", "y = sum(i = 1 .. 3, (i == 2))\n");
    TREE("y = 2*sum + sum(k=1..2, sum(i=1..k, i))",
         "y = ((2 * sum) + sum(k = 1 .. 2, sum(i = 1 .. k, i)))\n");
}

static void test_declarations(void)
{
    TREE("param a = 1, b = 2*a, p ~ 3", "param a = 1\nparam b = (2 * a)\nparam p ~ 3\n");
    TREE("param A[i=1..2, j=1..2] = (1, -2, 3, 4*a)",
         "param A[i = 1 .. 2, j = 1 .. 2] = (1, (-2), 3, (4 * a))\n");
    TREE("param B[i=1..3] = (i + 1)*2", "param B[i = 1 .. 3] = ((i + 1) * 2)\n");
    TREE("param B[i=1..1] = (5)", "param B[i = 1 .. 1] = 5\n");
    TREE("let r = x^2, s[i=1..N] = i", "let r = (x ^ 2)\nlet s[i = 1 .. N] = i\n");
    TREE("fun f(x, y) = x*y; fun g() = t", "fun f(x, y) = (x * y)\nfun g() = t\n");
    TREE("var x = 1, x' = 0, y ~ 2, z", "var x = 1\nvar x' = 0\nvar y ~ 2\nvar z\n");
    TREE("var u[i=1..N] = sin(i), u[i=1..N]'' ~ 0, c[i=1..2,j=1..3,k=0..4]",
         "var u[i = 1 .. N] = sin(i)\nvar u[i = 1 .. N]'' ~ 0\n"
         "var c[i = 1 .. 2, j = 1 .. 3, k = 0 .. 4]\n");
    TREE("start u[i+1, 2]' ~ i^2, x = 1; start = 3",
         "start u[(i + 1), 2]' ~ (i ^ 2)\nstart x = 1\nstart = 3\n");
    TREE("over t = 0...5", "over t = 0 .. 0.5\n");
    TREE("over s = 2*pi..-1", "over s = (2 * pi) .. (-1)\n");
}

static void test_others(void)
{
    TREE("title \"a # b \\\"", "title \"a # b \\\"\n");
    TREE("exact x = sin(t), u[2]' = 1", "exact x = sin(t)\nexact u[2]' = 1\n");
    TREE("output x, e = x^2, u[3], y'", "output x\noutput e = (x ^ 2)\noutput u[3]\noutput y'\n");
    TREE("boundary x(0) = 1, x(1) = 2", "boundary x(0) = 1\nboundary x(1) = 2\n");
    TREE("solve method = half-explicit, tol = 1e-8, max_steps = 3, h-first = -2, f = \"a b\"",
         "solve method = \"half-explicit\"\nsolve tol = \"1e-8\"\nsolve max_steps = \"3\"\n"
         "solve h-first = \"-2\"\nsolve f = \"a b\"\n");
}

static void test_blocks(void)
{
    TREE("for i = 2..N-1, j = 1..M { u[i] = j }",
         "for i = 2 .. (N - 1), j = 1 .. M {\nu[i] = j\n}\n");
    TREE("for i=1..2 {\n x[i]' = 1; boundary x[i](0) = 1\n exact x[i] = t\n output e[i] = 1\n}\ny "
         "= 1",
         "for i = 1 .. 2 {\nx[i]' = 1\nboundary x[i](0) = 1\nexact x[i] = t\noutput e[i] = 1\n}\n"
         "y = 1\n");
    TREE("for i=1..2 { for j=1..i { x[i,j] = 1 } y[i] = 2 } z = 3",
         "for i = 1 .. 2 {\nfor j = 1 .. i {\nx[i, j] = 1\n}\ny[i] = 2\n}\nz = 3\n");
    TREE("for i=1..2 { }", "for i = 1 .. 2 {\n}\n");
}

static void test_lines(void)
{
    TREE("x = a +\n b *\n# comment\n\n c\ny = (a\n + b)\n", "x = (a + (b * c))\ny = (a + b)\n");
    TREE("x =\n 1", "x = 1\n");
    TREE("var a = 1,\n b,\n c ~\n 2", "var a = 1\nvar b\nvar c ~ 2\n");
    TREE("x = u[1,\n2\n]; y = 1;; ;z = 2", "x = u[1, 2]\ny = 1\nz = 2\n");
    TREE("x = 1\r\ny = 2\r\n", "x = 1\ny = 2\n");
    TREE("x = a <\n b and\n not\n c", "x = ((a < b) and (not c))\n");
    TREE("over t = 0 ..\n 1", "over t = 0 .. 1\n");
    TREE("", "");
    TREE("# nothing\n\n", "");
    TREE("\xEF\xBB\xBFx = 1", "x = 1\n");
    TREE("\xCE\xBB = 1 # \xFF", "\xCE\xBB = 1\n");
}

/* Statement words are names before '=', an operator, a prime or a bracket. */
static void test_words(void)
{
    TREE("var = 3\ntitle' = 1\nlet[2] = 1", "var = 3\ntitle' = 1\nlet[2] = 1\n");
    TREE("fun for(x) = x\nfor(1) = 2", "fun for(x) = x\nfor(1) = 2\n");
    TREE("var output\noutput - x = 3\nsolve*2 = over\nexact < 3 = 1\nparam == 1 = fun",
         "var output\n(output - x) = 3\n(solve * 2) = over\n(exact < 3) = 1\n(param == 1) = fun\n");
    TREE("when = 1\nflow' = domain\nwell/import = 1",
         "when = 1\nflow' = domain\n(well / import) = 1\n");
    TREE("var var = 1, let\nparam param = 2\nover over = 0 .. 1",
         "var var = 1\nvar let\nparam param = 2\nover over = 0 .. 1\n");
    TREE("end = start", "end = start\n");
}

/* Long chains are balanced, with the same value: counts +1 and -1 for each term. */
static double value_of(const rg_ast *node)
{
    if (node->kind == RG_AST_NUMBER) return node->value;
    const double a = value_of(node->args[0]), b = value_of(node->args[1]);
    switch (node->op) {
    case '+':
        return a + b;
    case '-':
        return a - b;
    case '*':
        return a * b;
    default:
        return a / b;
    }
}

static void check_chain(int n, const char *plus, const char *minus, double expected)
{
    rg_context *ctx = NULL;
    rg_source *source = NULL;
    rg_model *model = NULL;
    char *text = malloc((size_t)n * 8 + 16), *end = text;

    if (!CHECK(text != NULL && rg_context_create(&ctx) == RG_OK)) return;
    end += sprintf(end, "y = 1");
    for (int k = 1; k < n; k++)
        end += sprintf(end, " %s 2", k % 3 == 1 ? plus : minus);
    CHECK(rg_source_from_text(ctx, "text", text, &source) == RG_OK);
    if (CHECK(rg_model_parse(ctx, &source, &model) == RG_OK)) {
        const rg_ast *right = model->statements[0]->right;
        CHECK_NEAR(value_of(right), expected, 1e-9);
        CHECK(right->height < 40);
        CHECK_INT(right->span.start, 4);
        CHECK_INT(right->span.end, (int)(end - text));
    }
    rg_model_destroy(ctx, &model);
    rg_context_destroy(&ctx);
    free(text);
}

static void test_chains(void)
{
    for (int n = 2; n < 60; n++) {
        const int plus = (n - 1 + 2) / 3, minus = n - 1 - plus;
        check_chain(n, "+", "-", 1 + 2 * (plus - minus));
    }
    check_chain(20000, "+", "-", 1 - 2 * 6667 + 2 * 2); /* 6667 plus, 13332 minus */
    check_chain(61, "*", "/", 1.0 / (1 << 20));
}

static void test_places(void)
{
    rg_context *ctx = NULL;
    rg_source *source = NULL;
    rg_model *model = NULL;

    if (!CHECK(rg_context_create(&ctx) == RG_OK)) return;
    CHECK(rg_source_from_text(ctx, "text", "var x = 1, yy' ~ 2*3\n(x + 1)*u[2]' = sin(x)", &source)
          == RG_OK);
    if (CHECK(rg_model_parse(ctx, &source, &model) == RG_OK && model->n_statements == 3)) {
        const rg_statement *yy = model->statements[1], *equation = model->statements[2];
        CHECK(yy->span.start == 11 && yy->span.end == 20);
        CHECK(yy->name_span.start == 11 && yy->name_span.end == 13);
        CHECK(yy->value_span.start == 17 && yy->value_span.end == 20);
        CHECK(equation->span.start == 21 && equation->span.end == 43);
        CHECK(equation->left->span.start == 21 && equation->left->span.end == 34);
        CHECK(equation->left->args[0]->span.end == 28);
        CHECK(equation->left->name_span.start == 28);
        CHECK(equation->right->span.start == 37 && equation->right->span.end == 43);
    }
    rg_model_destroy(ctx, &model);
    rg_model_destroy(ctx, &model);
    rg_context_destroy(&ctx);
}

static const test_case cases[] = {
    {"expressions",  test_expressions },
    {"conditions",   test_conditions  },
    {"postfix",      test_postfix     },
    {"sums",         test_sums        },
    {"declarations", test_declarations},
    {"others",       test_others      },
    {"blocks",       test_blocks      },
    {"lines",        test_lines       },
    {"words",        test_words       },
    {"chains",       test_chains      },
    {"places",       test_places      },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
