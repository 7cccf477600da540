"$REGULA" methods srm
"$REGULA" methods srn
echo "exit status $?"
