SRC += src/curve/mesh.c src/curve/curve.c
