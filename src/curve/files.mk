SRC += src/curve/curve.c
SRC += src/curve/mesh.c
SRC += src/curve/writer.c
