# Every command shown in the README and the manual prints what is shown there, and no link leads nowhere.
top=$EXAMPLES/..
"$top/tools/check-docs" "$REGULA" "$top/README.md" "$top"/doc/manual/*.md
"$top/tools/check-links" "$top"/*.md "$top"/doc/*.md "$top"/doc/manual/*.md "$top"/doc/methods/*.md "$top/bench/README.md"
