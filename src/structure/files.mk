SRC += src/structure/transversal.c src/structure/matching.c src/structure/search.c \
       src/structure/blocks.c src/structure/explain.c
