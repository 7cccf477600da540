# What people try first: a name without .rg, the name of a shipped model, words of other programs.
"$REGULA" example lc-circuit > mine.rg
"$REGULA" solve mine
"$REGULA" solve pendulum
"$REGULA" check pendulum.rg
"$REGULA" solve nothing-of-this-name
"$REGULA" solve mine.rg --tolerance 1e-8
"$REGULA" help tolerance
"$REGULA" version
"$REGULA" -v
"$REGULA" mine.rg
