#include <string.h>

#include "probe.h"

const char MOTE_FLASH MB_KIND_BAD_REQUEST[] = "bad-request";
const char MOTE_FLASH MB_KIND_UNSUPPORTED[] = "unsupported";
const char MOTE_FLASH MB_KIND_TOO_BIG[] = "too-big";
const char MOTE_FLASH MB_KIND_ERROR[] = "error";
const char MOTE_FLASH MB_KIND_WRONG_ANSWER[] = "wrong-answer";

/* Longest text of an error; what is written of a map's entry before the text itself: key, head. */
enum { TEXT_BYTES = 239, ENTRY_BYTES = 16 };

/* {"id": ..., and then "ok" or "err" with a map */
static mb_map begin(mb_reply *reply, mb_text outcome)
{
    reply->writer.len = 0;
    reply->writer.full = false;
    reply->root = mb_map_open(&reply->writer);
    mb_map_uint(&reply->root, MB_TEXT("id"), reply->id);
    mb_key(&reply->root, outcome);
    return mb_map_open(&reply->writer);
}

mb_map *mb_reply_begin(mb_reply *reply)
{
    reply->ok = begin(reply, MB_TEXT("ok"));
    return &reply->ok;
}

void mb_reply_keep(mb_reply *reply, const void *kept)
{
    const uintptr_t at = (uintptr_t)kept, first = (uintptr_t)reply->writer.buf;
    if (at >= first && at - first < reply->writer.cap)
        reply->writer.cap = (size_t)(at - first);
}

/* A text being put together in `room` bytes. */
typedef struct words {
    char *at;
    size_t room;
} words;

/*
 * Append printable ASCII only: a library's or the system's words must still be valid text behind a
 * cut.
 */
static void append(words *w, mb_text text)
{
    if (text == NULL)
        return;
    for (; *text != '\0' && w->room > 0; text++, w->room--)
        *w->at++ = (char)(*text >= ' ' && *text <= '~' ? *text : '?');
}

static void append_number(words *w, size_t number)
{
    char digits[3 * sizeof number];
    size_t n = 0;
    for (; n == 0 || number > 0; number /= 10)
        digits[n++] = (char)('0' + number % 10);
    for (; n > 0 && w->room > 0; w->room--)
        *w->at++ = digits[--n];
}

void mb_reply_fail(mb_reply *reply)
{
    mb_writer *writer = &reply->writer;
    mb_map err = begin(reply, MB_TEXT("err"));
    mb_map_text(&err, MB_TEXT("kind"), reply->kind);
    /* Put together further on in the same buffer: the longest words that still fit. */
    const size_t room = writer->cap - writer->len;
    char *text = (char *)writer->buf + writer->len + ENTRY_BYTES;
    words w = {text, room > ENTRY_BYTES ? room - ENTRY_BYTES - 1 : 0};
    if (w.room > TEXT_BYTES)
        w.room = TEXT_BYTES;
    append(&w, reply->where);
    append(&w, reply->where != NULL && reply->what != NULL ? MB_TEXT(": ") : NULL);
    append(&w, reply->what);
    if (reply->lacks > 0) {
        append(&w, MB_TEXT(": "));
        append_number(&w, reply->lacks);
    }
    *w.at = '\0';
    mb_map_words(&err, MB_TEXT("text"), text);
    mb_map_close(&err);
}

bool mb_fail(mb_reply *reply, mb_text kind, mb_text where, mb_text what)
{
    reply->kind = kind;
    reply->where = where;
    reply->what = what;
    reply->lacks = 0;
    return false;
}

bool mb_fail_status(mb_reply *reply, mb_status status)
{
    mb_text words = mb_the_adapter.error != NULL ? mb_the_adapter.error() : NULL;
    if (words != NULL && *words == '\0')
        words = NULL;
    switch (status) {
    case MB_UNSUPPORTED:
        return mb_fail(reply, MB_KIND_UNSUPPORTED, NULL,
                       words != NULL
                           ? words
                           : MB_TEXT("the library does not take these lengths or parameters"));
    case MB_TOO_BIG:
        return mb_fail(reply, MB_KIND_TOO_BIG, NULL,
                       words != NULL ? words : MB_TEXT("the library lacks memory for it"));
    case MB_REJECTED:
        return mb_fail(reply, MB_KIND_WRONG_ANSWER, NULL,
                       MB_TEXT("rejected a tag, padding or signature that must verify"));
    case MB_OK:
    case MB_ERROR:
        break;
    }
    return mb_fail(reply, MB_KIND_ERROR, NULL,
                   words != NULL ? words : MB_TEXT("the library failed and gave no reason"));
}

bool mb_fail_lacks(mb_reply *reply, mb_text what, size_t bytes)
{
    (void)mb_fail(reply, MB_KIND_TOO_BIG, NULL, what);
    reply->lacks = bytes;
    return false;
}

void mb_reply_rejected(mb_reply *reply)
{
    mb_key(mb_reply_begin(reply), MB_TEXT("rejected"));
    mb_put_bool(&reply->writer, true);
}
