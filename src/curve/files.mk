SRC += src/curve/mesh.c src/curve/curve.c src/curve/writer.c
