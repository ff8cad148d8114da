package org.diperf.plugins.iperf;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/**
 * Cuts what comes over a control connection into its messages: states, errors, and texts of JSON where one is due. Confined to
 * its event loop.
 */
final class ControlReader {

    private static final int LENGTH_BYTES = 4;
    private static final int ERROR_BYTES = 8;

    /** Takes messages; what it does may make a text due. */
    interface Messages {

        void state(byte state) throws MalformedMessageException;

        void json(String text) throws MalformedMessageException;

        /** @param number why the server ends the test, as {@link ServerErrors} has them */
        void error(int number) throws MalformedMessageException;
    }

    private enum Due {
        STATE,
        ERROR,
        LENGTH,
        TEXT
    }

    private final Messages messages;
    private final ByteArrayOutputStream held = new ByteArrayOutputStream();
    private Due due = Due.STATE;
    private int wanted = 1;
    private int mostBytes;
    private boolean over;

    ControlReader(Messages messages) {
        this.messages = messages;
    }

    /** Says that a text comes next; only between messages. */
    void expectJson(int most) {
        due = Due.LENGTH;
        wanted = LENGTH_BYTES;
        mostBytes = most;
    }

    /** Gives nothing more on. */
    void stop() {
        over = true;
    }

    /**
     * Reads all that has come; what is incomplete is kept.
     *
     * @throws MalformedMessageException when it is no message that is due
     */
    void read(ByteBuf in) throws MalformedMessageException {
        while (in.isReadable() && !over) {
            int count = Math.min(in.readableBytes(), wanted - held.size());
            byte[] part = new byte[count];
            in.readBytes(part);
            held.write(part, 0, count);
            if (held.size() == wanted) {
                byte[] whole = held.toByteArray();
                held.reset();
                take(whole);
            }
        }
    }

    private void take(byte[] whole) throws MalformedMessageException {
        Due taken = due;
        due = Due.STATE;
        wanted = 1;
        switch (taken) {
            case STATE -> {
                if (whole[0] == State.SERVER_ERROR) {
                    due = Due.ERROR;
                    wanted = ERROR_BYTES;
                } else {
                    messages.state(whole[0]);
                }
            }
            case ERROR -> messages.error(number(whole));
            case LENGTH -> {
                int length = number(whole);
                if (length < 1 || length > mostBytes) {
                    throw new MalformedMessageException("malformed text length");
                }
                due = Due.TEXT;
                wanted = length;
            }
            default -> messages.json(new String(whole, StandardCharsets.UTF_8));
        }
    }

    private static int number(byte[] bytes) {
        return (bytes[0] & 0xff) << 24 | (bytes[1] & 0xff) << 16 | (bytes[2] & 0xff) << 8 | bytes[3] & 0xff;
    }

    /** Frames a text. */
    static ByteBuf frame(ByteBuf out, String json) {
        byte[] text = json.getBytes(StandardCharsets.UTF_8);
        return out.writeInt(text.length).writeBytes(text);
    }
}
