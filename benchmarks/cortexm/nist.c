/*
 * Cycles of a folder of NIST's benchmark on an Arduino Due, without interrupts: one call of each
 * size, twice, of which the second counts. A line each: "enc(AAD:MESSAGE) CYCLES", "dec(...)" or
 * "h(MESSAGE)", named as the columns of the published table.
 */
#include <stddef.h>
#include <stdint.h>

#define REGISTER(address) (*(volatile uint32_t *)(address))
#define SYST_CVR REGISTER(0xE000E018)

#ifdef HASH
int crypto_hash(unsigned char *out, const unsigned char *in, unsigned long long length);
#else
int crypto_aead_encrypt(unsigned char *c, unsigned long long *clen, const unsigned char *m,
                        unsigned long long mlen, const unsigned char *ad, unsigned long long adlen,
                        const unsigned char *nsec, const unsigned char *npub,
                        const unsigned char *k);
int crypto_aead_decrypt(unsigned char *m, unsigned long long *mlen, unsigned char *nsec,
                        const unsigned char *c, unsigned long long clen, const unsigned char *ad,
                        unsigned long long adlen, const unsigned char *npub,
                        const unsigned char *k);
#endif

extern uint8_t data_begin[], data_end[], data_image[], bss_begin[], bss_end[], stack_top[];
void begin(void);

enum { UART_CR = 0x400E0800, UART_SR = 0x400E0814, UART_THR = 0x400E081C, TXRDY = 2, ON = 0x50 };
enum { LONGEST = 512, CALLS = 2, WAITS = 4 << 8 };
enum { TAG = 64, SECRETS = 32, LAST_TICK = 0xffffff };

__attribute__((section(".vectors"), used)) void *const vectors[64] = {stack_top, begin};

static uint8_t message[LONGEST + TAG], sealed[LONGEST + TAG], data[LONGEST], key[SECRETS],
    nonce[SECRETS];

static void set_up(void)
{
    REGISTER(0x400E0A00) = WAITS; /* both planes, as the Arduino core sets them */
    REGISTER(0x400E0C00) = WAITS;
    REGISTER(UART_CR) = ON;
}

static void send(char byte)
{
    while ((REGISTER(UART_SR) & TXRDY) == 0)
        ;
    REGISTER(UART_THR) = (uint8_t)byte;
}

static void put(const char *text)
{
    while (*text != '\0')
        send(*text++);
}

static void put_number(uint32_t value)
{
    char digits[12], *first = digits + sizeof digits - 1;
    *first = '\0';
    do {
        *--first = (char)('0' + value % 10);
        value /= 10;
    } while (value != 0);
    put(first);
}

static void fill(uint8_t *bytes, size_t length)
{
    for (size_t i = 0; i < length; i++)
        bytes[i] = (uint8_t)i;
}

static void line(const char *name, uint32_t aad, uint32_t size, uint32_t cycles)
{
    put(name);
#ifdef HASH
    (void)aad;
#else
    put_number(aad);
    put(":");
#endif
    put_number(size);
    put(") ");
    put_number(cycles);
    put("\n");
}

#ifdef HASH
static const uint16_t sizes[] = {
    0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80, 88, 96, 104, 112, 120, 128, 256, 384, 512};

static void work(void)
{
    for (size_t i = 0; i < CALLS * sizeof sizes / sizeof sizes[0]; i++) {
        const uint32_t size = sizes[i / CALLS];
        fill(message, sizeof message);
        const uint32_t before = SYST_CVR;
        (void)crypto_hash(sealed, message, size);
        const uint32_t cycles = (before - SYST_CVR) & LAST_TICK;
        if (i % CALLS == CALLS - 1)
            line("h(", 0, size, cycles);
    }
}
#else
static const uint16_t sizes[] = {0, 8, 16, 32, 64, 128, 256, 384, 512};

static void one(uint32_t aad, uint32_t size)
{
    unsigned long long length = 0, opened = 0;
    uint32_t taken = 0, back = 0;
    int refused = 0;
    for (int i = 0; i < CALLS; i++) {
        fill(message, sizeof message);
        fill(data, sizeof data);
        fill(key, sizeof key);
        fill(nonce, sizeof nonce);
        uint32_t before = SYST_CVR;
        (void)crypto_aead_encrypt(sealed, &length, message, size, data, aad, NULL, nonce, key);
        taken = (before - SYST_CVR) & LAST_TICK;
        before = SYST_CVR;
        refused =
            crypto_aead_decrypt(message, &opened, NULL, sealed, length, data, aad, nonce, key);
        back = (before - SYST_CVR) & LAST_TICK;
    }
    if (refused != 0)
        return;
    line("enc(", aad, size, taken);
    line("dec(", aad, size, back);
}

static void work(void)
{
    enum { SHORT = 6 }; /* sizes that are combined with each other */
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        for (size_t j = 0; j < sizeof sizes / sizeof sizes[0]; j++) {
            if ((i < SHORT && j < SHORT) || i == 0 || j == 0)
                one(sizes[i], sizes[j]);
        }
    }
}
#endif

void begin(void)
{
    set_up();
    for (uint8_t *to = data_begin, *from = data_image; to < data_end;)
        *to++ = *from++;
    for (uint8_t *to = bss_begin; to < bss_end;)
        *to++ = 0;
    REGISTER(0xE000E014) = LAST_TICK; /* SysTick, by the core's clock, without interrupts */
    SYST_CVR = 0;
    REGISTER(0xE000E010) = 5;
    work();
    for (;;) /* nothing ends it: the simulator reports a lock-up */
        __asm__ volatile("cpsid i\n\twfi");
}
