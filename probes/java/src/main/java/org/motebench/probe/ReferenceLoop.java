package org.motebench.probe;

/**
 * The reference loop: always the same integer operations, about 15 microseconds once it is compiled. Its time says how fast
 * the machine is right now, and nothing else. The work is that of the C probe's loop.
 */
final class ReferenceLoop {
    private static final int STEPS = 8000;
    /** Calls until the compiler has taken its code. */
    private static final int WARM = 500;

    private int seed = 1;
    private boolean warm;

    /** Nanoseconds of the loop now. */
    long time() {
        if (!warm) {
            for (int i = 0; i < WARM; i++) {
                run();
            }
            warm = true;
        }
        long begin = System.nanoTime();
        run();
        return System.nanoTime() - begin;
    }

    private static int xorshift(int state) {
        int next = state;
        next ^= next << 13;
        next ^= next >>> 17;
        return next ^ next << 5;
    }

    private void run() {
        int a = seed;
        int b = a ^ 0x9E3779B9;
        for (int i = 0; i < STEPS; i++) {
            a = xorshift(a);
            b = xorshift(b);
        }
        seed = a ^ b;
    }
}
