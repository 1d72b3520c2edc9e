#include "cbor.h"

enum { UINT = 0, NEGATIVE = 1, BYTES = 2, TEXT = 3, ARRAY = 4, MAP = 5, TAG = 6, SIMPLE = 7 };
enum {
    FALSE_VALUE = 20,
    TRUE_VALUE = 21,
    NULL_VALUE = 22,
    ONE_BYTE = 24,
    EIGHT_BYTES = 27,
    FIRST_LONG_SIMPLE = 32
};

typedef struct head {
    uint8_t type, info;
    uint64_t value;
} head;

static size_t left(const mb_item *item)
{
    return (size_t)(item->end - item->at);
}

/* Take the head of an item; reserved and indefinite forms are refused. */
static bool take_head(mb_item *item, head *h)
{
    if (left(item) == 0)
        return false;
    h->type = *item->at >> 5;
    h->info = *item->at & 31;
    item->at++;
    h->value = h->info;
    if (h->info < ONE_BYTE)
        return true;
    if (h->info > EIGHT_BYTES)
        return false;
    size_t n = (size_t)1 << (h->info - ONE_BYTE);
    if (left(item) < n)
        return false;
    h->value = 0;
    for (size_t i = 0; i < n; i++)
        h->value = h->value << 8 | item->at[i];
    item->at += n;
    return !(h->type == SIMPLE && h->info == ONE_BYTE && h->value < FIRST_LONG_SIMPLE);
}

/* Go behind an item. */
static bool skip(mb_item *item)
{
    size_t due[MB_CBOR_DEPTH + 1] = {1}; /* items still to come, by level */
    size_t level = 0;
    for (;;) {
        while (due[level] == 0) {
            if (level == 0)
                return true;
            level--;
        }
        head h;
        if (!take_head(item, &h))
            return false;
        due[level]--;
        if (h.type == BYTES || h.type == TEXT) {
            if (h.value > left(item))
                return false;
            item->at += (size_t)h.value;
        } else if (h.type == ARRAY || h.type == MAP) {
            /*
             * Every element takes a byte at least, so a count beyond that is refused before it is
             * believed.
             */
            if (h.value > left(item) / (h.type == MAP ? 2 : 1) || level == MB_CBOR_DEPTH)
                return false;
            due[++level] = (size_t)h.value * (h.type == MAP ? 2 : 1);
        } else if (h.type == TAG) {
            due[level]++;
        }
    }
}

bool mb_cbor_well_formed(const uint8_t *buf, size_t len)
{
    mb_item item = {buf, buf + len};
    return skip(&item) && item.at == item.end;
}

static bool is(mb_item item, uint8_t type, head *h)
{
    return take_head(&item, h) && h->type == type;
}

bool mb_cbor_is_map(mb_item item)
{
    head h;
    return is(item, MAP, &h);
}

bool mb_cbor_is_null(mb_item item)
{
    head h;
    return is(item, SIMPLE, &h) && h.info == NULL_VALUE;
}

bool mb_cbor_uint(mb_item item, uint64_t *value)
{
    head h;
    if (!is(item, UINT, &h))
        return false;
    *value = h.value;
    return true;
}

bool mb_cbor_bool(mb_item item, bool *value)
{
    head h;
    if (!is(item, SIMPLE, &h) || (h.info != FALSE_VALUE && h.info != TRUE_VALUE))
        return false;
    *value = h.info == TRUE_VALUE;
    return true;
}

static bool string(mb_item item, uint8_t type, const uint8_t **data, size_t *len)
{
    head h;
    if (!take_head(&item, &h) || h.type != type || h.value > left(&item))
        return false;
    *data = item.at;
    *len = (size_t)h.value;
    return true;
}

bool mb_cbor_bytes(mb_item item, const uint8_t **data, size_t *len)
{
    return string(item, BYTES, data, len);
}

bool mb_cbor_text(mb_item item, const char **text, size_t *len)
{
    const uint8_t *data;
    if (!string(item, TEXT, &data, len))
        return false;
    *text = (const char *)data;
    return true;
}

bool mb_text_is(mb_text text, const char *other, size_t len)
{
    for (; len > 0; len--) {
        if (*text == '\0' || *text++ != *other++)
            return false;
    }
    return *text == '\0';
}

bool mb_cbor_find(mb_item map, mb_text key, mb_item *value)
{
    head h;
    if (!take_head(&map, &h) || h.type != MAP)
        return false;
    for (uint64_t i = 0; i < h.value; i++) {
        const char *text;
        size_t len;
        bool found = mb_cbor_text(map, &text, &len) && mb_text_is(key, text, len);
        if (!skip(&map))
            return false;
        if (found) {
            *value = map;
            return true;
        }
        if (!skip(&map))
            return false;
    }
    return false;
}

bool mb_cbor_element(mb_item array, size_t n, size_t i, mb_item *element)
{
    head h;
    if (!take_head(&array, &h) || h.type != ARRAY || h.value != n || i >= n)
        return false;
    for (; i > 0; i--) {
        if (!skip(&array))
            return false;
    }
    *element = array;
    return true;
}
