SRC += src/pdae/draw/frame.c src/pdae/draw/vtk.c src/pdae/draw/fields_csv.c src/pdae/draw/field_files.c
SRC += src/pdae/draw/picture.c src/pdae/draw/lines.c
