"$REGULA" methods srm
"$REGULA" methods penalty
"$REGULA" methods srn
echo "exit status $?"
