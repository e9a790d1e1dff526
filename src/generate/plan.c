/* plan.c - from a column's type and rules to the node that makes its values. */
#include "base/murmur3.h"
#include "generate/generate_internal.h"

/* Milliseconds of 50 years: the default range of timestamps. */
#define FIFTY_YEARS_MS INT64_C(1576800000000)

/* Longest salt_prefix with the path of a part. */
#define SEED_TEXT_MOST 4096

/* Longest type shown in a message. */
#define TYPE_TEXT_MAX ((size_t)1 << 14)

struct plan {
    const struct cs_generator_config *config;
    struct cs_arena *arena;
    const char *column;
    struct cs_err *err;
};

const struct cs_column_rule *
cs_gen_rule(const struct cs_generator_config *config, const char *name)
{
    for (size_t i = 0; i < config->rule_count; i++)
        if (!strcmp(config->rules[i].name, name))
            return &config->rules[i];
    return NULL;
}

static enum cs_code set_salt(struct cs_gen_node *node, const char *prefix,
                             const char *path, struct cs_err *err)
{
    struct cs_buf text;

    cs_buf_init(&text, SEED_TEXT_MOST);
    cs_buf_puts(&text, prefix);
    cs_buf_puts(&text, path);
    if (!text.fault)
        node->salt = cs_murmur3(text.data, text.size);
    node->start = cs_java_random_start(node->salt);
    cs_buf_release(&text);
    return text.fault
               ? cs_fail(err, CS_ENOMEM, "column path '%s' is too long", path)
               : CS_OK;
}

static struct cs_dist_spec default_population(enum cs_type_kind kind)
{
    if (kind == CS_TYPE_TIMESTAMP || kind == CS_TYPE_TIMEUUID)
        return cs_dist_uniform(1, FIFTY_YEARS_MS);
    return cs_dist_uniform(1, INT64_C(100000000000));
}

/* Numbers up to here are exact in a double. */
#define PLAIN_MOST (INT64_C(1) << 52)

static void set_plain(struct cs_gen_node *node)
{
    const struct cs_dist_spec *spec = &node->identity.spec;

    node->plain = spec->kind == CS_DIST_UNIFORM && !spec->inverted &&
                  spec->min == 1 && spec->max < PLAIN_MOST;
    if (node->plain)
        node->above = (double)(spec->max + 1);
}

static void set_dists(struct cs_gen_node *node,
                      const struct cs_column_rule *rule)
{
    struct cs_dist_spec population = default_population(node->type->kind);
    struct cs_dist_spec size = cs_dist_uniform(4, 8);

    if (rule && rule->has_population)
        population = rule->population;
    if (rule && rule->has_size)
        size = rule->size;
    cs_dist_init(&node->identity, &population);
    cs_dist_init(&node->size_dist, &size);
    set_plain(node);
    node->size_fixed = size.kind == CS_DIST_FIXED;
    if (node->size_fixed)
        node->size = (int32_t)CS_MIN(CS_MAX(size.min, 0), INT32_MAX);
}

static void first_value(struct cs_gen_node *node, int64_t seed,
                        struct cs_buf *out)
{
    cs_gen_seed(node, seed);
    node->append(node, out);
}

static void set_functions(struct cs_gen_node *node)
{
    node->first = cs_gen_bytes_first_fn(node);
    if (!node->first)
        node->first = first_value;
    node->run = cs_gen_bytes_run_fn(node);
}

void cs_gen_find_runs(struct cs_gen_node *columns, unsigned count)
{
    for (unsigned i = count; i-- > 0;) {
        struct cs_gen_node *node = &columns[i];
        const struct cs_gen_node *next = node + 1;

        node->run_count = 1;
        if (i + 1 < count && node->run && next->run == node->run &&
            next->size == node->size)
            node->run_count += next->run_count;
    }
}

static cs_gen_fn function_of(enum cs_type_kind kind, enum cs_dialect dialect,
                             unsigned family)
{
    cs_gen_fn fn = cs_gen_bytes_fn(kind);

    if (!fn)
        fn = cs_gen_number_fn(kind, dialect);
    if (!fn)
        fn = cs_gen_time_fn(kind);
    if (!fn)
        fn = cs_gen_uuid_fn(kind, dialect);
    if (!fn)
        fn = cs_gen_inet_fn(kind, family);
    if (!fn)
        fn = cs_gen_collection_fn(kind);
    if (!fn)
        fn = cs_gen_nested_fn(kind);
    return fn;
}

static bool is_list_or_set(const struct cs_type *type)
{
    return type->kind == CS_TYPE_LIST || type->kind == CS_TYPE_SET;
}

/* Bytes of a vector's element where Cassandra counts the type as one of fixed
 * length (it does not so with smallint, tinyint, date and time); else 0. */
static size_t element_size(const struct cs_type *type)
{
    switch (type->kind) {
    case CS_TYPE_BOOLEAN:
        return 1;
    case CS_TYPE_INT:
    case CS_TYPE_FLOAT:
        return 4;
    case CS_TYPE_BIGINT:
    case CS_TYPE_DOUBLE:
    case CS_TYPE_TIMESTAMP:
        return 8;
    case CS_TYPE_UUID:
    case CS_TYPE_TIMEUUID:
        return 16;
    case CS_TYPE_VECTOR:
        return type->dimension * element_size(type->parts[0]);
    default:
        return 0;
    }
}

/* Path of a part: m[v], p.homes[].street. */
static const char *part_path(const struct plan *plan, const char *path,
                             const struct cs_type *type, unsigned i)
{
    switch (type->kind) {
    case CS_TYPE_MAP:
        return cs_arena_printf(plan->arena, "%s%s", path, i ? "[v]" : "[k]");
    case CS_TYPE_TUPLE:
        return cs_arena_printf(plan->arena, "%s.%u", path, i);
    case CS_TYPE_UDT:
        return cs_arena_printf(plan->arena, "%s.%s", path,
                               type->field_names[i]);
    default:
        return cs_arena_printf(plan->arena, "%s[]", path);
    }
}

static enum cs_code init_node(const struct plan *plan, struct cs_gen_node *node,
                              const char *path, const struct cs_type *type,
                              const struct cs_column_rule *inherited);

static enum cs_code init_parts(const struct plan *plan,
                               struct cs_gen_node *node, const char *path,
                               const struct cs_column_rule *rule)
{
    const struct cs_type *type = node->type;
    enum cs_code rc = CS_OK;

    node->parts =
        cs_arena_array(plan->arena, type->part_count, sizeof(*node->parts));
    if (!node->parts)
        return cs_fail(plan->err, CS_ENOMEM, "column '%s': out of memory",
                       plan->column);
    node->part_count = (unsigned)type->part_count;
    for (unsigned i = 0; !rc && i < node->part_count; i++) {
        const char *part = path;

        if (!node->legacy)
            part = part_path(plan, path, type, i);
        if (!part)
            return cs_fail(plan->err, CS_ENOMEM, "column '%s': out of memory",
                           plan->column);
        rc = init_node(plan, &node->parts[i], part, type->parts[i], rule);
    }
    return rc;
}

/* Only its Java class knows what the bytes of such a type mean. */
static enum cs_code refuse_type(const struct plan *plan,
                                const struct cs_type *type)
{
    enum cs_code rc;
    struct cs_buf text;

    cs_buf_init(&text, TYPE_TEXT_MAX);
    cs_type_put(&text, type);
    rc = cs_fail(plan->err, CS_EUNSUPPORTED,
                 "column '%s': values of type %s, which is a Java class, "
                 "cannot be generated",
                 plan->column, cs_buf_text(&text));
    cs_buf_release(&text);
    return rc;
}

static enum cs_code init_node(const struct plan *plan, struct cs_gen_node *node,
                              const char *path, const struct cs_type *type,
                              const struct cs_column_rule *inherited)
{
    const struct cs_generator_config *config = plan->config;
    const struct cs_column_rule *rule = cs_gen_rule(config, path);
    enum cs_code rc;

    if (!rule)
        rule = inherited;
    node->type = type;
    node->append =
        function_of(type->kind, config->dialect, rule ? rule->family : 0);
    if (!node->append)
        return refuse_type(plan, type);
    rc = set_salt(node, config->salt_prefix, path, plan->err);
    if (rc)
        return rc;
    set_dists(node, rule);
    set_functions(node);
    if (type->kind == CS_TYPE_VECTOR)
        node->element_size = element_size(type->parts[0]);
    return type->part_count ? init_parts(plan, node, path, rule) : CS_OK;
}

enum cs_code cs_gen_node_init(struct cs_gen_node *node,
                              const struct cs_generator_config *config,
                              struct cs_arena *arena, const char *name,
                              const struct cs_type *type, struct cs_err *err)
{
    const struct plan plan = {
        .config = config, .arena = arena, .column = name, .err = err};

    node->legacy = is_list_or_set(type) && cs_gen_is_scalar(type->parts[0]);
    return init_node(&plan, node, name, type, NULL);
}

enum cs_code cs_gen_node_init_hex(struct cs_gen_node *node,
                                  const struct cs_generator_config *config,
                                  const char *name, const struct cs_type *type,
                                  struct cs_err *err)
{
    node->type = type;
    node->append = cs_gen_hex_key;
    set_dists(node, cs_gen_rule(config, name));
    node->first = cs_gen_hex_first;
    node->key = cs_gen_hex_key_fn(node);
    return set_salt(node, config->salt_prefix, name, err);
}

void cs_gen_node_release(struct cs_gen_node *node)
{
    for (unsigned i = 0; i < node->part_count; i++)
        cs_gen_node_release(&node->parts[i]);
    cs_gen_unique_release(&node->unique);
}
