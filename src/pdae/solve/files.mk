SRC += src/pdae/solve/elliptic.c src/pdae/solve/rows.c src/pdae/solve/transform.c src/pdae/solve/direct.c \
       src/pdae/solve/aggregate.c src/pdae/solve/aggregation.c src/pdae/solve/saddle.c \
       src/pdae/solve/gradients.c src/pdae/solve/multigrid.c src/pdae/solve/multigrid_level.c \
       src/pdae/solve/multigrid_cycle.c
