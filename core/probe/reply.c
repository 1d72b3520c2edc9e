#include <string.h>

#include "probe.h"

const char MB_KIND_BAD_REQUEST[] = "bad-request";
const char MB_KIND_UNSUPPORTED[] = "unsupported";
const char MB_KIND_TOO_BIG[] = "too-big";
const char MB_KIND_ERROR[] = "error";
const char MB_KIND_WRONG_ANSWER[] = "wrong-answer";

/* Append printable ASCII only: a library's or the system's words must still be valid text behind a cut. */
static void append(mb_reply *reply, const char *text)
{
    size_t len = strlen(reply->text);
    for (; *text != '\0' && len < sizeof reply->text - 1; text++)
        reply->text[len++] = (char)(*text >= ' ' && *text <= '~' ? *text : '?');
    reply->text[len] = '\0';
}

bool mb_fail(mb_reply *reply, const char *kind, const char *where, const char *what)
{
    reply->kind = kind;
    reply->text[0] = '\0';
    if (where != NULL)
        append(reply, where);
    if (where != NULL && what != NULL)
        append(reply, ": ");
    if (what != NULL)
        append(reply, what);
    return false;
}

bool mb_fail_status(mb_reply *reply, mb_status status)
{
    const char *words = mb_the_adapter.error != NULL ? mb_the_adapter.error() : NULL;
    if (words != NULL && *words == '\0')
        words = NULL;
    switch (status) {
    case MB_UNSUPPORTED:
        return mb_fail(reply, MB_KIND_UNSUPPORTED, NULL,
                       words != NULL ? words : "the library does not take these lengths or parameters");
    case MB_TOO_BIG:
        return mb_fail(reply, MB_KIND_TOO_BIG, NULL, words != NULL ? words : "the library lacks memory for it");
    case MB_REJECTED:
        return mb_fail(reply, MB_KIND_WRONG_ANSWER, NULL, "rejected a tag, padding or signature that must verify");
    case MB_OK:
    case MB_ERROR:
        break;
    }
    return mb_fail(reply, MB_KIND_ERROR, NULL, words != NULL ? words : "the library failed and gave no reason");
}

bool mb_fail_lacks(mb_reply *reply, size_t bytes)
{
    char digits[12];
    size_t at = sizeof digits - 1;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + bytes % 10);
        bytes /= 10;
    } while (bytes > 0 && at > 0);
    (void)mb_fail(reply, MB_KIND_TOO_BIG, NULL, "bytes of RAM that are missing: ");
    append(reply, digits + at);
    return false;
}

void mb_reply_rejected(mb_reply *reply)
{
    reply->writer.len = reply->ok.at;
    reply->ok = mb_map_open(&reply->writer);
    mb_key(&reply->ok, "rejected");
    mb_put_bool(&reply->writer, true);
}
