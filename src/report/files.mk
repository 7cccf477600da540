SRC += src/report/json.c src/report/run_json.c src/report/check_json.c src/report/summary.c \
       src/report/check.c src/report/compare.c src/report/compare_table.c src/report/orders.c src/report/orders_svg.c src/report/lines.c src/report/grid.c src/report/turning.c
SRC += src/report/samples.c src/report/figure.c
SRC += src/report/sweep.c
SRC += src/report/page.c src/report/page_plots.c src/report/page_data.c src/report/page_structure.c \
       src/report/page_tables.c src/report/page_run.c src/report/page_points.c src/report/scene.c
