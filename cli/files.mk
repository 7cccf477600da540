CLI += cli/main.c cli/args.c cli/flags.c cli/fail.c cli/times.c cli/load.c cli/progress.c cli/screen.c \
       cli/cmd_solve.c cli/cmd_check.c cli/cmd_expand.c cli/cmd_compare.c cli/cmd_order.c cli/cmd_methods.c cli/cmd_example.c cli/cmd_help.c cli/help_option.c cli/cmd_completion.c cli/topics.c cli/figure.c cli/cmd_plot.c
CLI += cli/cmd_sweep.c cli/cmd_gather.c
