package org.motebench.probe.wire;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class FramesTest {
    private static final Map<String, Object> MESSAGE = Map.of("id", 7L, "do", "hello");

    private static byte[] frame() {
        return Frames.encode(Frames.payload(MESSAGE));
    }

    private static Frames over(byte[]... pieces) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (byte[] piece : pieces) {
            all.writeBytes(piece);
        }
        return new Frames(new ByteArrayInputStream(all.toByteArray()), new ByteArrayOutputStream());
    }

    /** The check value of CRC-16/IBM-3740 in every catalogue of CRCs. */
    @Test
    void checkValue() {
        byte[] digits = "123456789".getBytes(StandardCharsets.US_ASCII);
        assertEquals(0x29B1, Crc16.of(digits, digits.length));
        assertEquals(0xFFFF, Crc16.of(digits, 0));
    }

    @Test
    void whatIsSentComesBack() throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        new Frames(new ByteArrayInputStream(new byte[0]), out).send(Frames.payload(MESSAGE));
        byte[] sent = out.toByteArray();
        assertEquals(0, sent[0]);
        assertEquals(0, sent[sent.length - 1]);
        assertEquals(MESSAGE, over(sent).receive());
    }

    @Test
    void theEndOfTheStreamIsTheEnd() throws IOException {
        assertNull(over().receive());
        assertNull(over(new byte[] {0, 5, 6}).receive());
    }

    @Test
    void emptyFramesMeanNothing() throws IOException {
        Frames frames = over(new byte[9], frame(), new byte[9], frame());
        assertEquals(MESSAGE, frames.receive());
        assertEquals(MESSAGE, frames.receive());
        assertNull(frames.receive());
    }

    @Test
    void noDamagedBitIsOverlooked() throws IOException {
        byte[] whole = frame();
        for (int bit = 8; bit < 8 * (whole.length - 1); bit++) {
            byte[] damaged = whole.clone();
            damaged[bit / 8] ^= (byte) (1 << bit % 8);
            Frames frames = over(damaged, whole);
            assertEquals(MESSAGE, frames.receive());
            assertNull(frames.receive(), "the damaged frame was taken, bit " + bit);
        }
    }

    @Test
    void lostAndForeignBytesAreSurvived() throws IOException {
        byte[] whole = frame();
        Random random = new Random(3);
        for (int i = 0; i < 2_000; i++) {
            byte[] noise = new byte[random.nextInt(300)];
            random.nextBytes(noise);
            int lost = 1 + random.nextInt(whole.length - 2);
            byte[] cut = new byte[whole.length - 1];
            System.arraycopy(whole, 0, cut, 0, lost);
            System.arraycopy(whole, lost + 1, cut, lost, cut.length - lost);
            assertEquals(MESSAGE, over(cut, noise, whole).receive());
        }
    }

    @Test
    void tooLongAFrameIsDroppedAndTheNextIsRead() throws IOException {
        byte[] noise = new byte[3 * Frames.MAX_FRAME];
        Arrays.fill(noise, (byte) 1);
        assertEquals(MESSAGE, over(noise, frame()).receive());
    }

    @Test
    void theLongestFrameFitsAndNoLonger() throws IOException {
        int head = Frames.payload(Map.of("d", new byte[Frames.MAX_FRAME / 2])).length - Frames.MAX_FRAME / 2;
        byte[] longest = Frames.payload(Map.of("d", new byte[Frames.MAX_FRAME - 2 - head]));
        assertTrue(Frames.fits(longest));
        assertEquals(1, over(Frames.encode(longest)).receive().size());
        byte[] longer = Frames.payload(Map.of("d", new byte[Frames.MAX_FRAME - 1 - head]));
        assertFalse(Frames.fits(longer));
        assertNull(over(Frames.encode(longer)).receive());
    }
}
