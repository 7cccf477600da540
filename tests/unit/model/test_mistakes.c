/* What people really type: where the message points, what it says, what it proposes. */
#include "model/ast.h"
#include "support/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const char *text;
    int line, column;
    const char *message, *remedy; /* parts of them */
} mistake;

static const mistake equations[] = {
    {"x' == 3",                      1, 4,  "single '='",                    "write '=' instead of '=='"},
    {"x = 1\ny' = 2x + 1",           2, 7,  "between '2' and 'x'",           "'2*x'"                    },
    {"x' = x y",                     1, 8,  "between 'x' and 'y'",           "'x*y'"                    },
    {"x' = M0 exp(x)",               1, 9,  "between 'M0' and 'exp'",        "'M0*exp(...)'"            },
    {"x' = sin x",                   1, 10, "between 'sin' and 'x'",         "'sin(x)' for a function"  },
    {"x' = 2(x + 1)",                1, 7,  "between '2' and '('",           "'2*('"                    },
    {"x' = (x + 1)(y)",              1, 13, "operator is missing",           "'*'"                      },
    {"x' = (x + 1) y",               1, 14, "between ')' and 'y'",           "*"                        },
    {"x' := 3",                      1, 4,  "':='",                          "write '='"                },
    {"x' = y && z",                  1, 8,  "'&&'",                          "'and'"                    },
    {"x' = y || z",                  1, 8,  "'||'",                          "'or'"                     },
    {"x' = y**2",                    1, 7,  "'**'",                          "'^'"                      },
    {"x' = x^.",                     1, 8,  "'.'",                           "'..'"                     },
    {"x' = 1,5*y",                   1, 7,  "no decimal point",              "1.5"                      },
    {"x' = 1, y' = 2",               1, 7,  "found ','",                     "';'"                      },
    {"x = a = b",                    1, 7,  "second '='",                    "'=='"                     },
    {"x + y",                        1, 1,  "needs '='",                     "'x + y = 0'"              },
    {"x ~ 3",                        1, 3,  "'~' marks a guess",             "write '='"                },
    {"x = +3",                       1, 5,  "'+' needs a value",             "leave it out"             },
    {"x = 1.5.3",                    1, 5,  "'1.5.3' is no number",          "one point"                },
    {"x = 1e999",                    1, 5,  "1e999 is too large",            "1.7e308"                  },
    {"x = ",                         1, 5,  "expected a value",              "x' = -k*x"                },
    {"x = \"a\"",                    1, 5,  "text in quotes",                "'title'"                  },
    {"x'(t) = 3",                    1, 3,  "x' is given at a point",        "x' alone"                 },
    {"u[3](0) = 3",                  1, 5,  "u[3] is given at a point",      "u[3]*(...)"               },
    {"x'(0) = 1",                    1, 3,  "x' is given at a point",        "var x' = VALUE"           },
    {"u'[3] = 1",                    1, 3,  "subscripts come before primes", "'u[...]'"                 },
    {"boundary x(0)' = 1",           1, 14, "prime cannot follow",           "x'(0)"                    },
    {"y = f(x)'",                    1, 9,  "prime cannot follow",           "(f(x))'"                  },
    {"x''''''''''''''''' = 1",       1, 2,  "17 primes",                     "lower derivative"         },
    {"u[i=1..3] = 4",                1, 4,  "only in declarations",          "for i = 1..N"             },
    {"t = 0 .. 10",                  1, 7,  "only in a range",               "over t = 0 .. 10"         },
    {"x = a // b",                   1, 7,  "'//'",                          "'#'"                      },
    {"x = |y|",                      1, 5,  "'|'",                           "abs(x)"                   },
    {"x = 5 % 3",                    1, 7,  "'%'",                           "mod(a, b)"                },
    {"x = @y",                       1, 5,  "'@' has no meaning",            "remove"                   },
    {"dx/dt = 3",                    1, 1,  "with a prime",                  "x' for dx/dt"             },
    {"d(x*y)/ds = 3\nover s = 0..1", 1, 1,  "with a prime",                  "(x*y)' for d(x*y)/ds"     },
    {"x = if y > 0 then 1 else 2",   1, 5,  "'if' is a function",            "if(CONDITION, a, b)"      },
    {"x = if (y > 0) then 1 else 2", 1, 16, "'if' is a function",            "if(CONDITION, a, b)"      },
    {"if x > 0 then",                1, 1,  "there is no statement 'if'",    "if(CONDITION, a, b)"      },
    {"x = y > 0 ? 1 : 2",            1, 11, "'?'",                           "if(CONDITION, a, b)"      },
    {"param R = 10k",                1, 11, "'10k' is no number",            "'10*1e3'"                 },
    {"param C = 4.7u",               1, 11, "'4.7u' is no number",           "'4.7*1e-6'"               },
    {"model Pendulum",               1, 1,  "no statement 'model'",          "title"                    },
    {"event full when x > 1 { }",    1, 1,  "no statement 'event'",          "when \"name\" x < 0"      },
    {"equation\nx' = 1",             1, 1,  "no statement 'equation'",       "leave it out"             },
    {"constraint x = 1",             1, 1,  "no statement 'constraint'",     "equations like"           },
    {"end Pendulum",                 1, 1,  "no statement 'end'",            "leave it out"             },
    {"include \"a.rg\"",             1, 1,  "cannot include",                "one file"                 },
    {"param g = 9.81 [m/s^2]",       1, 16, "no units",                      "# m/s^2"                  },
    {"var x = 1 [m], y",             1, 11, "no units",                      "comment"                  },
    {"{ x = 1 }",                    1, 1,  "only 'for'",                    "'for i = 1..N {'"         },
    {"x = 1 }",                      1, 7,  "closes nothing",                "for i = 1..N {"           },
};

static const mistake brackets[] = {
    {"x' = sin(a + b\ny' = 3",  1, 9,  "'(' is not closed",                   "')'"                    },
    {"x' = sin(a + b",          1, 9,  "'(' is not closed",                   "')'"                    },
    {"x' = f(a,\ny' = 3",       1, 7,  "'(' is not closed",                   "')'"                    },
    {"x' = max(0; x)",          1, 11, "';' separates equations",             "','"                    },
    {"x' = a[1; 2] + 1",        1, 9,  "';' separates equations",             "','"                    },
    {"x = u[1;y = 2",           1, 6,  "'[' is not closed",                   "']'"                    },
    {"x = (a]",                 1, 7,  "']' cannot close '('",                "write ')'"              },
    {"x = a)",                  1, 6,  "')' closes nothing",                  "'('"                    },
    {"x = (1,5)",               1, 7,  "no decimal point",                    "1.5"                    },
    {"x = (a, b)",              1, 7,  "found ','",                           "the form is"            },
    {"x = if(a = b, 1, 2)",     1, 10, "single '='",                          "'=='"                   },
    {"x = a < b < c",           1, 11, "do not chain",                        "'a < b and b < ...'"    },
    {"x = a\n + b",             2, 2,  "starts with '+' does not continue",   "line before"            },
    {"x = a\n - b",             2, 2,  "starts with '-' does not continue",   "line before"            },
    {"x = a\n and b",           2, 2,  "starts with 'and' does not continue", "line before"            },
    {"x' =\ny' = 3",            2, 4,  "line before ends with '='",           "complete the line"      },
    {"var a = 1,\nparam b = 2", 2, 7,  "line before ends with ','",           "remove the ','"         },
    {"x = sum(u[i], i=1..3)",   1, 5,  "range of an index",                   "sum(i=1..N, expression)"},
    {"x = sum(i=1..3)",         1, 15, "no expression",                       "sum(i=1..N, expression)"},
    {"x = sum(i=1..3, i, 2)",   1, 18, "one expression",                      "sum(i=1..N, expression)"},
};

static const mistake statements[] = {
    {"param a == 1",                       1, 9,  "'==' compares",                            "write '='"        },
    {"param a",                            1, 7,  "'a' has no value",                         "a ~ GUESS"        },
    {"param c = 1,5",                      1, 12, "no decimal point",                         "1.5"              },
    {"param a' = 3",                       1, 8,  "no derivative",                            "'var'"            },
    {"param A = (1, 2)",                   1, 11, "no index",                                 "A[i=1..2]"        },
    {"param A[i=1..2] = (1, 2)*3",         1, 19, "list of values",                           "in full"          },
    {"param 3 = 1",                        1, 7,  "name of a parameter",                      "param a = 3"      },
    {"var x: 1",                           1, 6,  "':'",                                      "write '='"        },
    {"var x(0) = 1",                       1, 6,  "without a point",                          "var x = VALUE"    },
    {"var x = 1 y = 2",                    1, 11, "',' is missing before 'y'",                "put ','"          },
    {"var u[1..N]",                        1, 6,  "names no index",                           "'u[i=1..N]'"      },
    {"var u[N]",                           1, 6,  "names no index",                           "'u[i=1..N]'"      },
    {"var u[a=1..2,b=1..2,c=1..2,d=1..2]", 1, 6,  "4 indices",                                "join two indices" },
    {"var",                                1, 1,  "'var' is no equation",                     "var x = 1"        },
    {"output -x",                          1, 1,  "'output -x' is no equation",               "output x, e = x^2"},
    {"output x^2",                         1, 8,  "name of its own",                          "output NAME"      },
    {"output x' = 3",                      1, 8,  "name of its own",                          "output NAME"      },
    {"vra x = 1",                          1, 1,  "no statement 'vra'",                       "'var'"            },
    {"parameter a = 1",                    1, 1,  "no statement 'parameter'",                 "'param'"          },
    {"with x(1) = 0.1",                    1, 1,  "no statement 'with'",                      "'boundary'"       },
    {"over t = 0, 10",                     1, 11, "expected '..'",                            "over t = 0 .. 10" },
    {"over t = 0 10",                      1, 12, "expected '..'",                            "over t = 0 .. 10" },
    {"fun f x = 3",                        1, 7,  "expected '('",                             "fun f(x, y)"      },
    {"title x",                            1, 7,  "text in quotes",                           "title \"text\""   },
    {"title 'x'",                          1, 1,  "no equation",                              "title \"text\""   },
    {"title \"open\nx = 1",                1, 7,  "does not end",                             "close it"         },
    {"solve tol 1e-3",                     1, 11, "expected '='",                             "solve tol = 1e-8" },
    {"solve tol = a*2",                    1, 14, "one number, one word",                     "quotes"           },
    {"solve at = 1,2,3",                   1, 14, "one number, one word",                     "at = \"1,2,3\""   },
    {"solve continue = 1..2",              1, 19, "one number, one word",                     "quotes"           },
    {"solve a = 1 b = 2",                  1, 13, "',' is missing",                           "put ','"          },
    {"solve method = half explicit",       1, 21, "one word",                                 "'-'"              },
    {"for i in 1..3 { x = 1 }",            1, 7,  "starts with '='",                          "'i = 1..N'"       },
    {"for (i = 1..3) { x = 1 }",           1, 1,  "single '='",                               "for i = 1..N {"   },
    {"for i = 1..3\n{ x = 1 }",            2, 1,  "on the line of its 'for'",                 "line before"      },
    {"for i = 1..3 { x = 1",               1, 14, "'{' is not closed",                        "'}'"              },
    {"for i = 1..3 {\nvar x\n}",           2, 1,  "'var' cannot stand",                       "move it out"      },
    {"for i = 1..3 { solve tol = 1 }",     1, 16, "'solve' cannot stand",                     "move it out"      },
    {"when x > 1 { y = 2\nvar z\n}",       2, 1,  "'var' cannot stand inside a 'when'",
     "only assignments"                                                                                          },
    {"import \"a.rg\"",                    1, 1,  "does not know the statement 'import' yet", "later version"    },
    {"exact x",                            1, 8,  "expected '='",                             "exact x = sin(t)" },
    {"boundary x(0) == 1",                 1, 15, "single '='",                               "write '='"        },
};

/* To the grammar these are equations. */
static const mistake suspects[] = {
    {"y = dx/dt*m",                                    1, 5, "with a prime",                            "x' for dx/dt"},
    {"dx/dt = 3",                                      1, 1, "with a prime",                            "x' for dx/dt"},
    {"var x\nx = 1\ny = 2*(d(x*y)/ds)\nover s = 0..1", 3, 8, "with a prime",
     "(x*y)' for d(x*y)/ds"                                                                                           },
    {"x = 1\nboundary - x(0) = 1",                     2, 1, "'boundary' before '-' is read as a name",
     "boundary x(end) = 1"                                                                                            },
    {"for(1) = 2",                                     1, 1, "'for' before '('",                        "for i = 1..N"},
};

/* ... and these really are. */
static const char *const innocents[] = {
    "var dt, dx\ndx/dt = 3",
    "param ds = 1\ndx/ds = 3\nover s = 0 .. 1",
    "dx/ds = 3\nover t = 0 .. 1",
    "var boundary\nboundary - x = 1",
    "fun solve(x) = x\nfor i=1..2 { solve(1) = u[i] }",
};

static const mistake characters[] = {
    {"x = 1\nx\xE2\x80\x99 = 3",        2, 2,  "\xE2\x80\x99",             "apostrophe"    },
    {"\xCE\xBB = a \xE2\x89\xA4 b",     1, 7,  "\xE2\x89\xA4",             "'<='"          },
    {"x = a \xE2\x88\x92 b",            1, 7,  "\xE2\x88\x92",             "'-'"           },
    {"x = a\xC3\x97"
     "b",                          1, 6,  "\xC3\x97",                 "'*'"           },
    {"x = a\xC2\xB7"
     "b",                          1, 6,  "\xC2\xB7",                 "'*'"           },
    {"x = a\xC2\xB2",                   1, 6,  "\xC2\xB2",                 "'^2'"          },
    {"over t = 0 \xE2\x80\xA6 1",       1, 12, "\xE2\x80\xA6",             "'..'"          },
    {"title \xE2\x80\x9Cx\xE2\x80\x9D", 1, 7,  "\xE2\x80\x9C",             "'\"'"          },
    {"x\xC2\xA0= 1",                    1, 2,  "U+00A0",                   "ordinary blank"},
    {"x = 1\xEF\xBC\x9B",               1, 6,  "\xEF\xBC\x9B",             "';'"           },
    {"x = \xFF",                        1, 5,  "0xFF is not valid",        "UTF-8"         },
    {"title \"a\xE4\"",                 1, 9,  "0xE4 is not valid",        "UTF-8"         },
    {"\xFF\xFEx",                       1, 1,  "UTF-16",                   "UTF-8"         },
    {"x = \x01",                        1, 5,  "control character U+0001", "remove"        },
    {"x = \xF0\x9F\x98\x80",            1, 5,  "no meaning",               "remove"        },
};

static void check_mistake(const mistake *m)
{
    rg_context *ctx = NULL;
    rg_source *source = NULL;
    rg_model *model = NULL;
    char what[256];

    snprintf(what, sizeof what, "%s", m->text);
    if (!CHECK(rg_context_create(&ctx) == RG_OK)) return;
    CHECK(rg_source_from_text(ctx, "text", m->text, &source) == RG_OK);
    test_int(rg_model_parse(ctx, &source, &model), RG_ERR_SYNTAX, __FILE__, __LINE__, what);
    const rg_error *e = rg_last_error(ctx);
    CHECK(model == NULL && source == NULL);
    test_int(rg_error_count(ctx), 1, __FILE__, __LINE__, what);
    test_int(e->line, m->line, __FILE__, __LINE__, what);
    test_int(e->column, m->column, __FILE__, __LINE__, what);
    if (strstr(e->message, m->message) == NULL)
        test_text(e->message, m->message, __FILE__, __LINE__, what);
    if (strstr(e->remedy, m->remedy) == NULL)
        test_text(e->remedy, m->remedy, __FILE__, __LINE__, what);
    rg_context_destroy(&ctx);
}

/* The lines with an error of a text, as "2 5 7 ". */
static const char *error_lines(const char *text, size_t length)
{
    static char lines[256];
    rg_context *ctx = NULL;
    rg_source *source = NULL;
    rg_model *model = NULL;
    size_t n = 0;

    lines[0] = '\0';
    if (!CHECK(rg_context_create(&ctx) == RG_OK)) return lines;
    char *plain = malloc(length + 1);
    if (!CHECK(plain != NULL)) return lines;
    for (size_t k = 0; k < length; k++)
        plain[k] = text[k] == '\0' ? ' ' : text[k];
    plain[length] = '\0';
    CHECK(rg_source_from_text(ctx, "text", plain, &source) == RG_OK);
    memcpy(source->text, text, length); /* with its zero bytes, as from a file */
    rg_model_parse(ctx, &source, &model);
    for (int k = 0; k < rg_error_count(ctx); k++)
        n += (size_t)snprintf(lines + n, sizeof lines - n, "%d ", rg_error_at(ctx, k)->line);
    rg_model_destroy(ctx, &model);
    rg_context_destroy(&ctx);
    free(plain);
    return lines;
}

#define CHECK_ALL(list)                                                                            \
    do {                                                                                           \
        for (size_t k = 0; k < sizeof(list) / sizeof *(list); k++)                                 \
            check_mistake(&(list)[k]);                                                             \
    } while (0)

static void test_equations(void)
{
    CHECK_ALL(equations);
}

static void test_brackets(void)
{
    CHECK_ALL(brackets);
}

static void test_statements(void)
{
    CHECK_ALL(statements);
}

static void test_suspects(void)
{
    CHECK_ALL(suspects);
    for (size_t k = 0; k < sizeof innocents / sizeof *innocents; k++)
        test_text(error_lines(innocents[k], strlen(innocents[k])), "", __FILE__, __LINE__,
                  innocents[k]);
}

static void test_characters(void)
{
    CHECK_ALL(characters);
}

#define LINES(text) error_lines(text, sizeof(text) - 1)

/* One error a statement; the next statement is read as if nothing had happened. */
static void test_recovery(void)
{
    CHECK_TEXT(LINES("x = 1\ny = 2\n"), "");
    CHECK_TEXT(LINES("x = 2 y z w\ny = 1\nz = = 3\nw = 1\n"), "1 3 ");
    CHECK_TEXT(LINES("x = (a b\n + c) + 1\ny = 1\n"), "1 ");
    CHECK_TEXT(LINES("x = a b +\n c\ny = 1\n"), "1 ");
    CHECK_TEXT(LINES("x = a b + (c\n + d) - 1\ny = 1\n"), "1 ");
    CHECK_TEXT(LINES("x = (a\ny = 1\nz = 2 3\nover t = 0 .. 1\n"), "1 3 ");
    CHECK_TEXT(LINES("x = 2 y; y = 3 z; z = 1\n"), "1 1 ");
    CHECK_TEXT(LINES("for i=1..2 {\n x = 2 y\n y = 1\n z = 3 3 }\nw = 4 4"), "2 4 5 ");
    CHECK_TEXT(LINES("component a {\n x = 2 y\n { } }\nw = 4 4"), "1 4 ");
    CHECK_TEXT(LINES("when a > 1 {\n x = 2 y\n { } }\nw = 4 4"), "2 3 4 ");
    CHECK_TEXT(LINES("for i=1..2 {\nfor j=1..2 {\nx = 1\n"), "2 ");
    CHECK_TEXT(LINES("param A[i=1..3] = (1,\n 2 2,\n 3)\ny = 1"), "2 ");
    CHECK_TEXT(LINES("x = \0 1\ny = \"\0\"\n"), "1 2 ");
}

static void test_limits(void)
{
    enum { DEEP = 5000 };
    static const char *const openings[] = {"(",  "-",    "2^",    "f(",
                                           "u[", "not ", "if(1,", "sum(i=1..2,"};
    static char text[DEEP * 16];
    rg_context *ctx = NULL;

    for (size_t k = 0; k < sizeof openings / sizeof *openings; k++) {
        char *end = text + sprintf(text, "x = ");
        for (int n = 0; n < DEEP; n++)
            end += sprintf(end, "%s", openings[k]);
        CHECK_TEXT(error_lines(text, (size_t)(end - text)), "1 ");
    }
    char *end = text;
    for (int n = 0; n < 100; n++)
        end += sprintf(end, "x = 1 1\n");
    rg_source *source = NULL;
    rg_model *model = NULL;
    if (!CHECK(rg_context_create(&ctx) == RG_OK)) return;
    CHECK(rg_source_from_text(ctx, "text", text, &source) == RG_OK);
    CHECK(rg_model_parse(ctx, &source, &model) == RG_ERR_SYNTAX);
    CHECK_INT(rg_error_count(ctx), RG_MODEL_ERRORS);
    rg_context_destroy(&ctx);
    memset(text, 'x', 300);
    text[300] = '\0';
    CHECK_TEXT(error_lines(text, 300), "1 ");
}

static const test_case cases[] = {
    {"equations",  test_equations },
    {"brackets",   test_brackets  },
    {"statements", test_statements},
    {"suspects",   test_suspects  },
    {"characters", test_characters},
    {"recovery",   test_recovery  },
    {"limits",     test_limits    },
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
