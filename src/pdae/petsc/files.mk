GRID += src/pdae/petsc/begin.c
GRID += src/pdae/petsc/halo.c
GRID += src/pdae/petsc/main.c
GRID += src/pdae/petsc/solver.c
