# The stored manual page is what the options give.
"$EXAMPLES/../tools/make-man" "$REGULA" | diff - "$EXAMPLES/../doc/regula.1"
