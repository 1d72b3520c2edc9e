/*
 * USART0 (ATmega2560 data sheet 2549, chapter 22; ATmega328P DS40002061, chapter 20): what comes
 * waits in a ring; the core sleeps while there is nothing.
 */
#include "uart.h"

#include <avr/interrupt.h>
#include <avr/io.h>
#include <avr/sleep.h>

#include "motebench/port.h"

enum { RING = 32 }; /* bytes; what a longer burst loses costs a frame, which its check shows */

static volatile uint8_t ring[RING], head;
static uint8_t tail;

#ifdef USART0_RX_vect
#define RECEIVED USART0_RX_vect
#else
#define RECEIVED USART_RX_vect /* parts with one of them do not number it */
#endif

ISR(RECEIVED)
{
    const uint8_t byte = UDR0, next = (uint8_t)((head + 1u) % RING);
    if (next != tail) {
        ring[head] = byte;
        head = next;
    }
}

void mb_uart_init(void)
{
    UBRR0 = (uint16_t)((F_CPU + 4 * MOTEBENCH_BAUD) / (8 * MOTEBENCH_BAUD) - 1);
    UCSR0A = _BV(U2X0);
    UCSR0C = _BV(UCSZ01) | _BV(UCSZ00);
    UCSR0B = _BV(RXEN0) | _BV(TXEN0) | _BV(RXCIE0);
    set_sleep_mode(SLEEP_MODE_IDLE);
    sei();
}

size_t mb_port_read(uint8_t *buf, size_t cap)
{
    size_t n = 0;
    cli();
    while (head == tail) {
        sleep_enable();
        sei(); /* takes effect behind the next instruction: no byte can come in between */
        sleep_cpu();
        sleep_disable();
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
        while (!(UCSR0A & _BV(UDRE0)))
            ;
        UCSR0A |= _BV(TXC0);
        UDR0 = buf[i];
    }
    return true;
}

void mb_uart_drain(void)
{
    while (!(UCSR0A & _BV(TXC0)))
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
