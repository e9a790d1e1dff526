/* old.h - settings of the tools of 0.7 to 2.0, stress and stress.py, when they
 * run with their own personality. */
#ifndef CS_SETTINGS_OLD_H
#define CS_SETTINGS_OLD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What the tools of 0.7 to 2.0 could do (-o of stress and stress.py). */
enum cs_old_operation {
    CS_OLD_INSERT,
    CS_OLD_READ,
    CS_OLD_RANGE_SLICE,
    CS_OLD_INDEXED_RANGE_SLICE,
    CS_OLD_MULTI_GET,
    CS_OLD_COUNTER_ADD,
    CS_OLD_COUNTER_GET,
};

/* The old tools' own personality: on for stress and stress.py only. What it
 * shares with the new commands (threads, nodes, level ...) stands there. */
struct cs_settings_old {
    bool on;
    bool python; /* called stress.py: its values, draws and digits */
    enum cs_old_operation operation;
    bool super;        /* super columns, emulated by clustering */
    unsigned supers;   /* of each key; 1 without super */
    int64_t keys;      /* n: operations, and the digits of stress.py's keys */
    int64_t different; /* F: distinct keys */
    int64_t first;     /* of the keys that are inserted */
    double stdev;      /* of gaussian draws, as a fraction of F */
    bool uniform;      /* draws */
    unsigned columns;  /* of each key: C0, C1 ... */
    unsigned size;     /* of a value in bytes */
    bool random_sizes; /* values of 0 to 2 * size - 1 bytes */
    unsigned cardinality; /* distinct values */
    unsigned per_call;    /* keys of a slice or a multiget */
    bool index;           /* on C1, when the schema is made */
    const char **names;   /* that reads ask for; count 0: all columns */
    size_t name_count;
    int64_t interval_s; /* that the rates of a row are divided by */
    bool true_rates;    /* divide by the true length instead */
    bool averages;      /* the block of 2.0 at the end */
    unsigned layout;    /* of the rows: index into cs_old_layouts */
    const char *file;   /* that the rows go to; NULL: standard output */
};

/* The layouts of the rows in the order of their age. */
struct cs_old_layout {
    const char *name;    /* as typed: a release, or a date of stress.py */
    const char *columns; /* the header */
    bool key_rate;       /* columns that a row has */
    bool average;
    double high; /* third latency column: percentile; 0: no percentiles */
    const char *help;
};
extern const struct cs_old_layout cs_old_layouts[];
extern const size_t cs_old_layout_count;
#define CS_OLD_LAYOUT_USUAL 2 /* 0.7 to 1.1: five columns */

#endif
