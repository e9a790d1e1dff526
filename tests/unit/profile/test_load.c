/* test_load.c - profiles from files. */
#include "profile_fixture.h"

#include <errno.h>
#include <unistd.h>

static void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

static void loads_paths_and_file_urls(void **state)
{
    char dir[] = "/tmp/cs-profile-XXXXXX";
    char path[64];
    char name[128];
    static const char *const prefixes[] = {"", "file:", "file://",
                                           "FILE://localhost"};

    (void)state;
    assert_non_null(mkdtemp(dir));
    snprintf(path, sizeof(path), "%s/p.yaml", dir);
    write_file(path, HEAD);
    for (size_t i = 0; i < CS_COUNT(prefixes); i++) {
        struct cs_profile *profile = NULL;
        struct cs_err err;

        snprintf(name, sizeof(name), "%s%s", prefixes[i], path);
        if (cs_profile_load(name, &profile, NULL, &err))
            fail_msg("%s", err.text);
        assert_string_equal(profile->path, name);
        cs_profile_free(profile);
    }
    unlink(path);
    rmdir(dir);
}

static void says_why_a_file_cannot_be_read(void **state)
{
    struct cs_profile *profile = NULL;
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_profile_load("nosuch.yaml", &profile, NULL, &err),
                     CS_ESYSTEM);
    assert_int_equal(err.sys_errno, ENOENT);
    assert_non_null(strstr(err.text, "nosuch.yaml: cannot open"));
    assert_int_equal(cs_profile_load("/", &profile, NULL, &err), CS_ESYSTEM);
    assert_int_equal(err.sys_errno, EISDIR);
    assert_int_equal(
        cs_profile_load("http://[nowhere/p.yaml", &profile, NULL, &err),
        CS_EINVALID);
    assert_non_null(strstr(err.text, "http://[nowhere/p.yaml: cannot fetch the "
                                     "profile: curl: "));
    assert_null(profile);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(loads_paths_and_file_urls),
        cmocka_unit_test(says_why_a_file_cannot_be_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
