# bash completion for regula

_regula()
{
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local commands="solve check compare order methods example help"
    local common="--set --from --to --json --verbose --quiet --help"
    local options="--method --formulation --tol --rtol --atol --step --h-first --h-max --stages --max-steps
        --max-newton --newton --native --accept-doubt --at --points --csv --no-estimate --methods --variant --scheme --eps --iterations --E --y0
        --alpha1 --alpha2 --alpha3 --delta --gamma --passes --layer"

    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "$commands --help --version" -- "$word"))
        return
    fi
    case $before in
    --method)
        COMPREPLY=($(compgen -W "auto radau gauss radau1a lobatto3a lobatto3c sdirk rosenbrock half-explicit dopri extrapolation lobatto-pair bdf srm baumgarte penalty augmented-lagrangian park-chiou invariant post-stabilization" -- "$word"))
        return
        ;;
    --formulation)
        COMPREPLY=($(compgen -W "auto direct projected" -- "$word"))
        return
        ;;
    --newton)
        COMPREPLY=($(compgen -W "none modified full" -- "$word"))
        return
        ;;
    --native)
        COMPREPLY=($(compgen -W "auto on off" -- "$word"))
        return
        ;;
    --csv)
        COMPREPLY=($(compgen -f -- "$word"))
        return
        ;;
    --set | --tol | --rtol | --atol | --step | --h-first | --h-max | --stages | --max-steps | --max-newton | --from | --to | --at | --points)
        return
        ;;
    esac
    case ${COMP_WORDS[1]} in
    example)
        COMPREPLY=($(compgen -W "$(regula example 2> /dev/null | awk '{print $1}')" -- "$word"))
        ;;
    help)
        COMPREPLY=($(compgen -W "$commands options language exit json csv" -- "$word"))
        ;;
    solve | check | compare | order)
        if [[ $word == -* ]]; then
            [ "${COMP_WORDS[1]}" = check ] && options="--continue --guess"
            COMPREPLY=($(compgen -W "$common $options" -- "$word"))
        else
            COMPREPLY=($(compgen -f -X '!*.rg' -- "$word") $(compgen -d -S / -- "$word"))
        fi
        ;;
    esac
}

complete -F _regula regula
