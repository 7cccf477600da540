"$REGULA" help options
"$REGULA" solve --help > solve.txt
"$REGULA" help options | cmp - solve.txt
