package org.motebench.probe.wire;

/** CRC-16/IBM-3740: polynomial 0x1021, initial value 0xFFFF, not reflected, no final xor. */
final class Crc16 {
    private static final int[] TABLE = table();

    private Crc16() {}

    private static int[] table() {
        int[] table = new int[256];
        for (int i = 0; i < table.length; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? crc << 1 ^ 0x1021 : crc << 1;
            }
            table[i] = crc & 0xFFFF;
        }
        return table;
    }

    static int of(byte[] data, int length) {
        int crc = 0xFFFF;
        for (int i = 0; i < length; i++) {
            crc = (crc << 8 ^ TABLE[(crc >> 8 ^ data[i]) & 0xFF]) & 0xFFFF;
        }
        return crc;
    }
}
