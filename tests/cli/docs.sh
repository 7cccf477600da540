# Every command shown in the README and the manual prints what is shown there.
top=$EXAMPLES/..
"$top/tools/check-docs" "$REGULA" "$top/README.md" "$top/doc/manual.md"
