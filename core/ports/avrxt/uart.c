/*
 * The USART of the firmware (chip.h; Microchip DS40002015, chapter on the USART): what comes waits
 * in a ring; the core sleeps while there is nothing.
 */
#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "chip.h"
#include "motebench/port.h"

enum { RING = 32 }; /* bytes; what a longer burst loses costs a frame, which its check shows */
enum { SAMPLES = 16 };
#define VECTOR_(number) _VECTOR(number)

static volatile uint8_t ring[RING], head;
static uint8_t tail;

ISR(VECTOR_(MB_RECEIVED))
{
    const uint8_t byte = MB_USART(RXDATAL), next = (uint8_t)((head + 1u) % RING);
    if (next != tail) {
        ring[head] = byte;
        head = next;
    }
}

void mb_uart_init(void)
{
    mb_chip_pins();
    MB_USART(BAUD) = mb_chip_baud(
        (uint16_t)((64 * F_CPU + SAMPLES / 2 * MOTEBENCH_BAUD) / (SAMPLES * MOTEBENCH_BAUD)));
    MB_USART(CTRLC) = USART_CHSIZE_8BIT_gc;
    MB_USART(CTRLA) = USART_RXCIE_bm;
    MB_USART(CTRLB) = USART_RXEN_bm | USART_TXEN_bm;
    SLPCTRL_CTRLA = SLPCTRL_SEN_bm; /* idle */
    sei();
}

size_t mb_port_read(uint8_t *buf, size_t cap)
{
    size_t n = 0;
    cli();
    while (head == tail) {
        sei(); /* takes effect behind the next instruction: no byte can come in between */
        __asm__ volatile("sleep" ::: "memory");
        cli();
    }
    sei();
    while (n < cap && head != tail) {
        buf[n++] = ring[tail];
        tail = (uint8_t)((tail + 1u) % RING);
    }
    return n;
}

bool mb_port_write(const uint8_t *buf, size_t len)
{
    for (size_t i = 0; i < len; i++) {
        while (!(MB_USART(STATUS) & USART_DREIF_bm))
            ;
        MB_USART(STATUS) = USART_TXCIF_bm;
        MB_USART(TXDATAL) = buf[i];
    }
    return true;
}

void mb_uart_drain(void)
{
    while (!(MB_USART(STATUS) & USART_TXCIF_bm))
        ;
}

bool mb_port_flush(void)
{
    return true;
}

void mb_port_quiet(bool quiet)
{
    if (quiet)
        cli();
    else
        sei();
}
