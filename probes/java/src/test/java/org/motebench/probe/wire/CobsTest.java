package org.motebench.probe.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class CobsTest {
    private static byte[] bytes(String hex) {
        return HexFormat.of().parseHex(hex);
    }

    private static byte[] encode(byte[] data) {
        byte[] out = new byte[Cobs.encodedBound(data.length)];
        return Arrays.copyOf(out, Cobs.encode(data, data.length, out, 0));
    }

    private static byte[] decode(byte[] stuffed) {
        byte[] data = stuffed.clone();
        int length = Cobs.decode(data, data.length);
        return length < 0 ? null : Arrays.copyOf(data, length);
    }

    /** The examples of Cheshire and Baker's paper that are in wide use. */
    @ParameterizedTest
    @CsvSource({"00,0101", "0000,010101", "001100,01021101", "11220033,0311220233", "11223344,0511223344",
        "11000000,0211010101"})
    void publishedExamples(String plain, String stuffed) {
        assertArrayEquals(bytes(stuffed), encode(bytes(plain)));
        assertArrayEquals(bytes(plain), decode(bytes(stuffed)));
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 253, 254, 255, 256, 507, 508, 509, 70_000})
    void comesBackAndHasNoZero(int length) {
        for (int kind = 0; kind < 3; kind++) {
            byte[] data = new byte[length];
            if (kind == 1) {
                Arrays.fill(data, (byte) 7);
            } else if (kind == 2) {
                new Random(length).nextBytes(data);
            }
            byte[] stuffed = encode(data);
            for (byte each : stuffed) {
                assertNotEquals(0, each);
            }
            assertArrayEquals(data, decode(stuffed));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"00", "0300", "051122", "02110000", "FF01"})
    void damagedIsNoData(String stuffed) {
        assertNull(decode(bytes(stuffed)));
    }

    @Test
    void noInputMakesItFail() {
        Random random = new Random(1);
        for (int i = 0; i < 20_000; i++) {
            byte[] data = new byte[random.nextInt(40)];
            random.nextBytes(data);
            int length = Cobs.decode(data, data.length);
            assertTrue(length >= -1 && length <= data.length);
        }
    }
}
