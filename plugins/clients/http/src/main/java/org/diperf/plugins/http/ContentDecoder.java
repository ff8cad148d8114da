package org.diperf.plugins.http;

import java.util.zip.CRC32;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/**
 * Unpacks a body of {@code gzip} (RFC 1952, also of several members) or {@code deflate} (RFC 1950, or the bare RFC 1951 that some servers
 * send) as its bytes come, with a buffer of fixed size. Holds native memory until it is closed. Confined to one exchange.
 */
final class ContentDecoder implements AutoCloseable {

    /** Takes what was unpacked. */
    interface Out {

        /**
         * Takes the next bytes.
         *
         * @param bytes used again for those behind
         * @return whether there may be more
         */
        boolean take(byte[] bytes, int count);
    }

    private static final int BUFFER = 8 << 10;
    private static final int FLAG_HEADER_CRC = 2;
    private static final int FLAG_EXTRA = 4;
    private static final int FLAG_NAME = 8;
    private static final int FLAG_COMMENT = 16;

    private enum State {
        /** The ten bytes with which a member of gzip begins. */
        HEADER,
        EXTRA_LENGTH,
        EXTRA,
        NAME,
        COMMENT,
        HEADER_CRC,
        /** The first byte of deflate, which says which kind it is. */
        FIRST,
        DATA,
        TRAILER,
        END
    }

    private final boolean gzip;
    private final byte[] buffer = new byte[BUFFER];
    private final byte[] fixed = new byte[10];
    private final CRC32 crc = new CRC32();
    private State state;
    private @Nullable Inflater inflater;
    private int have;
    private int flags;
    private int extra;
    private boolean tooMuch;
    private @Nullable String fault;

    /** @param gzip else deflate */
    ContentDecoder(boolean gzip) {
        this.gzip = gzip;
        this.state = gzip ? State.HEADER : State.FIRST;
    }

    /**
     * Takes the next packed bytes.
     *
     * @return why they cannot be unpacked; {@code null}: they can
     */
    @Nullable
    String take(byte[] in, int from, int count, Out out) {
        int at = from;
        int end = from + count;
        while (at < end && fault == null && state != State.END) {
            at = state == State.DATA ? inflate(in, at, end, out) : frame(in, at);
        }
        return fault;
    }

    /** Returns whether the body was whole. */
    boolean isComplete() {
        return state == State.END || (gzip && state == State.HEADER && have == 0 && inflater != null);
    }

    private int inflate(byte[] in, int at, int end, Out out) {
        Inflater open = inflater;
        if (open == null) {
            throw new IllegalStateException("No member has started");
        }
        open.setInput(in, at, end - at);
        try {
            while (!open.finished()) {
                int made = open.inflate(buffer);
                if (made == 0 && !open.finished() && (open.needsInput() || open.needsDictionary())) {
                    fault = open.needsDictionary() ? "needs a dictionary" : null;
                    return end;
                }
                crc.update(buffer, 0, made);
                if (!out.take(buffer, made)) {
                    tooMuch = true;
                    fault = "too much";
                    return end;
                }
            }
        } catch (DataFormatException e) {
            fault = "damaged";
            return end;
        }
        state = gzip ? State.TRAILER : State.END;
        have = 0;
        return end - open.getRemaining();
    }

    /** Takes one byte of what is around the data; returns the place of the next one. */
    private int frame(byte[] in, int at) {
        int octet = in[at] & 0xff;
        switch (state) {
            case HEADER -> header(in[at]);
            case EXTRA_LENGTH -> {
                extra |= octet << (8 * have++);
                if (have == 2) {
                    have = 0;
                    afterField(extra == 0 ? FLAG_EXTRA : 0, extra == 0 ? null : State.EXTRA);
                }
            }
            case EXTRA -> {
                if (--extra == 0) {
                    afterField(FLAG_EXTRA, null);
                }
            }
            case NAME -> {
                if (octet == 0) {
                    afterField(FLAG_NAME, null);
                }
            }
            case COMMENT -> {
                if (octet == 0) {
                    afterField(FLAG_COMMENT, null);
                }
            }
            case HEADER_CRC -> {
                if (++have == 2) {
                    have = 0;
                    afterField(FLAG_HEADER_CRC, null);
                }
            }
            case FIRST -> {
                // A zlib header names the method 8 in its low bits and a window of at most 32 KiB in the others.
                boolean zlib = (octet & 0x0f) == 8 && octet >> 4 <= 7;
                begin(!zlib);
                return at;
            }
            case TRAILER -> trailer(in[at]);
            default -> throw new IllegalStateException("Unexpected byte in state " + state);
        }
        return at + 1;
    }

    private void header(byte octet) {
        fixed[have++] = octet;
        boolean good = have == 1 ? octet == 0x1f : have == 2 ? octet == (byte) 0x8b : have != 3 || octet == 8;
        if (!good) {
            fault = "not gzip";
        } else if (have == fixed.length) {
            flags = fixed[3];
            have = 0;
            extra = 0;
            afterField(0, null);
        }
    }

    /** Goes on behind a field of the header. */
    private void afterField(int done, @Nullable State next) {
        flags &= ~done;
        if (next != null) {
            state = next;
        } else if ((flags & FLAG_EXTRA) != 0) {
            state = State.EXTRA_LENGTH;
        } else if ((flags & FLAG_NAME) != 0) {
            state = State.NAME;
        } else if ((flags & FLAG_COMMENT) != 0) {
            state = State.COMMENT;
        } else if ((flags & FLAG_HEADER_CRC) != 0) {
            state = State.HEADER_CRC;
        } else {
            begin(true);
        }
    }

    private void begin(boolean bare) {
        Inflater open = inflater;
        if (open == null) {
            inflater = new Inflater(bare);
        } else {
            open.reset();
        }
        crc.reset();
        state = State.DATA;
    }

    private void trailer(byte octet) {
        fixed[have++] = octet;
        if (have < 8) {
            return;
        }
        have = 0;
        Inflater open = inflater;
        boolean same = word(0) == crc.getValue() && open != null && word(4) == (open.getBytesWritten() & 0xffffffffL);
        fault = same ? null : "damaged";
        state = State.HEADER;
    }

    private long word(int at) {
        return (fixed[at] & 0xffL)
                | (fixed[at + 1] & 0xffL) << 8
                | (fixed[at + 2] & 0xffL) << 16
                | (fixed[at + 3] & 0xffL) << 24;
    }

    /** Returns whether it ended because what it unpacks to is too large. */
    boolean isTooMuch() {
        return tooMuch;
    }

    @Override
    public void close() {
        Inflater open = inflater;
        if (open != null) {
            open.end();
        }
    }
}
