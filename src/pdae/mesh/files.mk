SRC += src/pdae/mesh/block.c
SRC += src/pdae/mesh/constant.c
SRC += src/pdae/mesh/grid.c
SRC += src/pdae/mesh/ranks.c
SRC += src/pdae/mesh/solid.c
