SRC += src/solve/methods.c src/solve/choose.c src/solve/solver.c src/solve/pause.c src/solve/keeper.c src/solve/run_name.c \
       src/solve/unwatched.c src/solve/repeat.c src/solve/run.c src/solve/expanded.c src/solve/sizes.c src/solve/estimate.c src/solve/pairs.c src/solve/boundary.c \
       src/solve/compare.c src/solve/compare_table.c src/solve/sweep_values.c src/solve/sweep_plan.c src/solve/sweep_one.c src/solve/sweep_file.c src/solve/gather.c src/solve/sweep_crew.c src/solve/sweep.c src/solve/order.c src/solve/order_intervals.c
SRC += src/solve/grid.c src/solve/grid_options.c src/solve/grid_look.c src/solve/grid_plan.c src/solve/grid_order.c src/solve/grid_half.c src/solve/grid_pause.c
