/* profile_fixture.h - parses a text as "t.yaml" and keeps what came out. */
#ifndef CS_TESTS_UNIT_PROFILE_FIXTURE_H
#define CS_TESTS_UNIT_PROFILE_FIXTURE_H

#include "support/vectors.h"

#include "profile/profile.h"

/* A profile needs these; the tests add what they are about. */
#define HEAD "keyspace: ks\ntable: t\nqueries: {}\n"

struct parsed {
    struct cs_profile *profile; /* NULL when it failed */
    struct cs_buf warnings;
    struct cs_err err;
    enum cs_code rc;
};

static inline struct parsed parse_bytes(const char *text, size_t size)
{
    struct parsed p = {0};

    cs_buf_init(&p.warnings, 1 << 16);
    p.rc =
        cs_profile_parse("t.yaml", text, size, &p.profile, &p.warnings, &p.err);
    return p;
}

static inline struct parsed parse(const char *text)
{
    return parse_bytes(text, strlen(text));
}

static inline struct parsed parse_good(const char *text)
{
    struct parsed p = parse(text);

    if (p.rc)
        fail_msg("refused: %s\n%s", p.err.text, text);
    return p;
}

static inline void parsed_release(struct parsed *p)
{
    cs_profile_free(p->profile);
    cs_buf_release(&p->warnings);
}

#endif
