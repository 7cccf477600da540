# What bash completes comes from the tables of the program.
"$REGULA" completion bash > regula.bash
source ./regula.bash
PATH=$(dirname "$REGULA"):$PATH
complete_words() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _regula
    printf '%s:' "$*"
    printf ' %s' "${COMPREPLY[@]}"
    echo
}
touch a.rg b.csv
complete_words regula co
complete_words regula solve a
complete_words regula solve a.rg --form
complete_words regula solve a.rg --formulation ""
complete_words regula solve a.rg --method rad
complete_words regula solve a.rg --csv b
complete_words regula solve a.rg --tol ""
complete_words regula check a.rg --c
complete_words regula example pendulum-g
complete_words regula help langu
# Every option of the help is completed.
for shell in bash zsh fish; do
    "$REGULA" completion $shell > "regula.$shell"
    "$REGULA" help options | sed -n 's/^  --\([^ ]*\) .*/\1/p' | tr _ - | while read -r name; do
        grep -q -e "--$name\b" -e "-l $name\b" "regula.$shell" || echo "$shell: --$name is missing"
    done
done
command -v zsh > /dev/null && zsh -n regula.zsh
command -v fish > /dev/null && fish -n regula.fish
"$REGULA" completion ksh; echo "exit $?"
