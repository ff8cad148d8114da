package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A body as it comes: unpacked where it is packed, counted in both sizes, and its first MiB kept where somebody reads it. Confined to one
 * exchange, at whose end it must be closed.
 */
final class KeptBody implements AutoCloseable {

    private static final int MOST_KEPT = 1 << 20;
    /** A body that unpacks to more is a bomb. */
    private static final long MOST_UNPACKED = 256L << 20;

    private static final int PIECE = 8 << 10;

    private final boolean keeps;
    private final ByteArrayOutputStream kept = new ByteArrayOutputStream(0);
    private @Nullable Unpacker unpacker;
    private byte @Nullable [] piece;
    private String encoding = "";
    private long wireBytes;
    private long bytes;
    private @Nullable String fault;

    /** @param keeps whether its text will be read */
    KeptBody(boolean keeps) {
        this.keeps = keeps;
    }

    /** Says what the header says of how it is packed; {@code null}: nothing. */
    void encoding(@Nullable String contentEncoding) {
        encoding = contentEncoding == null ? "" : contentEncoding.strip().toLowerCase(Locale.ROOT);
        switch (encoding) {
            case "gzip", "x-gzip" -> unpacker = new Unpacker(true);
            case "deflate" -> unpacker = new Unpacker(false);
            default -> unpacker = null;
        }
    }

    /** Takes the next bytes, without the framing of chunks; the buffer's position stays. */
    void take(ByteBuf in, int from, int count) {
        wireBytes += count;
        Unpacker open = unpacker;
        if (open == null && !keeps) {
            bytes += count;
            return;
        }
        byte[] copy = piece;
        if (copy == null) {
            copy = new byte[PIECE];
            piece = copy;
        }
        for (int done = 0; done < count && fault == null; done += PIECE) {
            int part = Math.min(PIECE, count - done);
            in.getBytes(from + done, copy, 0, part);
            if (open == null) {
                add(copy, part);
            } else {
                String why = open.take(copy, 0, part, this::add);
                if (why != null) {
                    fault = open.isTooMuch()
                            ? encoding + " body over " + (MOST_UNPACKED >> 20) + " MiB"
                            : encoding + " body " + why;
                }
            }
        }
    }

    private boolean add(byte[] plain, int count) {
        bytes += count;
        if (keeps) {
            kept.write(plain, 0, Math.min(count, MOST_KEPT - kept.size()));
        }
        return bytes <= MOST_UNPACKED || unpacker == null;
    }

    /** Takes the end of a body that came whole. */
    void end() {
        if (unpacker != null && fault == null && wireBytes > 0 && !unpacker.isComplete()) {
            fault = encoding + " body cut off";
        }
        close();
    }

    /** Says why it could not be unpacked, as a failure kind; {@code null} when it could. */
    @Nullable
    String fault() {
        return fault == null ? null : "bad response: " + fault;
    }

    /** Counts its bytes as they came. */
    long wireBytes() {
        return wireBytes;
    }

    /** Counts its bytes once unpacked. */
    long bytes() {
        return bytes;
    }

    String text() {
        return kept.toString(StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        if (unpacker != null) {
            unpacker.close();
        }
    }
}
