SRC += src/pdae/draw/field_files.c
SRC += src/pdae/draw/fields_csv.c
SRC += src/pdae/draw/frame.c
SRC += src/pdae/draw/lines.c
SRC += src/pdae/draw/picture.c
SRC += src/pdae/draw/sample.c
SRC += src/pdae/draw/stream.c
SRC += src/pdae/draw/vtk.c
