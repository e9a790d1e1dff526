/* The page over HTTP. */
#include "sbk/endpoint.h"
#include "support/vectors.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

static void ask(uint16_t port, const char *request, char *out, size_t size)
{
    struct sockaddr_in to = {.sin_family = AF_INET,
                             .sin_port = htons(port),
                             .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    size_t got = 0;
    ssize_t n;

    assert_true(fd >= 0);
    assert_int_equal(connect(fd, (const struct sockaddr *)&to, sizeof(to)), 0);
    assert_int_equal(write(fd, request, strlen(request)), strlen(request));
    while (got + 1 < size && (n = read(fd, out + got, size - got - 1)) > 0)
        got += (size_t)n;
    out[got] = 0;
    close(fd);
}

static void serves_its_page_only(void **state)
{
    struct cs_sbk_endpoint *endpoint;
    struct cs_buf page;
    struct cs_err err;
    char answer[4096];
    uint16_t port;

    (void)state;
    assert_int_equal(cs_sbk_endpoint_new(0, "/metrics", &endpoint, &err),
                     CS_OK);
    port = cs_sbk_endpoint_port(endpoint);
    cs_buf_init(&page, 1000);
    cs_buf_puts(&page, "first 1.0\n");
    cs_sbk_endpoint_show(endpoint, &page);
    cs_buf_clear(&page);
    cs_buf_puts(&page, "second 2.0\n");
    cs_sbk_endpoint_show(endpoint, &page);
    ask(port, "GET /metrics HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
        answer, sizeof(answer));
    assert_memory_equal(answer, "HTTP/1.1 200 OK\r\n", 17);
    assert_null(strstr(answer, "Content-Type"));
    assert_non_null(strstr(answer, "\r\n\r\nsecond 2.0\n"));
    ask(port, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n", answer,
        sizeof(answer));
    assert_memory_equal(answer, "HTTP/1.1 404 ", 13);
    ask(port,
        "POST /metrics HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n"
        "Connection: close\r\n\r\n",
        answer, sizeof(answer));
    assert_memory_equal(answer, "HTTP/1.1 405 ", 13);
    cs_sbk_endpoint_free(endpoint);
    cs_buf_release(&page);
}

static void says_when_the_port_is_taken(void **state)
{
    struct cs_sbk_endpoint *first;
    struct cs_sbk_endpoint *second = NULL;
    struct cs_err err;

    (void)state;
    assert_int_equal(cs_sbk_endpoint_new(0, "/metrics", &first, &err), CS_OK);
    assert_int_equal(cs_sbk_endpoint_new(cs_sbk_endpoint_port(first),
                                         "/metrics", &second, &err),
                     CS_ESYSTEM);
    assert_non_null(strstr(err.text, "cannot listen on port"));
    cs_sbk_endpoint_free(first);
}

static const struct {
    const char *text;
    enum cs_code want;
    uint16_t port;
    const char *path;
} contexts[] = {
    {"9718/metrics", CS_OK, 9718, "/metrics"},
    {"80/a/b", CS_OK, 80, "/a/b"},
    {"80", CS_OK, 80, "/"},
    {"no", CS_OK, 0, NULL},
    {"metrics", CS_EUSAGE, 0, NULL},
    {"70000/metrics", CS_EUSAGE, 0, NULL},
    {"0/metrics", CS_EUSAGE, 0, NULL},
};

static void reads_port_and_path(void **state)
{
    (void)state;
    for (size_t i = 0; i < CS_COUNT(contexts); i++) {
        char path[CS_SBK_PATH_SIZE];
        uint16_t port;
        struct cs_err err;

        assert_int_equal(
            cs_sbk_context_parse(contexts[i].text, &port, path, &err),
            contexts[i].want);
        if (contexts[i].want == CS_OK)
            assert_int_equal(port, contexts[i].port);
        if (contexts[i].path)
            assert_string_equal(path, contexts[i].path);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(serves_its_page_only),
        cmocka_unit_test(says_when_the_port_is_taken),
        cmocka_unit_test(reads_port_and_path),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
