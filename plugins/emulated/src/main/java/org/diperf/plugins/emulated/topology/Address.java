package org.diperf.plugins.emulated.topology;

/** IP addresses of version 4 as numbers, the first byte in the highest bits. */
public final class Address {

    private static final String BYTE = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])";

    private Address() {}

    /**
     * Parses four numbers with dots.
     *
     * @throws IllegalArgumentException if it is no address
     */
    public static int parse(String text) {
        if (!text.matches(BYTE + "(\\." + BYTE + "){3}")) {
            throw new IllegalArgumentException("expected an address such as 10.99.0.1, got '" + text + "'");
        }
        int address = 0;
        for (String part : text.split("\\.")) {
            address = address << 8 | Integer.parseInt(part);
        }
        return address;
    }

    public static String format(int address) {
        return (address >>> 24) + "." + (address >>> 16 & 255) + "." + (address >>> 8 & 255) + "." + (address & 255);
    }

    /** Returns whether an address begins with so many bits of another. */
    public static boolean isWithin(int address, int net, int bits) {
        return bits == 0 || (address ^ net) >>> 32 - bits == 0;
    }
}
