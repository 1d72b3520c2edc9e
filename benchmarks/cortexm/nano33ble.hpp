/*
 * What NIST's benchmark needs of an Arduino Nano 33 BLE: a serial port and the cycle counter. It is
 * included before each of its sources, and ``nano33ble.cpp`` starts it on a bare nRF52840.
 */
#ifndef NANO33BLE_HPP
#define NANO33BLE_HPP

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/** The serial port, Arduino's `Serial`. */
struct Port {
    void print(char text);
    void print(const char *text);
    void print(int value);
    void print(unsigned value);
    void print(unsigned long value);
    void println();
};
extern Port Serial;

struct Debug { volatile uint32_t others[3], DEMCR; };
struct Counter { volatile uint32_t CTRL, CYCCNT; };

/* Cortex-M4's registers, ARM DDI 0403E, C1.6.5 and C1.8.7. */
#define CoreDebug (reinterpret_cast<Debug *>(0xE000EDF0))
#define DWT (reinterpret_cast<Counter *>(0xE0001000))

static inline void __disable_irq()
{
    __asm__ volatile("cpsid i" ::: "memory");
}

static inline void __enable_irq()
{
    __asm__ volatile("cpsie i" ::: "memory");
}

static inline void delay(int) {}
static inline unsigned long micros()
{
    return 0;
}

#endif
