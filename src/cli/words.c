/* words.c - arguments to words: all arguments are one text that is cut at
 * blanks, but blanks around ( ) , = do not count and blanks inside one
 * argument may belong to a value. */
#include "cli/parse_internal.h"

#include "base/text.h"

#include <ctype.h>
#include <stdio.h>
#include <strings.h>

/* Longest part of a word that a message shows. */
#define SHOWN_MAX 80
#define MASK      "*******"

/* A run of characters without blanks inside one argument. */
struct piece {
    const char *text;
    size_t size;
    size_t gap;    /* blanks in front of it inside the argument */
    bool hard;     /* first of its argument */
    size_t raw_at; /* in the joined arguments */
};

struct cutter {
    struct cs_cli *cli;
    const char *blanks;
    struct piece *pieces;
    size_t piece_count;
    struct cs_buf word;                  /* the word being built */
    const struct cs_option_group *group; /* that the words belong to */
    bool bare_seen;                      /* in that group */
    bool rows_seen;
    bool command_seen;
};

static bool glues_before(char c)
{
    return c && strchr(",=()", c);
}

static bool glues_after(char c)
{
    return c && strchr(",=(", c);
}

static bool starts_group(const char *text, size_t size)
{
    return size > 1 && text[0] == '-' && isalpha((unsigned char)text[1]);
}

bool cs_option_free_text(const struct cs_option *option)
{
    return option && option->free_text;
}

/* Joins the arguments and notes their pieces. */
static bool find_pieces(struct cutter *cut, int argc, char *const *argv,
                        struct cs_buf *raw)
{
    size_t count = 0;

    for (int i = 0; i < argc; i++)
        count += strlen(argv[i]) / 2 + 1;
    cut->pieces =
        cs_arena_array(&cut->cli->scratch, count + 1, sizeof(struct piece));
    if (!cut->pieces)
        return false;
    for (int i = 0; i < argc; i++) {
        const char *p = argv[i];
        bool hard = true;

        if (i > 0)
            cs_buf_put8(raw, ' ');
        while (*p) {
            size_t gap = strspn(p, cut->blanks);
            size_t size = strcspn(p + gap, cut->blanks);

            if (size)
                cut->pieces[cut->piece_count++] = (struct piece){
                    .text = p + gap,
                    .size = size,
                    .gap = hard ? 0 : gap,
                    .hard = hard,
                    .raw_at = raw->size + (size_t)(p + gap - argv[i])};
            hard = hard && !size;
            p += gap + size;
        }
        cs_buf_puts(raw, argv[i]);
    }
    return true;
}

/* The piece as a word would begin with it: a sign or list that follows after
 * a blank is part of the name. */
static const char *candidate(struct cutter *cut, size_t i, char *room,
                             size_t size)
{
    const struct piece *piece = &cut->pieces[i];
    const struct piece *next =
        i + 1 < cut->piece_count ? &cut->pieces[i + 1] : NULL;
    int n = (int)CS_MIN(piece->size, size / 2);
    int m = next && (next->text[0] == '=' || next->text[0] == '(')
                ? (int)CS_MIN(next->size, size / 2 - 1)
                : 0;

    snprintf(room, size, "%.*s%.*s", n, piece->text, m, m ? next->text : "");
    return room;
}

/* A free-text value goes on over a blank unless the piece starts something. */
static bool value_goes_on(struct cutter *cut, const struct cs_option *option,
                          size_t i)
{
    char room[256];
    const char *word = candidate(cut, i, room, sizeof(room));
    const struct cs_option *taker;
    bool place;

    if (word[0] == '-')
        return false;
    /* Names of data centres and racks have no blanks: a host list follows. */
    place = option->type == CS_OPTION_TEXT && !cut->bare_seen;
    taker = cs_group_match(cut->group, word, place);
    return !taker;
}

enum joint { APART, TOGETHER, WITH_BLANKS };

static enum joint joint_before(struct cutter *cut, size_t i)
{
    const struct piece *piece = &cut->pieces[i];
    const char *word = cs_buf_text(&cut->word);
    char last = word[cut->word.size - 1];
    bool glue = glues_before(piece->text[0]) || glues_after(last);
    const struct cs_option *option;

    if (cut->cli->strict)
        return glue ? TOGETHER : APART;
    if (piece->hard) {
        if (starts_group(piece->text, piece->size) ||
            starts_group(word, cut->word.size))
            return APART;
        return glue ? TOGETHER : APART;
    }
    option = cut->group ? cs_group_match(cut->group, word, false) : NULL;
    if (!cs_option_free_text(option))
        return glue ? TOGETHER : APART;
    if (cut->word.size == strlen(option->key))
        return TOGETHER;
    return value_goes_on(cut, option, i) ? WITH_BLANKS : APART;
}

static struct cs_word *last_word(struct cs_cli *cli)
{
    return &cli->words[cli->word_count - 1];
}

/* The word is whole: keep it, and know the group for those that follow. */
static void end_word(struct cutter *cut)
{
    struct cs_cli *cli = cut->cli;
    struct cs_word *word;
    const struct cs_option *option;

    if (!cut->word.size)
        return;
    word = last_word(cli);
    word->text = cs_cli_text(cli, cs_buf_text(&cut->word), cut->word.size);
    cs_buf_clear(&cut->word);
    if (word->opens) {
        cut->group = cs_group_find(cli->groups, word->text);
        cut->bare_seen = false;
        return;
    }
    option = cut->group ? cs_group_match(cut->group, word->text, true) : NULL;
    if (option && option->type == CS_OPTION_BARE)
        cut->bare_seen = true;
}

/* A bare word that names a group, where the group at hand has no use for
 * it, opens that group. */
static bool opens_unmarked(struct cutter *cut, size_t i)
{
    char room[256];
    char marked[260];
    const char *word = candidate(cut, i, room, sizeof(room));
    const struct cs_option_group *group;

    if (cut->cli->strict || !cut->group || cut->group->special)
        return false;
    if (cs_group_match(cut->group, word, !cut->bare_seen))
        return false;
    snprintf(marked, sizeof(marked), "-%s", word);
    group = cs_group_find(cut->cli->groups, marked);
    if (!group)
        return false;
    cs_cli_notice(cut->cli, "'%s' is taken as the group %s", word, group->name);
    return true;
}

static bool is_piece(const struct piece *piece, const char *word)
{
    return piece->size == strlen(word) &&
           !strncasecmp(piece->text, word, piece->size);
}

/* `check`, `rows` and the format of the rows stand in front of the command. */
static bool opens_prefix(struct cutter *cut, const struct piece *piece)
{
    if (!cut->rows_seen && is_piece(piece, "check"))
        return true;
    if (!cut->rows_seen && is_piece(piece, "rows")) {
        cut->rows_seen = true;
        return true;
    }
    return cut->rows_seen && starts_group(piece->text, piece->size);
}

static bool is_format(const struct cutter *cut)
{
    return cut->rows_seen && cut->group && !cut->bare_seen &&
           cs_same_word(cut->group->name, "-format");
}

/* The command is the first word, or the next behind `check` and `rows`; a first
 * word profile=... leaves it out. */
static bool opens_command(struct cutter *cut, const struct piece *piece)
{
    if (cut->command_seen || is_format(cut))
        return false;
    if (opens_prefix(cut, piece))
        return true;
    cut->command_seen = true;
    if (!cut->cli->strict && piece->size >= 8 &&
        !strncasecmp(piece->text, "profile=", 8)) {
        cut->group = cs_group_find(cut->cli->groups, "user");
        return false;
    }
    return true;
}

static void start_word(struct cutter *cut, size_t i)
{
    const struct piece *piece = &cut->pieces[i];
    struct cs_cli *cli = cut->cli;
    bool opens = opens_command(cut, piece) || piece->text[0] == '-' ||
                 opens_unmarked(cut, i);

    cli->words[cli->word_count++] =
        (struct cs_word){.raw_at = piece->raw_at, .opens = opens};
}

static enum cs_code cut_words(struct cutter *cut, struct cs_err *err)
{
    struct cs_cli *cli = cut->cli;

    for (size_t i = 0; i < cut->piece_count; i++) {
        const struct piece *piece = &cut->pieces[i];
        enum joint joint = cut->word.size ? joint_before(cut, i) : APART;

        if (joint == APART) {
            end_word(cut);
            start_word(cut, i);
        }
        if (joint == WITH_BLANKS)
            cs_buf_put(&cut->word, piece->text - piece->gap, piece->gap);
        cs_buf_put(&cut->word, piece->text, piece->size);
        last_word(cli)->raw_end = piece->raw_at + piece->size;
    }
    end_word(cut);
    return cs_buf_check(&cut->word, "command line", err);
}

enum cs_code cs_words_cut(struct cs_cli *cli, int argc, char *const *argv,
                          struct cs_err *err)
{
    struct cutter cut = {.cli = cli, .blanks = cli->strict ? " " : " \t\n\r"};
    struct cs_buf raw;
    enum cs_code rc = CS_OK;

    cs_buf_init(&raw, 1u << 24);
    cs_buf_init(&cut.word, 1u << 24);
    cli->word_count = 0;
    cli->words = NULL;
    if (find_pieces(&cut, argc, argv, &raw))
        cli->words = cs_arena_array(&cli->scratch, cut.piece_count + 1,
                                    sizeof(*cli->words));
    if (!cli->words)
        rc = cs_fail(err, CS_ENOMEM, "command line: out of memory");
    if (!rc)
        rc = cs_buf_check(&raw, "command line", err);
    if (!rc) {
        cli->raw = cs_arena_text(&cli->scratch, cs_buf_text(&raw));
        rc = cut_words(&cut, err);
    }
    cs_buf_release(&raw);
    cs_buf_release(&cut.word);
    return rc;
}

/* Whether what stands in front of the sign names a password, or was meant to:
 * a slip of the finger must not bring the rest to light. */
static bool names_secret(const char *word, size_t size)
{
    static const char *const parts[] = {"pass", "pwd", "secret"};
    static const char *const names[] = {"password", "truststore-password",
                                        "keystore-password"};
    char name[40];

    if (size >= sizeof(name))
        return false;
    for (size_t i = 0; i < size; i++)
        name[i] = (char)tolower((unsigned char)word[i]);
    name[size] = 0;
    for (size_t i = 0; i < CS_COUNT(parts); i++)
        if (strstr(name, parts[i]))
            return true;
    return !strcmp(name, "pw") || cs_nearest(name, names, CS_COUNT(names));
}

/* Where the secret begins in the word, or NULL. By name, whatever the group:
 * a password in the wrong place must not show either. */
static const char *secret_in(const char *word)
{
    const char *sign = strchr(word, '=');

    return sign && names_secret(word, (size_t)(sign - word)) ? sign + 1 : NULL;
}

const char *cs_words_masked(struct cs_cli *cli)
{
    struct cs_buf out;
    size_t at = 0;
    const char *text;

    cs_buf_init(&out, 1u << 24);
    for (size_t i = 0; i < cli->word_count; i++) {
        const struct cs_word *word = &cli->words[i];
        const char *sign;

        if (!secret_in(word->text))
            continue;
        sign = strchr(cli->raw + word->raw_at, '=');
        cs_buf_put(&out, cli->raw + at, (size_t)(sign + 1 - cli->raw) - at);
        cs_buf_puts(&out, MASK);
        at = word->raw_end;
    }
    cs_buf_puts(&out, cli->raw + at);
    text = cs_cli_text(cli, cs_buf_text(&out), out.size);
    cs_buf_release(&out);
    return text;
}

/* A word right behind a secret may be the rest of it. */
static bool follows_secret(const struct cs_cli *cli, const char *text)
{
    for (size_t i = 1; i < cli->word_count; i++)
        if (cli->words[i].text == text && !cli->words[i].opens)
            return secret_in(cli->words[i - 1].text) != NULL;
    return false;
}

const char *cs_word_shown(struct cs_cli *cli, const char *word)
{
    const char *secret = secret_in(word);
    size_t size = strlen(word);
    char *text;

    if (follows_secret(cli, word) && !strchr(word, '='))
        return MASK;
    if (secret)
        text = cs_arena_printf(&cli->scratch, "%.*s" MASK, (int)(secret - word),
                               word);
    else if (size > SHOWN_MAX)
        text = cs_arena_printf(&cli->scratch, "%.*s...", SHOWN_MAX, word);
    else
        return word;
    return text ? text : "";
}
