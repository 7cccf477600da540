GRID += src/pdae/petsc/begin.c
GRID += src/pdae/petsc/file.c
GRID += src/pdae/petsc/halo.c
GRID += src/pdae/petsc/main.c
GRID += src/pdae/petsc/number.c
GRID += src/pdae/petsc/saddle.c
GRID += src/pdae/petsc/solver.c
GRID += src/pdae/petsc/system.c
