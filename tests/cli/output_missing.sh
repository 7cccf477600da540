# A derivative that the solution does not have.
printf "var x = 1, z\nx' = -x\nz = x\nover t = 0 .. 1\noutput x, w = z''\n" > m.rg
"$REGULA" solve m.rg --csv out.csv
status=$?
ls
exit $status
