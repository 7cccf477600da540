/* The command `regula completion bash|zsh|fish` prints what a shell completes, from the tables of
 * options, methods and commands.  Names of examples are asked of the program when they are
 * wanted. */
#include "cli.h"

#include <string.h>

static void write_help(FILE *to)
{
    fputs("source <(regula completion bash)\n\n"
          "regula completion SHELL    prints the completion of commands, options and their\n"
          "                           values for bash, zsh or fish; 'make install' puts all\n"
          "                           three where the shells look for them\n"
          "\n"
          "  bash   source <(regula completion bash)         in ~/.bashrc\n"
          "  zsh    regula completion zsh > FOLDER/_regula   a folder of $fpath\n"
          "  fish   regula completion fish > ~/.config/fish/completions/regula.fish\n",
          to);
}

/* Is this the text of a list of words, "a, b or c"? */
static bool is_choice(const rg_option_info *o)
{
    return strcmp(o->kind, "word") == 0 && strpbrk(o->range, "'") == NULL
           && (strchr(o->range, ',') != NULL || strstr(o->range, " or ") != NULL);
}

/* The words of such a list, with blanks between them. */
static void write_choice(const char *range, FILE *to)
{
    for (const char *at = range; *at != '\0'; at += strspn(at, ", ")) {
        const size_t length = strcspn(at, ", ");
        if (length != 2 || strncmp(at, "or", 2) != 0)
            fprintf(to, "%s%.*s", at == range ? "" : " ", (int)length, at);
        at += length;
    }
}

/* '_' in a name of the table is written '-'. */
static void write_name(const char *name, FILE *to)
{
    for (; *name != '\0'; name++)
        fputc(*name == '_' ? '-' : *name, to);
}

static bool is_file(const char *name, const char *value)
{
    static const char *const files[] = {"fields", "guess", "png", "svg", "vtk", "checkpoint"};

    if (value != NULL && strncmp(value, "FILE", 4) == 0) return true;
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        if (strcmp(files[k], name) == 0) return true;
    return false;
}

static void write_methods(FILE *to)
{
    fputs("auto", to);
    for (int k = 0; k < rg_method_count(); k++)
        fprintf(to, " %s", rg_method_at(k).name);
}

static void write_commands(FILE *to)
{
    for (int k = 0; cli_command_at(k) != NULL; k++)
        fprintf(to, "%s%s", k > 0 ? " " : "", cli_command_at(k));
}

/* All options of solve, or those of check. */
static void write_options(bool in_check, FILE *to)
{
    bool is_first = true;

    for (int k = 0; k < cli_flag_count; k++) {
        if (in_check && !cli_flags[k].in_check) continue;
        fprintf(to, "%s--%s", is_first ? "" : " ", cli_flags[k].name);
        is_first = false;
    }
    for (int k = 0; k < rg_option_count(); k++) {
        const rg_option_info o = rg_option_at(k);
        if (in_check && !cli_is_for_check(o.name)) continue;
        fputs(" --", to);
        write_name(o.name, to);
    }
}

/* ---- bash */

/* One case per option that has values to offer. */
static void write_bash_values(void)
{
    printf("    --method)\n        COMPREPLY=($(compgen -W \"");
    write_methods(stdout);
    printf("\" -- \"$word\"))\n        return ;;\n    -o");
    for (int k = 0; k < cli_flag_count; k++)
        if (is_file(cli_flags[k].name, cli_flags[k].value)) printf(" | --%s", cli_flags[k].name);
    for (int k = 0; k < rg_option_count(); k++)
        if (is_file(rg_option_at(k).name, NULL)) printf(" | --%s", rg_option_at(k).name);
    printf(")\n        COMPREPLY=($(compgen -f -- \"$word\"))\n        return ;;\n");
    for (int k = 0; k < rg_option_count(); k++) {
        const rg_option_info o = rg_option_at(k);
        if (!is_choice(&o)) continue;
        printf("    --");
        write_name(o.name, stdout);
        printf(")\n        COMPREPLY=($(compgen -W \"");
        write_choice(o.range, stdout);
        printf("\" -- \"$word\"))\n        return ;;\n");
    }
}

/* Options whose value nobody can guess: nothing is offered. */
static void write_bash_numbers(void)
{
    bool is_first = true;

    for (int k = 0; k < cli_flag_count; k++) {
        if (cli_flags[k].value == NULL || is_file(cli_flags[k].name, cli_flags[k].value)) continue;
        printf("%s--%s", is_first ? "    " : " | ", cli_flags[k].name);
        is_first = false;
    }
    for (int k = 0; k < rg_option_count(); k++) {
        const rg_option_info o = rg_option_at(k);
        if (strcmp(o.kind, "flag") == 0 || is_choice(&o) || is_file(o.name, NULL)
            || strcmp(o.name, "method") == 0)
            continue;
        printf(" | --");
        write_name(o.name, stdout);
    }
    printf(" | --methods | --steps)\n        return ;;\n");
}

static void write_bash(void)
{
    printf("# bash completion for regula, made by 'regula completion bash'\n"
           "_regula()\n{\n"
           "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
           "    local commands=\"");
    write_commands(stdout);
    printf("\"\n    local options=\"");
    write_options(false, stdout);
    printf("\"\n    local check=\"");
    write_options(true, stdout);
    printf("\"\n\n    COMPREPLY=()\n"
           "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
           "        COMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$word\"))\n"
           "        return\n    fi\n"
           "    case $before in\n");
    write_bash_values();
    write_bash_numbers();
    printf("    esac\n"
           "    case ${COMP_WORDS[1]} in\n"
           "    example) COMPREPLY=($(compgen -W \"--search $(regula example 2> /dev/null "
           "| awk '{print $1}')\" -- \"$word\")) ;;\n"
           "    help) COMPREPLY=($(compgen -W \"$commands options");
    for (int k = 0; k < cli_topic_count; k++)
        printf(" %s", cli_topics[k].name);
    printf(" $options\" -- \"$word\")) ;;\n"
           "    methods) COMPREPLY=($(compgen -W \"");
    write_methods(stdout);
    printf("\" -- \"$word\")) ;;\n"
           "    completion) COMPREPLY=($(compgen -W \"bash zsh fish\" -- \"$word\")) ;;\n"
           "    *)\n"
           "        if [[ $word == -* ]]; then\n"
           "            [ \"${COMP_WORDS[1]}\" = check ] && options=$check\n"
           "            [ \"${COMP_WORDS[1]}\" = compare ] && options=\"--methods $options\"\n"
           "            [ \"${COMP_WORDS[1]}\" = sweep ] && options=\"--over --zip --seed --jobs "
           "--task "
           "--resume $options\"\n"
           "            [ \"${COMP_WORDS[1]}\" = order ] && options=\"--steps $options\"\n"
           "            COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
           "        elif [ \"${COMP_WORDS[1]}\" = plot ]; then\n"
           "            COMPREPLY=($(compgen -f -X '!*.csv' -- \"$word\") "
           "$(compgen -d -S / -- \"$word\"))\n"
           "        else\n"
           "            COMPREPLY=($(compgen -f -X '!*.rg' -- \"$word\") "
           "$(compgen -d -S / -- \"$word\"))\n"
           "        fi ;;\n"
           "    esac\n}\n"
           "complete -F _regula regula\n");
}

/* ---- zsh and fish: options with their help texts */

/* A text inside '...', without what would end it or has a meaning to zsh. */
static void write_quoted(const char *text, FILE *to)
{
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("'\\''", to);
        else
            fputc(*text == '[' || *text == ']' ? '|' : *text == ':' ? ';' : *text, to);
}

static void write_zsh_option(const char *name, const char *text, bool takes_value, bool takes_file)
{
    printf("        '--");
    write_name(name, stdout);
    printf("%s[", takes_value ? "=" : "");
    write_quoted(text, stdout);
    printf("]%s", !takes_value ? "'" : takes_file ? ":file:_files'" : "");
}

static void write_zsh_row(const rg_option_info *o)
{
    const bool takes_value = strcmp(o->kind, "flag") != 0, takes_file = is_file(o->name, NULL);

    write_zsh_option(o->name, o->text, takes_value, takes_file);
    if (takes_value && !takes_file) {
        const bool is_method = strcmp(o->name, "method") == 0;
        printf(":value:");
        if (is_method || is_choice(o)) fputc('(', stdout);
        if (is_method)
            write_methods(stdout);
        else if (is_choice(o))
            write_choice(o->range, stdout);
        printf("%s'", is_method || is_choice(o) ? ")" : "");
    }
    printf("\n");
}

static void write_zsh(void)
{
    printf("#compdef regula\n# zsh completion for regula, made by 'regula completion zsh'\n"
           "_regula() {\n    local -a options\n    options=(\n");
    for (int k = 0; k < cli_flag_count; k++) {
        const cli_flag *f = &cli_flags[k];
        const bool takes_file = is_file(f->name, f->value);
        write_zsh_option(f->name, f->text, f->value != NULL, takes_file);
        printf("%s\n", f->value != NULL && !takes_file ? ":value:'" : "");
    }
    for (int k = 0; k < rg_option_count(); k++) {
        const rg_option_info o = rg_option_at(k);
        write_zsh_row(&o);
    }
    printf("    )\n    if (( CURRENT == 2 )); then\n        compadd ");
    write_commands(stdout);
    printf("\n        return\n    fi\n    case $words[2] in\n"
           "    example) compadd -- --search $(regula example 2> /dev/null | awk '{print $1}') ;;\n"
           "    methods) compadd ");
    write_methods(stdout);
    printf(" ;;\n    help) compadd ");
    write_commands(stdout);
    printf(" options");
    for (int k = 0; k < cli_topic_count; k++)
        printf(" %s", cli_topics[k].name);
    printf(" ;;\n    completion) compadd bash zsh fish ;;\n"
           "    plot) _arguments '2:file:_files -g \"*.csv\"' $options ;;\n"
           "    compare) _arguments '--methods=[what to compare]:list:' "
           "'2:model:_files -g \"*.rg\"' $options ;;\n"
           "    *) _arguments '2:model:_files -g \"*.rg\"' $options ;;\n"
           "    esac\n}\n_regula \"$@\"\n");
}

static void write_fish_text(const char *text)
{
    printf(" -d '");
    for (; *text != '\0'; text++)
        if (*text == '\'')
            fputs("\\'", stdout);
        else
            fputc(*text, stdout);
    printf("'");
}

static void write_fish_head(const char *name)
{
    printf("complete -c regula -n 'not __fish_use_subcommand' -l ");
    write_name(name, stdout);
}

static void write_fish(void)
{
    printf("# fish completion for regula, made by 'regula completion fish'\ncomplete -c regula -f\n"
           "complete -c regula -n __fish_use_subcommand -a '");
    write_commands(stdout);
    printf("'\n");
    for (int k = 0; k < cli_flag_count; k++) {
        const cli_flag *f = &cli_flags[k];
        write_fish_head(f->name);
        printf("%s", is_file(f->name, f->value) ? " -rF" : f->value != NULL ? " -x" : "");
        write_fish_text(f->text);
        printf("\n");
    }
    for (int k = 0; k < rg_option_count(); k++) {
        const rg_option_info o = rg_option_at(k);
        const bool is_method = strcmp(o.name, "method") == 0;
        write_fish_head(o.name);
        printf("%s", is_file(o.name, NULL) ? " -rF" : strcmp(o.kind, "flag") != 0 ? " -x" : "");
        if (is_method || is_choice(&o)) printf(" -a '");
        if (is_method)
            write_methods(stdout);
        else if (is_choice(&o))
            write_choice(o.range, stdout);
        if (is_method || is_choice(&o)) printf("'");
        write_fish_text(o.text);
        printf("\n");
    }
    printf("complete -c regula -n '__fish_seen_subcommand_from solve check compare order expand' "
           "-k -a '(__fish_complete_suffix .rg)'\n"
           "complete -c regula -n '__fish_seen_subcommand_from plot' "
           "-k -a '(__fish_complete_suffix .csv)'\n"
           "complete -c regula -n '__fish_seen_subcommand_from example' "
           "-a \"(regula example 2> /dev/null | string replace -r ' .*' '')\"\n"
           "complete -c regula -n '__fish_seen_subcommand_from methods' -a '");
    write_methods(stdout);
    printf("'\ncomplete -c regula -n '__fish_seen_subcommand_from completion' "
           "-a 'bash zsh fish'\n");
}

int cmd_completion(rg_context *ctx, int argc, char **argv)
{
    const char *shell = argc == 2 ? argv[1] : "";

    (void)ctx;
    if (strcmp(shell, "-h") == 0 || strcmp(shell, "--help") == 0)
        write_help(stdout);
    else if (strcmp(shell, "bash") == 0)
        write_bash();
    else if (strcmp(shell, "zsh") == 0)
        write_zsh();
    else if (strcmp(shell, "fish") == 0)
        write_fish();
    else {
        fprintf(stderr, "error: 'regula completion' needs the name of a shell\n"
                        "  remedy: write bash, zsh or fish\n");
        return EXIT_USAGE;
    }
    return EXIT_SOLVED;
}
