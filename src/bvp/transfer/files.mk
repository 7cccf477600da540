SRC += src/bvp/transfer/bound.c src/bvp/transfer/build.c src/bvp/transfer/curve.c src/bvp/transfer/quasi.c src/bvp/transfer/quasi_curve.c src/bvp/transfer/sweep_replay.c src/bvp/transfer/rows.c src/bvp/transfer/facts.c src/bvp/transfer/field.c src/bvp/transfer/flow.c src/bvp/transfer/gauss.c \
       src/bvp/transfer/groups.c src/bvp/transfer/recover.c src/bvp/transfer/resolve.c src/bvp/transfer/sweep.c src/bvp/transfer/sweep_step.c src/bvp/transfer/sweep_normal.c src/bvp/transfer/sweep_integrate.c src/bvp/transfer/sweep_growth.c \
       src/bvp/transfer/transfer.c src/bvp/transfer/worker.c
