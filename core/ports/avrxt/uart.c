/*
 * USART3 on PB4 and PB5, where the USB chips of the Nano Every and the Uno WiFi Rev2 listen (Microchip DS40002015, chapter
 * on the USART): what comes waits in a ring; the core sleeps while there is nothing.
 */
#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>

#include "motebench/port.h"

enum { RING = 32 }; /* bytes; what a longer burst loses costs a frame, which its check shows */
enum { SAMPLES = 16, TX_PIN = 4 };

static volatile uint8_t ring[RING], head;
static uint8_t tail;

ISR(USART3_RXC_vect)
{
    const uint8_t byte = USART3_RXDATAL, next = (uint8_t)((head + 1u) % RING);
    if (next != tail) {
        ring[head] = byte;
        head = next;
    }
}

void mb_uart_init(void)
{
    PORTMUX_USARTROUTEA = PORTMUX_USART3_ALT1_gc;
    PORTB_OUTSET = _BV(TX_PIN);
    PORTB_DIRSET = _BV(TX_PIN);
    USART3_BAUD = (uint16_t)((64 * F_CPU + SAMPLES / 2 * MOTEBENCH_BAUD) / (SAMPLES * MOTEBENCH_BAUD));
    USART3_CTRLC = USART_CHSIZE_8BIT_gc;
    USART3_CTRLA = USART_RXCIE_bm;
    USART3_CTRLB = USART_RXEN_bm | USART_TXEN_bm;
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
        while (!(USART3_STATUS & USART_DREIF_bm))
            ;
        USART3_STATUS = USART_TXCIF_bm;
        USART3_TXDATAL = buf[i];
    }
    return true;
}

void mb_uart_drain(void)
{
    while (!(USART3_STATUS & USART_TXCIF_bm))
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
