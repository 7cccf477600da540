/* Every public function, called with null pointers and zeros: none may end the process.  A function
 * that returns a status says RG_ERR_ARGUMENT, unless there was nothing to do. */
#include "regula.h"
#include "support/test.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define CALL(name, ...)                                                                            \
    static void call_##name(void)                                                                  \
    {                                                                                              \
        (void)name(__VA_ARGS__);                                                                   \
    }
CALL(rg_parse_real, NULL, NULL)
CALL(rg_comparison_against, NULL)
CALL(rg_nearest_word, NULL, 0, NULL)
CALL(rg_orders_verdict, NULL, 0)
CALL(rg_problem_time_name, NULL)
CALL(rg_problem_title, NULL)
CALL(rg_problem_warning, NULL, 0)
CALL(rg_solution_method, NULL)
CALL(rg_solution_warning, NULL, 0)
CALL(rg_status_name, RG_OK)
CALL(rg_version)
CALL(rg_error_at, NULL, 0)
CALL(rg_last_error, NULL)
CALL(rg_comparison_error, NULL, 0, 0)
CALL(rg_orders_error, NULL, 0, 0)
CALL(rg_orders_observed, NULL, 0, 0)
CALL(rg_orders_step, NULL, 0)
CALL(rg_solution_drift, NULL, 0)
CALL(rg_solution_end, NULL)
CALL(rg_solution_error, NULL, 0)
CALL(rg_solution_estimate, NULL)
CALL(rg_solution_estimate_end, NULL)
CALL(rg_solution_time, NULL, 0)
CALL(rg_comparison_count, NULL)
CALL(rg_comparison_point_count, NULL)
CALL(rg_error_count, NULL)
CALL(rg_method_count)
CALL(rg_option_count)
CALL(rg_options_get, NULL, NULL, NULL, 0)
CALL(rg_orders_count, NULL)
CALL(rg_orders_kind, NULL, 0)
CALL(rg_orders_theory, NULL, 0)
CALL(rg_problem_field_count, NULL)
CALL(rg_problem_has_fields, NULL)
CALL(rg_problem_is_boundary, NULL)
CALL(rg_problem_name, NULL, 0, NULL, 0)
CALL(rg_problem_parameter_count, NULL)
CALL(rg_problem_start, NULL, 0, 0, NULL)
CALL(rg_problem_variable_index, NULL, 0)
CALL(rg_problem_warning_count, NULL)
CALL(rg_solution_column_name, NULL, 0, NULL, 0)
CALL(rg_solution_drift_levels, NULL)
CALL(rg_solution_has_exact, NULL)
CALL(rg_solution_warning_count, NULL)
CALL(rg_sweep_table_take, NULL, NULL)
CALL(rg_variant_count, NULL)
CALL(rg_problem_size, NULL)
CALL(rg_solution_columns, NULL)
CALL(rg_solution_rows, NULL)
CALL(rg_solution_singular_count, NULL)
CALL(rg_sweep_table_count, NULL)
CALL(rg_sweep_table_failed, NULL)
CALL(rg_method_at, 0)
CALL(rg_option_at, 0)
CALL(rg_problem_parameter, NULL, 0)
CALL(rg_solution_stats, NULL)
CALL(rg_analyze, NULL, NULL)
CALL(rg_compare, NULL, 0.0, NULL, NULL, NULL)
CALL(rg_compare_table, NULL, 0.0, NULL, NULL, NULL, NULL)
CALL(rg_comparison_row, NULL, 0, NULL)
CALL(rg_comparison_point, NULL, 0, NULL)
CALL(rg_comparison_write_csv, NULL, NULL)
CALL(rg_conditioning, NULL, NULL, NULL)
CALL(rg_context_create, NULL)
CALL(rg_context_create_with, NULL, NULL, NULL)
CALL(rg_make_consistent, NULL, NULL)
CALL(rg_options_copy, NULL, NULL)
CALL(rg_options_create, NULL, NULL)
CALL(rg_options_set, NULL, NULL, NULL)
CALL(rg_order_intervals, 0, NULL, NULL, NULL, 0, NULL, NULL)
CALL(rg_order_measure, NULL, 0.0, NULL, 0, NULL, NULL)
CALL(rg_orders_write_csv, NULL, NULL)
CALL(rg_orders_write_svg, NULL, NULL)
CALL(rg_problem_create, NULL, 0, NULL, NULL, NULL)
CALL(rg_problem_create_mass, NULL, 0, NULL, NULL, NULL, NULL)
CALL(rg_problem_expand, NULL, NULL, NULL)
CALL(rg_problem_field, NULL, 0, NULL)
CALL(rg_problem_field_points, NULL, 0, 0, NULL)
CALL(rg_problem_from_file, NULL, NULL, NULL)
CALL(rg_problem_from_file_with, NULL, NULL, 0, NULL, NULL)
CALL(rg_problem_from_text, NULL, NULL, NULL)
CALL(rg_problem_load, NULL, NULL, NULL, 0, NULL, NULL, NULL)
CALL(rg_problem_options, NULL, NULL)
CALL(rg_problem_set_indices, NULL, NULL)
CALL(rg_problem_set_initial, NULL, 0.0, NULL, NULL)
CALL(rg_problem_set_interval, NULL, 0.0, 0.0)
CALL(rg_problem_set_jacobian, NULL, NULL)
CALL(rg_problem_set_parameter, NULL, NULL, 0.0)
CALL(rg_problem_set_pattern, NULL, NULL, NULL)
CALL(rg_problem_share, NULL, NULL, NULL)
CALL(rg_report_check_json_text, NULL, NULL, NULL, NULL)
CALL(rg_report_check_text, NULL, NULL)
CALL(rg_report_comparison_json_text, NULL, NULL, NULL)
CALL(rg_report_comparison_text, NULL, NULL)
CALL(rg_report_csv_figure, NULL, NULL, NULL, NULL, 0, NULL)
CALL(rg_report_figure, NULL, NULL, NULL, 0, NULL)
CALL(rg_report_orders_json_text, NULL, NULL, NULL, NULL)
CALL(rg_report_orders_text, NULL, NULL)
CALL(rg_report_plot, NULL, NULL, 0, NULL)
CALL(rg_report_solution_json_text, NULL, NULL, NULL, NULL, NULL)
CALL(rg_report_solution_text, NULL, NULL)
CALL(rg_report_svg, NULL, NULL, NULL, NULL)
CALL(rg_report_sweep_json_text, NULL, NULL, NULL, NULL)
CALL(rg_report_tables_json_text, NULL)
CALL(rg_solution_column_into, NULL, 0, NULL)
CALL(rg_solution_end_values, NULL, NULL)
CALL(rg_solution_eval, NULL, 0.0, NULL, NULL)
CALL(rg_solution_field, NULL, 0, NULL)
CALL(rg_solution_rows_into, NULL, 0, 0, NULL)
CALL(rg_solution_singular, NULL, 0, NULL)
CALL(rg_solution_times_into, NULL, NULL)
CALL(rg_solution_values, NULL, 0, NULL)
CALL(rg_solution_write_csv, NULL, NULL)
CALL(rg_solution_write_vtk, NULL, NULL)
CALL(rg_solve, NULL, 0.0, NULL, NULL)
CALL(rg_solve_at, NULL, 0.0, NULL, 0, NULL, NULL)
CALL(rg_solve_request, NULL, 0.0, NULL, NULL, NULL)
CALL(rg_solve_rows, NULL, 0.0, NULL, 0, 0, NULL, 0, NULL)
CALL(rg_solve_with, NULL, 0.0, NULL, NULL, NULL, NULL)
CALL(rg_solver_create, NULL, NULL, NULL)
CALL(rg_solver_create_in, NULL, NULL, NULL, NULL)
CALL(rg_solver_eval, NULL, 0.0, NULL, NULL)
CALL(rg_solver_row, NULL, 0.0, NULL, NULL)
CALL(rg_solver_step, NULL, 0.0, NULL, NULL)
CALL(rg_sweep_gather, NULL, 0, NULL, 0, NULL)
CALL(rg_sweep_into, NULL, NULL, 0, NULL, 0, 0, 0, 0, NULL, 0, NULL)
CALL(rg_sweep_run, NULL, NULL, NULL, NULL)
CALL(rg_sweep_table_create, NULL, NULL)
CALL(rg_sweep_table_row, NULL, 0, NULL)
CALL(rg_variant_at, NULL, 0)
CALL(rg_comparison_destroy, NULL)
CALL(rg_context_abandon, NULL, NULL, 0)
CALL(rg_context_destroy, NULL)
CALL(rg_context_interrupt, NULL)
CALL(rg_context_set_log, NULL, NULL, 0, NULL)
CALL(rg_error_print, NULL, NULL)
CALL(rg_free_text, NULL)
CALL(rg_options_destroy, NULL)
CALL(rg_orders_destroy, NULL)
CALL(rg_problem_destroy, NULL)
CALL(rg_problem_interval, NULL, NULL, NULL)
CALL(rg_report_check, NULL, NULL)
CALL(rg_report_check_json, NULL, NULL, NULL, NULL)
CALL(rg_report_comparison, NULL, NULL)
CALL(rg_report_comparison_json, NULL, NULL, NULL)
CALL(rg_report_orders, NULL, NULL)
CALL(rg_report_orders_json, NULL, NULL, NULL, NULL)
CALL(rg_report_solution, NULL, NULL)
CALL(rg_report_solution_json, NULL, NULL, NULL, NULL, NULL)
CALL(rg_report_sweep, NULL, NULL)
CALL(rg_report_sweep_json, NULL, NULL, NULL, NULL)
CALL(rg_solution_destroy, NULL)
CALL(rg_solver_destroy, NULL)
CALL(rg_sweep_table_destroy, NULL)

static const struct {
    const char *name;
    void (*call)(void);
} calls[] = {
    {"rg_parse_real",                  call_rg_parse_real                 },
    {"rg_comparison_against",          call_rg_comparison_against         },
    {"rg_nearest_word",                call_rg_nearest_word               },
    {"rg_orders_verdict",              call_rg_orders_verdict             },
    {"rg_problem_time_name",           call_rg_problem_time_name          },
    {"rg_problem_title",               call_rg_problem_title              },
    {"rg_problem_warning",             call_rg_problem_warning            },
    {"rg_solution_method",             call_rg_solution_method            },
    {"rg_solution_warning",            call_rg_solution_warning           },
    {"rg_status_name",                 call_rg_status_name                },
    {"rg_version",                     call_rg_version                    },
    {"rg_error_at",                    call_rg_error_at                   },
    {"rg_last_error",                  call_rg_last_error                 },
    {"rg_comparison_error",            call_rg_comparison_error           },
    {"rg_orders_error",                call_rg_orders_error               },
    {"rg_orders_observed",             call_rg_orders_observed            },
    {"rg_orders_step",                 call_rg_orders_step                },
    {"rg_solution_drift",              call_rg_solution_drift             },
    {"rg_solution_end",                call_rg_solution_end               },
    {"rg_solution_error",              call_rg_solution_error             },
    {"rg_solution_estimate",           call_rg_solution_estimate          },
    {"rg_solution_estimate_end",       call_rg_solution_estimate_end      },
    {"rg_solution_time",               call_rg_solution_time              },
    {"rg_comparison_count",            call_rg_comparison_count           },
    {"rg_comparison_point_count",      call_rg_comparison_point_count     },
    {"rg_error_count",                 call_rg_error_count                },
    {"rg_method_count",                call_rg_method_count               },
    {"rg_option_count",                call_rg_option_count               },
    {"rg_options_get",                 call_rg_options_get                },
    {"rg_orders_count",                call_rg_orders_count               },
    {"rg_orders_kind",                 call_rg_orders_kind                },
    {"rg_orders_theory",               call_rg_orders_theory              },
    {"rg_problem_field_count",         call_rg_problem_field_count        },
    {"rg_problem_has_fields",          call_rg_problem_has_fields         },
    {"rg_problem_is_boundary",         call_rg_problem_is_boundary        },
    {"rg_problem_name",                call_rg_problem_name               },
    {"rg_problem_parameter_count",     call_rg_problem_parameter_count    },
    {"rg_problem_start",               call_rg_problem_start              },
    {"rg_problem_variable_index",      call_rg_problem_variable_index     },
    {"rg_problem_warning_count",       call_rg_problem_warning_count      },
    {"rg_solution_column_name",        call_rg_solution_column_name       },
    {"rg_solution_drift_levels",       call_rg_solution_drift_levels      },
    {"rg_solution_has_exact",          call_rg_solution_has_exact         },
    {"rg_solution_warning_count",      call_rg_solution_warning_count     },
    {"rg_sweep_table_take",            call_rg_sweep_table_take           },
    {"rg_variant_count",               call_rg_variant_count              },
    {"rg_problem_size",                call_rg_problem_size               },
    {"rg_solution_columns",            call_rg_solution_columns           },
    {"rg_solution_rows",               call_rg_solution_rows              },
    {"rg_solution_singular_count",     call_rg_solution_singular_count    },
    {"rg_sweep_table_count",           call_rg_sweep_table_count          },
    {"rg_sweep_table_failed",          call_rg_sweep_table_failed         },
    {"rg_method_at",                   call_rg_method_at                  },
    {"rg_option_at",                   call_rg_option_at                  },
    {"rg_problem_parameter",           call_rg_problem_parameter          },
    {"rg_solution_stats",              call_rg_solution_stats             },
    {"rg_analyze",                     call_rg_analyze                    },
    {"rg_compare",                     call_rg_compare                    },
    {"rg_compare_table",               call_rg_compare_table              },
    {"rg_comparison_row",              call_rg_comparison_row             },
    {"rg_comparison_point",            call_rg_comparison_point           },
    {"rg_comparison_write_csv",        call_rg_comparison_write_csv       },
    {"rg_conditioning",                call_rg_conditioning               },
    {"rg_context_create",              call_rg_context_create             },
    {"rg_context_create_with",         call_rg_context_create_with        },
    {"rg_make_consistent",             call_rg_make_consistent            },
    {"rg_options_copy",                call_rg_options_copy               },
    {"rg_options_create",              call_rg_options_create             },
    {"rg_options_set",                 call_rg_options_set                },
    {"rg_order_intervals",             call_rg_order_intervals            },
    {"rg_order_measure",               call_rg_order_measure              },
    {"rg_orders_write_csv",            call_rg_orders_write_csv           },
    {"rg_orders_write_svg",            call_rg_orders_write_svg           },
    {"rg_problem_create",              call_rg_problem_create             },
    {"rg_problem_create_mass",         call_rg_problem_create_mass        },
    {"rg_problem_expand",              call_rg_problem_expand             },
    {"rg_problem_field",               call_rg_problem_field              },
    {"rg_problem_field_points",        call_rg_problem_field_points       },
    {"rg_problem_from_file",           call_rg_problem_from_file          },
    {"rg_problem_from_file_with",      call_rg_problem_from_file_with     },
    {"rg_problem_from_text",           call_rg_problem_from_text          },
    {"rg_problem_load",                call_rg_problem_load               },
    {"rg_problem_options",             call_rg_problem_options            },
    {"rg_problem_set_indices",         call_rg_problem_set_indices        },
    {"rg_problem_set_initial",         call_rg_problem_set_initial        },
    {"rg_problem_set_interval",        call_rg_problem_set_interval       },
    {"rg_problem_set_jacobian",        call_rg_problem_set_jacobian       },
    {"rg_problem_set_parameter",       call_rg_problem_set_parameter      },
    {"rg_problem_set_pattern",         call_rg_problem_set_pattern        },
    {"rg_problem_share",               call_rg_problem_share              },
    {"rg_report_check_json_text",      call_rg_report_check_json_text     },
    {"rg_report_check_text",           call_rg_report_check_text          },
    {"rg_report_comparison_json_text", call_rg_report_comparison_json_text},
    {"rg_report_comparison_text",      call_rg_report_comparison_text     },
    {"rg_report_csv_figure",           call_rg_report_csv_figure          },
    {"rg_report_figure",               call_rg_report_figure              },
    {"rg_report_orders_json_text",     call_rg_report_orders_json_text    },
    {"rg_report_orders_text",          call_rg_report_orders_text         },
    {"rg_report_plot",                 call_rg_report_plot                },
    {"rg_report_solution_json_text",   call_rg_report_solution_json_text  },
    {"rg_report_solution_text",        call_rg_report_solution_text       },
    {"rg_report_svg",                  call_rg_report_svg                 },
    {"rg_report_sweep_json_text",      call_rg_report_sweep_json_text     },
    {"rg_report_tables_json_text",     call_rg_report_tables_json_text    },
    {"rg_solution_column_into",        call_rg_solution_column_into       },
    {"rg_solution_end_values",         call_rg_solution_end_values        },
    {"rg_solution_eval",               call_rg_solution_eval              },
    {"rg_solution_field",              call_rg_solution_field             },
    {"rg_solution_rows_into",          call_rg_solution_rows_into         },
    {"rg_solution_singular",           call_rg_solution_singular          },
    {"rg_solution_times_into",         call_rg_solution_times_into        },
    {"rg_solution_values",             call_rg_solution_values            },
    {"rg_solution_write_csv",          call_rg_solution_write_csv         },
    {"rg_solution_write_vtk",          call_rg_solution_write_vtk         },
    {"rg_solve",                       call_rg_solve                      },
    {"rg_solve_at",                    call_rg_solve_at                   },
    {"rg_solve_request",               call_rg_solve_request              },
    {"rg_solve_rows",                  call_rg_solve_rows                 },
    {"rg_solve_with",                  call_rg_solve_with                 },
    {"rg_solver_create",               call_rg_solver_create              },
    {"rg_solver_create_in",            call_rg_solver_create_in           },
    {"rg_solver_eval",                 call_rg_solver_eval                },
    {"rg_solver_row",                  call_rg_solver_row                 },
    {"rg_solver_step",                 call_rg_solver_step                },
    {"rg_sweep_gather",                call_rg_sweep_gather               },
    {"rg_sweep_into",                  call_rg_sweep_into                 },
    {"rg_sweep_run",                   call_rg_sweep_run                  },
    {"rg_sweep_table_create",          call_rg_sweep_table_create         },
    {"rg_sweep_table_row",             call_rg_sweep_table_row            },
    {"rg_variant_at",                  call_rg_variant_at                 },
    {"rg_comparison_destroy",          call_rg_comparison_destroy         },
    {"rg_context_abandon",             call_rg_context_abandon            },
    {"rg_context_destroy",             call_rg_context_destroy            },
    {"rg_context_interrupt",           call_rg_context_interrupt          },
    {"rg_context_set_log",             call_rg_context_set_log            },
    {"rg_error_print",                 call_rg_error_print                },
    {"rg_free_text",                   call_rg_free_text                  },
    {"rg_options_destroy",             call_rg_options_destroy            },
    {"rg_orders_destroy",              call_rg_orders_destroy             },
    {"rg_problem_destroy",             call_rg_problem_destroy            },
    {"rg_problem_interval",            call_rg_problem_interval           },
    {"rg_report_check",                call_rg_report_check               },
    {"rg_report_check_json",           call_rg_report_check_json          },
    {"rg_report_comparison",           call_rg_report_comparison          },
    {"rg_report_comparison_json",      call_rg_report_comparison_json     },
    {"rg_report_orders",               call_rg_report_orders              },
    {"rg_report_orders_json",          call_rg_report_orders_json         },
    {"rg_report_solution",             call_rg_report_solution            },
    {"rg_report_solution_json",        call_rg_report_solution_json       },
    {"rg_report_sweep",                call_rg_report_sweep               },
    {"rg_report_sweep_json",           call_rg_report_sweep_json          },
    {"rg_solution_destroy",            call_rg_solution_destroy           },
    {"rg_solver_destroy",              call_rg_solver_destroy             },
    {"rg_sweep_table_destroy",         call_rg_sweep_table_destroy        },
};

static void test_null(void)
{
    for (size_t k = 0; k < sizeof calls / sizeof *calls; k++) {
        int status = 0;
        const pid_t child = fork();
        if (child == 0) {
            calls[k].call();
            _exit(0);
        }
        if (!CHECK(child > 0 && waitpid(child, &status, 0) == child)) return;
        if (!CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0)) puts(calls[k].name);
    }
}

/* Counts below zero are refused, with a message. */
static void test_counts(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL, *other = NULL;
    rg_solution *s = NULL;
    rg_orders *o = NULL;
    const double times[1] = {0.5};

    if (CHECK(rg_context_create(&ctx) == RG_OK)
        && CHECK(rg_problem_from_text(ctx, "var x = 1\nx' = -x\nover t = 0 .. 1\n", &p) == RG_OK)) {
        CHECK(rg_solve_at(p, 1, NULL, -1, times, &s) == RG_ERR_ARGUMENT && s == NULL);
        CHECK(rg_last_error(ctx)->remedy[0] != '\0');
        CHECK(rg_order_measure(p, 1, NULL, -2, times, &o) == RG_ERR_ARGUMENT && o == NULL);
        CHECK(rg_problem_from_file_with(ctx, "x.rg", -1, NULL, &other) == RG_ERR_ARGUMENT);
        CHECK(rg_problem_name(p, -1, NULL, 0) == RG_ERR_ARGUMENT);
        CHECK(rg_problem_name(p, 1, NULL, 0) == RG_ERR_ARGUMENT);
    }
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* The polynomial of a step says nothing outside of it. */
static void test_outside(void)
{
    rg_context *ctx = NULL;
    rg_problem *p = NULL;
    rg_solver *s = NULL;
    double t = 0, y;

    if (CHECK(rg_context_create(&ctx) == RG_OK)
        && CHECK(rg_problem_from_text(ctx, "var x = 1\nx' = -x\nover t = 0 .. 1\n", &p) == RG_OK)
        && CHECK(rg_solver_create(p, NULL, &s) == RG_OK)
        && CHECK(rg_solver_step(s, 1, &t, &y) == RG_OK)) {
        CHECK(rg_solver_eval(s, t / 2, &y, NULL) == RG_OK);
        CHECK_NEAR(y, exp(-t / 2), 1e-4);
        CHECK(rg_solver_eval(s, t, &y, NULL) == RG_OK);
        CHECK(rg_solver_eval(s, 0, &y, NULL) == RG_OK);
        CHECK(rg_solver_eval(s, 1.01 * t, &y, NULL) == RG_ERR_ARGUMENT);
        CHECK(strstr(rg_last_error(ctx)->message, "outside the last step") != NULL);
        CHECK(rg_solver_row(s, -t, &y, NULL) == RG_ERR_ARGUMENT);
        CHECK(rg_solver_eval(s, NAN, &y, NULL) == RG_ERR_ARGUMENT);
    }
    rg_solver_destroy(&s);
    rg_problem_destroy(&p);
    rg_context_destroy(&ctx);
}

/* y1' = -y1 + 3 y2, 0 = y2^3 + y2 - y1; wrong: the sign of an entry. */
static int residual(double t, const double *y, const double *yp, double *F, void *user)
{
    (void)t;
    (void)user;
    F[0] = yp[0] + y[0] - 3 * y[1];
    F[1] = y[1] * y[1] * y[1] + y[1] - y[0];
    return 0;
}

static int jacobian(double t, const double *y, const double *yp, double shift, double *J,
                    void *user)
{
    const double sign = *(const double *)user;

    (void)t;
    (void)yp;
    J[0] = 1 + shift;
    J[1] = -1;
    J[2] = -3;
    J[3] = sign * (3 * y[1] * y[1] + 1);
    return 0;
}

static void test_jacobian(void)
{
    const double start[2] = {2, 1};
    double sign = 1;

    for (int k = 0; k < 2; k++, sign = -1) {
        rg_context *ctx = NULL;
        rg_problem *p = NULL;
        rg_solution *s = NULL;
        if (CHECK(rg_context_create(&ctx) == RG_OK)
            && CHECK(rg_problem_create(ctx, 2, residual, &sign, &p) == RG_OK)
            && CHECK(rg_problem_set_jacobian(p, jacobian) == RG_OK)
            && CHECK(rg_problem_set_initial(p, 0, start, NULL) == RG_OK)) {
            const rg_status status = rg_solve(p, 1, NULL, &s);
            CHECK(k == 0 ? status == RG_OK : status < 0);
            const char *remedy = rg_last_error(ctx)->remedy;
            if (k == 1 && !CHECK(strstr(remedy, "equation 2 by y[2]") != NULL)) puts(remedy);
        }
        rg_solution_destroy(&s);
        rg_problem_destroy(&p);
        rg_context_destroy(&ctx);
    }
}

static const test_case cases[] = {
    {"null",     test_null    },
    {"counts",   test_counts  },
    {"outside",  test_outside },
    {"jacobian", test_jacobian},
};

int main(void)
{
    return test_main(cases, sizeof cases / sizeof *cases);
}
