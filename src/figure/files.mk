SRC += src/figure/canvas.c src/figure/letters.c src/figure/colour.c src/figure/scale.c src/figure/path.c
SRC += src/figure/series.c src/figure/table.c src/figure/chart.c src/figure/panels.c src/figure/sheet.c src/figure/terminal.c
