#include "support/der.h"

#include <string.h>

enum { TAG_INTEGER = 0x02, TAG_SEQUENCE = 0x30 };

/* Takes one element with this tag from *at; its content is what is returned in body. */
static bool element(const uint8_t **at, const uint8_t *end, uint8_t tag, mb_number *body)
{
    const uint8_t *p = *at;
    size_t left = (size_t)(end - p);
    if (left < 2 || p[0] != tag)
        return false;
    size_t len = p[1];
    p += 2;
    left -= 2;
    if (len >= 0x80) {
        size_t octets = len & 0x7f;
        /*
         * Two octets hold 65535 bytes: more than any key here. 0x80 would be the indefinite form.
         */
        if (octets < 1 || octets > 2 || left < octets)
            return false;
        len = 0;
        for (size_t i = 0; i < octets; i++)
            len = len << 8 | p[i];
        if (len < 0x80 || (octets == 2 && len < 0x100))
            return false;
        p += octets;
        left -= octets;
    }
    if (len > left)
        return false;
    body->at = p;
    body->len = len;
    *at = p + len;
    return true;
}

bool mb_der_read(const uint8_t *in, size_t len, mb_number *numbers, size_t count)
{
    if (len == 0)
        return false;
    const uint8_t *at = in;
    const uint8_t *end = in + len;
    mb_number sequence;
    if (!element(&at, end, TAG_SEQUENCE, &sequence) || at != end)
        return false;
    at = sequence.at;
    for (size_t i = 0; i < count; i++) {
        mb_number *n = &numbers[i];
        if (!element(&at, end, TAG_INTEGER, n) || n->len == 0 || n->at[0] >= 0x80)
            return false;
        if (n->at[0] == 0) {
            if (n->len > 1 && n->at[1] < 0x80)
                return false;
            n->at++;
            n->len--;
        }
    }
    return at == end;
}

static mb_number trimmed(mb_number n)
{
    while (n.len > 0 && n.at[0] == 0) {
        n.at++;
        n.len--;
    }
    return n;
}

/* Content octets of an INTEGER: a zero in front where the first bit would be taken for a sign. */
static size_t integer_len(mb_number n)
{
    return n.len + (n.len == 0 || n.at[0] >= 0x80);
}

static size_t header_len(size_t len)
{
    return len < 0x80 ? 2 : len < 0x100 ? 3 : 4;
}

static uint8_t *put_header(uint8_t *out, uint8_t tag, size_t len)
{
    *out++ = tag;
    if (len >= 0x100) {
        *out++ = 0x82;
        *out++ = (uint8_t)(len >> 8);
    } else if (len >= 0x80) {
        *out++ = 0x81;
    }
    *out++ = (uint8_t)len;
    return out;
}

size_t mb_der_write(uint8_t *out, size_t cap, const mb_number *numbers, size_t count)
{
    size_t body = 0;
    for (size_t i = 0; i < count; i++) {
        size_t len = integer_len(trimmed(numbers[i]));
        body += header_len(len) + len;
    }
    if (body > 0xffff || header_len(body) + body > cap)
        return 0;
    uint8_t *p = put_header(out, TAG_SEQUENCE, body);
    for (size_t i = 0; i < count; i++) {
        mb_number n = trimmed(numbers[i]);
        size_t len = integer_len(n);
        p = put_header(p, TAG_INTEGER, len);
        if (len > n.len)
            *p++ = 0;
        if (n.len > 0)
            memcpy(p, n.at, n.len);
        p += n.len;
    }
    return (size_t)(p - out);
}
