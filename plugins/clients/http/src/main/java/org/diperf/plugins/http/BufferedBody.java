package org.diperf.plugins.http;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Memory;
import org.jspecify.annotations.Nullable;

/**
 * A body as it comes: unpacked where it is packed, counted in both sizes, and its first MiB kept where somebody reads it. Confined to one
 * exchange, at whose end it must be closed, and forgotten when nobody reads it any more.
 */
final class BufferedBody implements AutoCloseable {

    private static final int MAX_KEPT = 1 << 20;
    /** A body that unpacks to more is a bomb. */
    private static final long MAX_UNPACKED = 256L << 20;

    private static final int PIECE = 8 << 10;
    /** What unpacking takes: zlib's window and tables, and the buffers around them. */
    private static final int UNPACKER_BYTES = 64 << 10;

    private final boolean keeps;
    private final Memory memory;
    private long counted;
    private boolean full;
    private byte[] kept = {};
    private int keptBytes;
    /** The same as text, once it was asked for. */
    private @Nullable String text;

    private @Nullable ContentDecoder unpacker;
    private byte @Nullable [] piece;
    private String encoding = "";
    private long wireBytes;
    private long bytes;
    private @Nullable String fault;

    /**
     * @param keeps whether its text will be read
     * @param memory counts what it takes
     */
    BufferedBody(boolean keeps, Memory memory) {
        this.keeps = keeps;
        this.memory = memory;
    }

    /** Takes more memory into account; where none is left, the call will fail for that. */
    boolean grows(int bytes) {
        if (full || !memory.resize(counted, counted + bytes)) {
            full = true;
            return false;
        }
        counted += bytes;
        return true;
    }

    /** Says what the header says of how it is packed; {@code null}: nothing. */
    void encoding(@Nullable String contentEncoding) {
        encoding = contentEncoding == null ? "" : contentEncoding.strip().toLowerCase(Locale.ROOT);
        switch (encoding) {
            case "gzip", "x-gzip" -> unpacker = grows(UNPACKER_BYTES) ? new ContentDecoder(true) : null;
            case "deflate" -> unpacker = grows(UNPACKER_BYTES) ? new ContentDecoder(false) : null;
            default -> unpacker = null;
        }
    }

    /** Takes the next bytes, without the framing of chunks; the buffer's position stays. */
    void take(ByteBuf in, int from, int count) {
        wireBytes += count;
        ContentDecoder open = unpacker;
        if (open != null) {
            unpack(open, in, from, count);
            return;
        }
        bytes += count;
        int keeping = room(count);
        if (keeping > 0) {
            in.getBytes(from, kept, keptBytes, keeping);
            keptBytes += keeping;
        }
    }

    private void unpack(ContentDecoder open, ByteBuf in, int from, int count) {
        byte[] copy = piece;
        if (copy == null) {
            copy = new byte[PIECE];
            piece = copy;
        }
        for (int done = 0; done < count && fault == null; done += PIECE) {
            int part = Math.min(PIECE, count - done);
            in.getBytes(from + done, copy, 0, part);
            String why = open.take(copy, 0, part, this::add);
            if (why != null) {
                fault = open.isTooMuch()
                        ? encoding + " body over " + (MAX_UNPACKED >> 20) + " MiB"
                        : encoding + " body " + why;
            }
        }
    }

    private boolean add(byte[] plain, int count) {
        bytes += count;
        int keeping = room(count);
        if (keeping > 0) {
            System.arraycopy(plain, 0, kept, keptBytes, keeping);
            keptBytes += keeping;
        }
        return bytes <= MAX_UNPACKED;
    }

    /** Makes room for the next bytes, and returns how many of them are kept. */
    private int room(int count) {
        int keeping = keeps && !full ? Math.min(count, MAX_KEPT - keptBytes) : 0;
        if (keeping > 0) {
            text = null;
            if (keptBytes + keeping > kept.length) {
                // Most bodies come at once, and need no more.
                int wider = Math.max(keptBytes + keeping, Math.min(2 * kept.length, MAX_KEPT));
                if (!grows(wider - kept.length)) {
                    return 0;
                }
                kept = Arrays.copyOf(kept, wider);
            }
        }
        return keeping;
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

    /** Says why it cannot be used; {@code null} when it can. */
    @Nullable
    Failure failure() {
        String why = fault();
        return full ? Memory.FULL : why == null ? null : Failure.ofService(why);
    }

    /** Lets go of the memory: nobody reads it any more but who counts it. */
    void forget() {
        memory.resize(counted, 0);
        counted = 0;
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
        String made = text;
        if (made == null) {
            made = new String(kept, 0, keptBytes, StandardCharsets.UTF_8);
            text = made;
        }
        return made;
    }

    @Override
    public void close() {
        if (unpacker != null) {
            unpacker.close();
        }
    }
}
