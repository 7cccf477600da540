mkdir folder
"$REGULA" check folder
