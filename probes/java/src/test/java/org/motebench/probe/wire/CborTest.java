package org.motebench.probe.wire;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.math.BigInteger;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Examples are those of RFC 8949, appendix A, as the value of a map's only key "a". */
final class CborTest {
    private static final String HEAD = "A16161";

    private static Object read(String item) throws CborReader.Malformed {
        byte[] data = HexFormat.of().parseHex(HEAD + item);
        return CborReader.map(data, data.length).get("a");
    }

    private static String written(Object value) {
        return HexFormat.of().withUpperCase().formatHex(CborWriter.bytes(Map.of("a", value))).substring(HEAD.length());
    }

    @ParameterizedTest
    @CsvSource({"00,0", "17,23", "1818,24", "1864,100", "1903E8,1000", "1A000F4240,1000000",
        "1B000000E8D4A51000,1000000000000", "20,-1", "29,-10", "3863,-100", "3903E7,-1000"})
    void integersBothWays(String hex, long value) throws Exception {
        assertEquals(value, read(hex));
        assertEquals(hex, written(value));
    }

    @Test
    void integersBeyondLong() throws Exception {
        assertEquals(new BigInteger("18446744073709551615"), read("1BFFFFFFFFFFFFFFFF"));
        assertEquals(new BigInteger("-18446744073709551616"), read("3BFFFFFFFFFFFFFFFF"));
        assertEquals(Long.MIN_VALUE, read("3B7FFFFFFFFFFFFFFF"));
    }

    @Test
    void otherItemsBothWays() throws Exception {
        assertArrayEquals(new byte[] {1, 2, 3, 4}, (byte[]) read("4401020304"));
        assertEquals("4401020304", written(new byte[] {1, 2, 3, 4}));
        assertEquals("\u00fc", read("62C3BC"));
        assertEquals("62C3BC", written("\u00fc"));
        assertEquals(List.of(1L, 2L, 3L), read("83010203"));
        assertEquals("83010203", written(new long[] {1, 2, 3}));
        assertEquals("83010203", written(List.of(1, 2, 3)));
        assertEquals(Map.of("b", 2L), read("A1616202"));
        assertEquals(1.1, read("FB3FF199999999999A"));
        assertEquals("FB3FF199999999999A", written(1.1));
        assertEquals(100000.0, read("FA47C35000"));
        assertEquals(Boolean.TRUE, read("F5"));
        assertEquals("F4", written(false));
        assertEquals(null, read("F6"));
        Map<String, Object> none = new LinkedHashMap<>();
        none.put("a", null);
        assertEquals("F6", HexFormat.of().withUpperCase().formatHex(CborWriter.bytes(none)).substring(HEAD.length()));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", // nothing where a value should be
        "18", // a head without its argument
        "5A7FFFFFFF00", // a length beyond the frame
        "5BFFFFFFFFFFFFFFFF", // a length beyond any memory
        "9AFFFFFFFF", // an array of four billion items in no bytes
        "BA7FFFFFFF", // the same of a map
        "9BFFFFFFFFFFFFFFFF", "5F4100FF", "9FFF", // indefinite lengths
        "C000", // a tag
        "F7", "F97C00", "FC", // simple values and a float that the protocol does not have
        "61FF", // text that is not UTF-8
        "A10102", // a key that is not text
        "A2616201616202", // a key twice
        "0000", // bytes after the item
        "8181818181818181818181", // nested too deep
    })
    void whatTheProtocolDoesNotHave(String item) {
        assertThrows(CborReader.Malformed.class, () -> read(item));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "00", "80", "60", "FF"})
    void onlyMapsAreMessages(String hex) {
        byte[] data = HexFormat.of().parseHex(hex);
        assertThrows(CborReader.Malformed.class, () -> CborReader.map(data, data.length));
    }

    @Test
    void noInputMakesItFailOtherwise() {
        Random random = new Random(2);
        byte[] message = CborWriter.bytes(Map.of("a", List.of(1L, Map.of("b", new byte[9])), "c", "text", "d", 1.5));
        for (int i = 0; i < 20_000; i++) {
            byte[] data = message.clone();
            data[random.nextInt(data.length)] = (byte) random.nextInt();
            byte[] cut = Arrays.copyOf(data, random.nextInt(data.length + 1));
            try {
                assertTrue(CborReader.map(cut, cut.length).size() <= 3);
            } catch (CborReader.Malformed expected) {
                assertTrue(!expected.getMessage().isEmpty());
            }
        }
    }
}
