SRC += src/pdae/solve/elliptic.c src/pdae/solve/rows.c src/pdae/solve/transform.c src/pdae/solve/direct.c \
       src/pdae/solve/aggregate.c src/pdae/solve/aggregation.c src/pdae/solve/saddle.c
