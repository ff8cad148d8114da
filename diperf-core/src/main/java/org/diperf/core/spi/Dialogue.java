package org.diperf.core.spi;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/**
 * What is said in one call, kept for people who look at single calls: of each stretch in one direction the begin, and of all
 * stretches the last ones, a few KB in all. Bytes are copied, nothing is allocated, so a client adds what it sends and
 * receives as it does so; the framework forgets it when the client's next call begins, but for the few calls that it shows.
 *
 * <p>For one thread at a time. The framework may read it while that thread adds to it, as when a call times out; what is
 * shown may then be torn.
 */
public interface Dialogue {

    /**
     * Adds bytes that were sent to the service.
     *
     * @param from index of the first one
     * @param length how many
     */
    void sent(byte[] bytes, int from, int length);

    /** Adds all bytes that were sent to the service. */
    default void sent(byte[] bytes) {
        sent(bytes, 0, bytes.length);
    }

    /** Adds the remaining bytes, which were sent to the service; the buffer's position stays. */
    void sent(ByteBuffer bytes);

    /**
     * Adds bytes that the service sent.
     *
     * @param from index of the first one
     * @param length how many
     */
    void received(byte[] bytes, int from, int length);

    /** Adds all bytes, which the service sent. */
    default void received(byte[] bytes) {
        received(bytes, 0, bytes.length);
    }

    /** Adds the remaining bytes, which the service sent; the buffer's position stays. */
    void received(ByteBuffer bytes);

    /**
     * Adds a remark of the client, such as why a certificate was refused. Texts cost memory: for what goes wrong, not for
     * every call.
     *
     * @param text one line or a few
     */
    void note(String text);

    /** Returns bytes as text: what UTF-8 says, with a middle dot for what is no text. */
    static String text(byte[] bytes) {
        CharsetDecoder decoder = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE)
                .onUnmappableCharacter(CodingErrorAction.REPLACE)
                .replaceWith("\u00b7");
        CharBuffer decoded = CharBuffer.allocate(bytes.length + 1);
        decoder.decode(ByteBuffer.wrap(bytes).order(ByteOrder.BIG_ENDIAN), decoded, true);
        StringBuilder text = new StringBuilder(bytes.length);
        for (char c : decoded.flip().toString().toCharArray()) {
            boolean isText = c == '\n' || c == '\r' || c == '\t' || !Character.isISOControl(c);
            text.append(isText ? c : '\u00b7');
        }
        return text.toString();
    }
}
