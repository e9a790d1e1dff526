/* completion.c - completion scripts for the shells, made from the tables. */
#include "cli/help_internal.h"

#include "base/text.h"

/* A word of a list in single quotes, which bash and zsh take as it stands. Fish
 * reads the list once more, as a command line. */
static void put_word(struct cs_buf *out, const char *word, bool fish)
{
    for (; *word; word++) {
        if (fish && strchr("<>()", *word))
            cs_buf_put8(out, '\\');
        cs_buf_put8(out, (uint8_t)*word);
    }
}

/* The names with their signs, a blank between them. */
static void put_words(const struct cs_option_group *group, bool fish,
                      struct cs_buf *out)
{
    const struct cs_option *row;
    bool first = true;

    for (size_t i = 0; (row = cs_group_row(group, i)) != NULL; i++) {
        for (const struct cs_choice *c = row->choices;
             row->type == CS_OPTION_BARE && c && c->name; c++) {
            cs_buf_printf(out, "%s%s", first ? "" : " ", c->name);
            first = false;
        }
        if (!row->key || row->hidden || row->type == CS_OPTION_GONE)
            continue;
        cs_buf_puts(out, first ? "" : " ");
        put_word(out, row->key, fish);
        first = false;
    }
}

static void put_names(const struct cs_option_groups *groups, bool commands,
                      struct cs_buf *out)
{
    bool first = true;

    for (size_t i = 0; i < groups->count; i++) {
        const struct cs_option_group *group = groups->list[i];

        if (group->hidden || cs_group_is_command(group) != commands)
            continue;
        cs_buf_printf(out, "%s%s", first ? "" : " ", group->name);
        first = false;
    }
}

/* A function that prints the words of the group it is given; bash and zsh. */
static void put_cases(const struct cs_option_groups *groups, struct cs_buf *out)
{
    cs_buf_puts(out, "_cstress_words() {\n    case \"$1\" in\n    '') echo '");
    put_names(groups, true, out);
    cs_buf_puts(out, "' ;;\n    -) echo '");
    put_names(groups, false, out);
    cs_buf_puts(out, "' ;;\n    check|rows) echo '");
    put_names(groups, true, out);
    cs_buf_puts(out, "' ;;\n");
    for (size_t i = 0; i < groups->count; i++) {
        const struct cs_option_group *group = groups->list[i];

        if (group->hidden || !cs_group_row(group, 0))
            continue;
        cs_buf_printf(out, "    %s) echo '", group->name);
        put_words(group, false, out);
        cs_buf_puts(out, "' ;;\n");
    }
    cs_buf_puts(out, "    esac\n}\n");
}

static void put_bash(const struct cs_option_groups *groups, struct cs_buf *out)
{
    put_cases(groups, out);
    cs_buf_puts(
        out,
        "_cstress() {\n"
        "    local cur=${COMP_WORDS[COMP_CWORD]} group=${COMP_WORDS[1]} i\n"
        "    if [ \"$COMP_CWORD\" -eq 1 ]; then\n"
        "        COMPREPLY=($(compgen -W \"$(_cstress_words '')\" -- "
        "\"$cur\"))\n"
        "        return\n"
        "    fi\n"
        "    case $group in check | rows)\n"
        "        if [ \"$COMP_CWORD\" -gt 2 ]; then group=${COMP_WORDS[2]}; fi "
        ";;\n"
        "    esac\n"
        "    for ((i = COMP_CWORD - 1; i > 1; i--)); do\n"
        "        case ${COMP_WORDS[i]} in -*) group=${COMP_WORDS[i]}; break ;; "
        "esac\n"
        "    done\n"
        "    COMPREPLY=($(compgen -W \"$(_cstress_words \"$group\") "
        "$(_cstress_words -)\" -- \"$cur\"))\n"
        "    case ${COMPREPLY[0]} in *[=\\(\\<\\>]) compopt -o nospace ;; esac\n"
        "}\n"
        "complete -F _cstress cstress cassandra-stress\n");
}

static void put_zsh(const struct cs_option_groups *groups, struct cs_buf *out)
{
    cs_buf_puts(out, "#compdef cstress cassandra-stress\n");
    put_cases(groups, out);
    cs_buf_puts(out, "_cstress() {\n"
                     "    local group=${words[2]} i\n"
                     "    if (( CURRENT == 2 )); then\n"
                     "        compadd -- ${=$(_cstress_words '')}\n"
                     "        return\n"
                     "    fi\n"
                     "    if [[ $group == (check|rows) ]] && "
                     "(( CURRENT > 3 )); then\n"
                     "        group=${words[3]}\n"
                     "    fi\n"
                     "    for ((i = CURRENT - 1; i > 2; i--)); do\n"
                     "        case ${words[i]} in -*) group=${words[i]}; "
                     "break ;; esac\n"
                     "    done\n"
                     "    compadd -S '' -- ${=$(_cstress_words $group)} "
                     "${=$(_cstress_words -)}\n"
                     "}\n"
                     "compdef _cstress cstress cassandra-stress\n");
}

static void put_fish(const struct cs_option_groups *groups, struct cs_buf *out)
{
    cs_buf_puts(out, "function _cstress_group\n"
                     "    set -l words (commandline -opc)\n"
                     "    set -l group $words[2]\n"
                     "    contains -- $group check rows; and set -q "
                     "words[3]; and set group $words[3]\n"
                     "    for word in $words[3..-1]\n"
                     "        string match -q -- '-*' $word; and set group "
                     "$word\n"
                     "    end\n"
                     "    test \"$group\" = \"$argv[1]\"\n"
                     "end\n"
                     "complete -c cstress -f -n "
                     "'test (count (commandline -opc)) -eq 1' -a '");
    put_names(groups, true, out);
    cs_buf_puts(out, "'\ncomplete -c cstress -f -n "
                     "'test (count (commandline -opc)) -gt 1' -a '");
    put_names(groups, false, out);
    cs_buf_puts(out, "'\ncomplete -c cstress -f -n '_cstress_group check; or "
                     "_cstress_group rows' -a '");
    put_names(groups, true, out);
    cs_buf_puts(out, "'\n");
    for (size_t i = 0; i < groups->count; i++) {
        const struct cs_option_group *group = groups->list[i];

        if (group->hidden || !cs_group_row(group, 0))
            continue;
        cs_buf_printf(out, "complete -c cstress -f -n '_cstress_group %s' -a '",
                      group->name);
        put_words(group, true, out);
        cs_buf_puts(out, "'\n");
    }
    cs_buf_puts(out, "complete -c cassandra-stress -w cstress\n");
}

enum cs_code cs_completion_put(const struct cs_option_groups *groups,
                               const char *shell, struct cs_buf *out,
                               struct cs_err *err)
{
    if (cs_same_word(shell, "bash"))
        put_bash(groups, out);
    else if (cs_same_word(shell, "zsh"))
        put_zsh(groups, out);
    else if (cs_same_word(shell, "fish"))
        put_fish(groups, out);
    else
        return cs_fail(err, CS_EUSAGE,
                       "help completion: unknown shell '%.40s', expected bash, "
                       "zsh or fish",
                       shell);
    return CS_OK;
}
