SRC += src/pdae/mesh/grid.c src/pdae/mesh/solid.c src/pdae/mesh/constant.c
