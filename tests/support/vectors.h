/* vectors.h - reading the vector files: JSON lines, tab-separated rows, hex.
 * Everything fails the test with the file and line when it cannot go on. */
#ifndef CS_TESTS_SUPPORT_VECTORS_H
#define CS_TESTS_SUPPORT_VECTORS_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>

/* One line at a time of a file below tests/vectors. */
struct vector_file {
    FILE *file;
    char path[512];
    int line;
    char *text; /* the line, without its newline */
    size_t cap;
};

static inline void vector_open(struct vector_file *v, const char *name)
{
    memset(v, 0, sizeof(*v));
    snprintf(v->path, sizeof(v->path), "%s/%s", CS_TEST_VECTORS, name);
    v->file = fopen(v->path, "r");
    if (!v->file)
        fail_msg("cannot open %s", v->path);
}

static inline int vector_next_line(struct vector_file *v)
{
    ssize_t size = getline(&v->text, &v->cap, v->file);

    if (size < 0) {
        if (v->line == 0)
            fail_msg("%s is empty", v->path);
        fclose(v->file);
        free(v->text);
        return 0;
    }
    v->line++;
    if (size > 0 && v->text[size - 1] == '\n')
        v->text[size - 1] = 0;
    return 1;
}

/* The next line as JSON, the caller's to decref; NULL at the end. */
static inline json_t *vector_next_json(struct vector_file *v)
{
    json_error_t error;
    json_t *json;

    if (!vector_next_line(v))
        return NULL;
    json = json_loads(v->text, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (!json)
        fail_msg("%s:%d: %s", v->path, v->line, error.text);
    return json;
}

typedef void (*vector_json_fn)(struct vector_file *v, const char *name,
                               json_t *json);

/* Hands each line of the files to check. */
static inline void vector_each_json(const char *const *names, size_t count,
                                    vector_json_fn check)
{
    for (size_t i = 0; i < count; i++) {
        struct vector_file v;
        json_t *json;

        vector_open(&v, names[i]);
        while ((json = vector_next_json(&v)) != NULL) {
            check(&v, names[i], json);
            json_decref(json);
        }
    }
}

/* Cuts the line at tabs; returns how many fields there are. */
static inline int vector_fields(struct vector_file *v, char **fields, int max)
{
    int count = 0;
    char *p = v->text;

    while (count < max) {
        fields[count++] = p;
        p = strchr(p, '\t');
        if (!p)
            break;
        *p++ = 0;
    }
    return count;
}

static inline const char *vector_string(json_t *object, const char *key)
{
    json_t *value = json_object_get(object, key);

    return json_is_string(value) ? json_string_value(value) : NULL;
}

/* Bytes of hex text; the caller's to free. */
static inline uint8_t *vector_hex(const char *hex, size_t *size)
{
    size_t n = strlen(hex) / 2;
    uint8_t *bytes = malloc(n + 1);

    for (size_t i = 0; i < n; i++) {
        unsigned v = 0;

        if (sscanf(hex + 2 * i, "%2x", &v) != 1)
            fail_msg("not hex: %s", hex);
        bytes[i] = (uint8_t)v;
    }
    *size = n;
    return bytes;
}

#endif
