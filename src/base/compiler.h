/* compiler.h - the only place for compiler extensions. */
#ifndef CS_BASE_COMPILER_H
#define CS_BASE_COMPILER_H

#define CS_MUST_USE        __attribute__((warn_unused_result))
#define CS_PRINTF(fmt, va) __attribute__((format(printf, fmt, va)))
#define CS_LIKELY(x)       __builtin_expect(!!(x), 1)
#define CS_UNLIKELY(x)     __builtin_expect(!!(x), 0)
#define CS_NOINLINE        __attribute__((noinline))
#define CS_INLINE          static inline __attribute__((always_inline))

#define CS_COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define CS_MIN(a, b)    ((a) < (b) ? (a) : (b))
#define CS_MAX(a, b)    ((a) > (b) ? (a) : (b))

/* The struct that holds this member. */
#define CS_CONTAINER(ptr, type, member)                                        \
    ((type *)(void *)((char *)(ptr)-offsetof(type, member)))

#endif
