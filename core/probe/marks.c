/* Only in firmware that marks secrets, and in probes of hosts that valgrind runs (MB_MEMCHECK). */
#ifdef MB_MEMCHECK
#ifndef _GNU_SOURCE
#define _GNU_SOURCE /* dl_iterate_phdr */
#endif
#include <link.h>
#endif

#include "marks.h"

#include "bytes.h"

#ifdef MB_MARKS

/* Not to be inlined, cloned or told apart: the simulator looks at each call. */
#if defined(__clang__)
#define MARK __attribute__((noinline, optnone, used))
#elif __has_attribute(noipa)
#define MARK __attribute__((noipa, used))
#else /* GCC before version 8 */
#define MARK __attribute__((noinline, noclone, no_icf, used))
#endif

#ifdef MB_MEMCHECK
#define MB_OF_VALGRIND /* its own header, behind ours */
#include <valgrind/memcheck.h>

static bool follows;

/* Errors count between the two marks only. */
__attribute__((constructor)) static void mute(void)
{
    VALGRIND_DISABLE_ERROR_REPORTING;
}

/* Places of programs and libraries in memory: addresses in reports are those. */
static int say_place(struct dl_phdr_info *info, size_t size, void *unused)
{
    (void)size, (void)unused;
    (void)VALGRIND_PRINTF("motebench object %lx %s\n", (unsigned long)info->dlpi_addr,
                          info->dlpi_name);
    return 0;
}

MARK void mb_mark_begin(void)
{
    if (follows)
        return;
    follows = true;
    (void)dl_iterate_phdr(say_place, NULL);
    VALGRIND_ENABLE_ERROR_REPORTING;
}

MARK void mb_mark_end(void)
{
    if (follows)
        VALGRIND_DISABLE_ERROR_REPORTING;
    follows = false;
}

/* Functions whose names say the origin: valgrind reports where memory became undefined. */
#define SECRET(name)                                              \
    MARK static void name(const volatile void *at, size_t len)    \
    {                                                             \
        (void)VALGRIND_MAKE_MEM_UNDEFINED((const void *)at, len); \
    }
SECRET(mb_secret_0)
SECRET(mb_secret_1)
SECRET(mb_secret_2)
SECRET(mb_secret_3)
SECRET(mb_secret_4)
SECRET(mb_secret_5)

MARK void mb_mark_secret(const volatile void *at, size_t len, unsigned origin)
{
    static void (*const secret[])(const volatile void *, size_t) = {
        mb_secret_0, mb_secret_1, mb_secret_2, mb_secret_3, mb_secret_4, mb_secret_5};
    if (origin <= MB_MARK_OWN)
        secret[origin](at, len);
}

MARK void mb_mark_public(const volatile void *at, size_t len)
{
    (void)VALGRIND_MAKE_MEM_DEFINED((const void *)at, len);
    if (follows)
        (void)VALGRIND_PRINTF_BACKTRACE("motebench public %lu\n", (unsigned long)len);
}
#else
MARK void mb_mark_begin(void)
{
    __asm__ volatile("" : : : "memory");
}

MARK void mb_mark_end(void)
{
    __asm__ volatile("" : : : "memory");
}

MARK void mb_mark_secret(const volatile void *at, size_t len, unsigned origin)
{
    __asm__ volatile("" : : "r"(at), "r"(len), "r"(origin) : "memory");
}

MARK void mb_mark_public(const volatile void *at, size_t len)
{
    __asm__ volatile("" : : "r"(at), "r"(len) : "memory");
}
#endif

bool mb_secrets_read(mb_item request, mb_secrets *secrets, mb_reply *reply)
{
    mb_item item;
    const uint8_t *bytes;
    size_t len;
    secrets->count = 0;
    if (!mb_cbor_find(request, MB_TEXT("secret"), &item))
        return true;
    if (!mb_cbor_bytes(item, &bytes, &len) || len % MB_SECRET_BYTES != 0 ||
        len > (size_t)MB_SECRETS * MB_SECRET_BYTES)
        return mb_fail(reply, MB_KIND_BAD_REQUEST, MB_TEXT("secret"),
                       MB_TEXT("not 5 bytes for each of up to 8 secrets"));
    for (; len > 0; len -= MB_SECRET_BYTES, bytes += MB_SECRET_BYTES)
        secrets->at[secrets->count++] =
            (mb_secret){.place = bytes[0],
                        .offset = (uint16_t)((unsigned)bytes[1] << 8 | bytes[2]),
                        .len = (uint16_t)((unsigned)bytes[3] << 8 | bytes[4])};
    return true;
}

/* An input by its number. */
static const uint8_t *input(const mb_work *work, uint8_t place, size_t *len)
{
    const mb_job *job = &work->job;
    switch (place) {
    case 0:
        *len = job->key_len;
        return job->key;
    case 1: /* nonce, context or seed */
        *len = MB_PUBLIC_KEY && job->seed_len > 0 ? job->seed_len : job->nonce_len;
        return MB_PUBLIC_KEY && job->seed_len > 0 ? job->seed : job->nonce;
    case 2:
        *len = job->in_len;
        return work->input;
    case 3:
        *len = job->aad_len;
        return job->aad;
    default:
        *len = job->tag_len;
        return job->tag;
    }
}

void mb_secrets_mark(const mb_secrets *secrets, const mb_work *work)
{
    if (secrets->count == 0)
        return;
    mb_mark_begin();
    for (uint8_t i = 0; i < secrets->count; i++) {
        const mb_secret *secret = &secrets->at[i];
        size_t len;
        const uint8_t *bytes = input(work, secret->place, &len);
        if (secret->offset < len && secret->len <= len - secret->offset)
            mb_mark_secret(bytes + secret->offset, secret->len, secret->place);
    }
}

mb_status mb_secrets_run(const mb_secrets *secrets, mb_work *work)
{
    mb_status status = mb_work_restart(work);
    const bool runs = status == MB_OK;
    if (runs)
        status = mb_the_adapter.run(&work->job, 1);
    if (secrets->count > 0) {
        mb_mark_end();
#ifdef MB_MEMCHECK /* a simulator forgets all */
        for (uint8_t place = 0; place < MB_MARK_OWN; place++) {
            size_t len;
            const uint8_t *bytes = input(work, place, &len);
            mb_mark_public(bytes, len);
        }
        mb_mark_public(work->job.out, work->job.out_cap);
        mb_mark_public(&status, sizeof status);
#endif
    }
    return runs ? mb_work_checked(work, status) : status;
}
#endif
