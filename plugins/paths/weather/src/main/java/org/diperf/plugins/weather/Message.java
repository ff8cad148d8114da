package org.diperf.plugins.weather;

import java.nio.charset.StandardCharsets;

/**
 * A message of NWS 2, whose header is three 32-bit numbers, the highest byte first: version, type and the length of the data that follow.
 * Numbers from {@code messages.h} and NWS's clients in Java.
 *
 * @param type one of the constants
 * @param data not copied; whoever receives it owns it
 */
record Message(int type, byte[] data) {

    static final int VERSION = 0x02000000;

    static final int STORE_STATE = 100;
    static final int STATE_STORED = 101;
    static final int FETCH_STATE = 102;
    static final int STATE_FETCHED = 103;
    static final int MEMORY_FAILED = 199;

    static final int HOST_TEST = 200;
    static final int HOST_TEST_RESULT = 201;
    static final int HOST_FAILED = 299;

    /** NWS's handshake of a bandwidth test: an address that nobody uses, and a port; 0 means the same connection. */
    static final int TCP_HANDSHAKE = 411;

    /** The numbers from here to {@link #CLIQUE_DONE} are our own: the layout of NWS's token is not in the source that was found. */
    static final int CLIQUE_GRANT = 450;

    static final int CLIQUE_GRANTED = 451;
    static final int CLIQUE_REFUSED = 452;
    static final int CLIQUE_RELEASE = 453;
    static final int CLIQUE_OFFER = 454;
    static final int CLIQUE_READY = 455;
    static final int CLIQUE_TOKEN = 456;
    static final int CLIQUE_STOP = 458;
    static final int CLIQUE_DONE = 459;

    static final int ACTIVITY_START = 600;
    static final int ACTIVITY_STARTED = 601;
    static final int ACTIVITY_STOP = 602;
    static final int ACTIVITY_STOPPED = 603;
    static final int SENSOR_FAILED = 699;

    static final int NS_REGISTER = 700;
    static final int NS_REGISTERED = 701;
    static final int NS_SEARCH = 702;
    static final int NS_SEARCHED = 703;
    static final int NS_UNREGISTER = 704;
    static final int NS_UNREGISTERED = 705;
    static final int NS_FAILED = 799;

    static final int TCP_BW_REQ = 800;

    static final int HEADER_BYTES = 3 * Integer.BYTES;

    private static final byte[] NOTHING = {};

    static Message of(int type) {
        return new Message(type, NOTHING);
    }

    /** Makes one whose data are a text and the byte 0 that ends it. */
    static Message of(int type, String text) {
        return new Message(type, terminated(text));
    }

    static byte[] terminated(String text) {
        return (text + "\0").getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Returns the data as a text, up to the first byte 0. */
    String text() {
        return text(data, 0, data.length);
    }

    static String text(byte[] from, int offset, int length) {
        int end = offset;
        while (end < offset + length && from[end] != 0) {
            end++;
        }
        return new String(from, offset, end - offset, StandardCharsets.ISO_8859_1);
    }
}
