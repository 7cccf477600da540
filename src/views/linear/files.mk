SRC += src/views/linear/linear.c
SRC += src/views/linear/linearity.c
SRC += src/views/linear/slope.c
