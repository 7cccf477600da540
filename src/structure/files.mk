SRC += src/structure/transversal.c src/structure/matching.c src/structure/search.c \
       src/structure/blocks.c src/structure/cancel.c src/structure/explain.c src/structure/build.c src/structure/probe.c \
       src/structure/sampler.c src/structure/jacobian.c \
       src/structure/array.c src/structure/array_point.c src/structure/array_ranks.c \
       src/structure/pencil.c src/structure/incomplete.c src/structure/true_index.c \
       src/structure/analysis.c src/structure/surplus.c src/structure/offsets.c src/structure/magnitudes.c \
       src/structure/combine.c src/structure/combine_rows.c
