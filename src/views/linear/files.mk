SRC += src/views/linear/breaks.c src/views/linear/linear.c src/views/linear/linearity.c src/views/linear/slope.c
