/* EAX of LibTomCrypt, which expands the key with the nonce; after block.h. */

/* Room for the two largest blocks that EAX allocates at once; given back when both are. */
static union {
    uint8_t bytes[sizeof(omac_state) + MAXBLOCKSIZE + 2 * sizeof(uint64_t)];
    uint64_t aligned;
} heap;
static size_t heap_used;
static uint8_t heap_blocks;

void *mote_heap_alloc(size_t size)
{
    const size_t whole = (size + sizeof(uint64_t) - 1) / sizeof(uint64_t) * sizeof(uint64_t);
    if (whole > sizeof heap.bytes - heap_used)
        return NULL;
    uint8_t *block = heap.bytes + heap_used;
    heap_used += whole;
    heap_blocks++;
    return block;
}

void mote_heap_free(void *block)
{
    (void)block;
    if (--heap_blocks == 0)
        heap_used = 0;
}

typedef struct eax_job {
    eax_state eax;
    uint8_t key_len, tag_len;
    uint8_t key[MOTE_KEY_MAX];
} eax_job;

#define EAX_KEY(len)                                           \
    static void eax_key_##len(void *state, const uint8_t *key) \
    {                                                          \
        eax_job *s = state;                                    \
        s->key_len = (len);                                    \
        memcpy(s->key, key, len);                              \
    }

static void eax_begin(void *state, const mote_aead_message *message)
{
    eax_job *s = state;
    s->tag_len = message->tag_len;
    check(eax_init(&s->eax, cipher_index(), s->key, s->key_len, message->nonce, message->nonce_len,
                   message->aad, message->aad_len));
}

static void eax_run(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    eax_job *s = state;
    check(eax_encrypt(&s->eax, in, out, len));
}

static void eax_back(void *state, const uint8_t *in, uint8_t *out, size_t len)
{
    eax_job *s = state;
    check(eax_decrypt(&s->eax, in, out, len));
}

static void eax_tag(void *state, uint8_t *tag)
{
    eax_job *s = state;
    unsigned long len = s->tag_len;
    check(eax_done(&s->eax, tag, &len));
}

static const mote_library_aead eax_own = {.late_key = 1};
#define EAX(label, size, len)      \
    {.name = (label),              \
     .key_len = (len),             \
     .nonce_max = UINT8_MAX,       \
     .tag_min = 1,                 \
     .tag_max = (size),            \
     .state_len = sizeof(eax_job), \
     .set_key = eax_key_##len,     \
     .start = eax_begin,           \
     .encrypt = eax_run,           \
     .decrypt = eax_back,          \
     .tag = eax_tag,               \
     .library = &eax_own}
