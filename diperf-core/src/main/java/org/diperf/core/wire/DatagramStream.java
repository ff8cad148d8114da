package org.diperf.core.wire;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Iterator;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A stream of frames over sealed datagrams: each carries a numbered piece of the stream, so that many small frames, of
 * many testers, share one; the other end acknowledges pieces, and what it does not is sent again. Frames come out whole,
 * in order and once. The content of a datagram, big-endian: int64 number of the piece (0: none), int64 all pieces of the
 * other end up to this came, int64 bit n: the piece n + 2 after that came, then the piece. What waits or is under way is
 * kept; nothing else is, so an idle stream is small. Confined to one thread; it knows no clock but what it is told.
 */
public final class DatagramStream {

    /** Content of a datagram that passes every network unbroken, with what sealing and IP add. */
    public static final int CONTENT_BYTES = 1_200;

    private static final int HEADER = 24;
    private static final int PIECE_BYTES = CONTENT_BYTES - HEADER;
    private static final int WINDOW = 64;
    private static final long MIN_RESEND_NANOS = 60_000_000;
    private static final long FIRST_RESEND_NANOS = 500_000_000;
    private static final long MAX_RESEND_NANOS = 2_000_000_000;
    /** An acknowledgement may wait so long for something to go with. */
    private static final long ACK_NANOS = 25_000_000;

    private static final int PIECES_PER_ACK = 8;

    private final int maxFrame;
    private final ArrayDeque<Piece> underWay = new ArrayDeque<>(2);
    private @Nullable ArrayDeque<byte[]> waiting;
    private byte @Nullable [] filling;
    private int filled;
    private long waitingBytes;
    private long pieces;
    private long resent;
    private long roundTripNanos;

    private long came;
    private @Nullable TreeMap<Long, byte[]> early;
    private int unacknowledged;
    private long ackDueNanos;
    private byte @Nullable [] partial;
    private int partialLength;

    private static final class Piece {
        private final long number;
        private final byte[] bytes;
        private long sentNanos;
        private int tries;
        private boolean acknowledged;

        Piece(long number, byte[] bytes) {
            this.number = number;
            this.bytes = bytes;
        }
    }

    /** Sends the content of one datagram, consumed. */
    public interface Sender {
        /** Sends it. */
        void send(ByteBuffer content);
    }

    /** Takes frames. */
    public interface Frames {
        /**
         * Takes what follows a frame's length field.
         *
         * @param frame valid during the call
         */
        void frame(ByteBuffer frame) throws WireException;
    }

    /** @param maxFrame bytes of a frame after its length field that may come */
    public DatagramStream(int maxFrame) {
        this.maxFrame = maxFrame;
    }

    /** Queues a frame, length field included; consumed. */
    public void write(ByteBuffer frame) {
        waitingBytes += frame.remaining();
        while (frame.hasRemaining()) {
            if (filling == null) {
                filling = new byte[Math.min(PIECE_BYTES, Math.max(128, frame.remaining()))];
                filled = 0;
            } else if (filled == filling.length && filling.length < PIECE_BYTES) {
                filling = Arrays.copyOf(
                        filling, Math.min(PIECE_BYTES, Math.max(filling.length * 2, filled + frame.remaining())));
            }
            int take = Math.min(frame.remaining(), filling.length - filled);
            frame.get(filling, filled, take);
            filled += take;
            if (filled == PIECE_BYTES) {
                queue();
            }
        }
    }

    private void queue() {
        if (filling != null && filled > 0) {
            if (waiting == null) {
                waiting = new ArrayDeque<>(2);
            }
            waiting.add(filled == filling.length ? filling : Arrays.copyOf(filling, filled));
            filling = null;
        }
    }

    /** Returns the bytes that were not sent yet. */
    public long waitingBytes() {
        return waitingBytes;
    }

    /** Counts the pieces that had to be sent again: what was lost on the way. */
    public long resent() {
        return resent;
    }

    /** Counts the pieces that were sent, each once. */
    public long pieces() {
        return pieces;
    }

    /** Returns whether anything waits for the other end or for its time, so that {@link #tick} must be called. */
    public boolean isBusy() {
        return !underWay.isEmpty() || unacknowledged > 0 || waitingBytes > 0;
    }

    /** Sends what is queued, as far as the other end takes it. */
    public void flush(long nowNanos, ByteBuffer scratch, Sender sender) {
        queue();
        while (waiting != null && !waiting.isEmpty() && underWay.size() < WINDOW) {
            byte[] bytes = waiting.remove();
            waitingBytes -= bytes.length;
            Piece piece = new Piece(++pieces, bytes);
            underWay.add(piece);
            send(piece, nowNanos, scratch, sender);
        }
        if (waiting != null && waiting.isEmpty()) {
            waiting = null;
        }
    }

    private void send(Piece piece, long nowNanos, ByteBuffer scratch, Sender sender) {
        piece.sentNanos = nowNanos;
        piece.tries++;
        header(scratch, piece.number);
        scratch.put(piece.bytes).flip();
        sender.send(scratch);
    }

    private void header(ByteBuffer scratch, long number) {
        scratch.clear();
        long later = 0;
        if (early != null) {
            for (long one : early.keySet()) {
                long bit = one - came - 2;
                later |= bit >= 0 && bit < 64 ? 1L << bit : 0;
            }
        }
        scratch.putLong(number).putLong(came).putLong(later);
        unacknowledged = 0;
    }

    /** Sends again what was not acknowledged in time, and acknowledgements that were held back. */
    public void tick(long nowNanos, ByteBuffer scratch, Sender sender) {
        long patience = roundTripNanos == 0
                ? FIRST_RESEND_NANOS
                : Math.max(MIN_RESEND_NANOS + ACK_NANOS, 2 * roundTripNanos + ACK_NANOS);
        for (Piece piece : underWay) {
            long due = Math.min(MAX_RESEND_NANOS, patience << Math.min(6, piece.tries - 1));
            if (!piece.acknowledged && nowNanos - piece.sentNanos >= due) {
                resent++;
                send(piece, nowNanos, scratch, sender);
            }
        }
        if (unacknowledged > 0 && nowNanos - ackDueNanos >= 0) {
            acknowledge(scratch, sender);
        }
    }

    private void acknowledge(ByteBuffer scratch, Sender sender) {
        header(scratch, 0);
        scratch.flip();
        sender.send(scratch);
    }

    /**
     * Takes the content of a datagram.
     *
     * @param content consumed
     * @throws WireException when it makes no sense: the stream is over
     */
    public void receive(ByteBuffer content, long nowNanos, ByteBuffer scratch, Sender sender, Frames frames)
            throws WireException {
        if (content.remaining() < HEADER) {
            throw new WireException("Expected a datagram of " + HEADER + " bytes or more, got " + content.remaining());
        }
        long number = content.getLong();
        acknowledged(content.getLong(), content.getLong(), nowNanos, scratch, sender);
        if (number != 0) {
            if (unacknowledged++ == 0) {
                ackDueNanos = nowNanos + ACK_NANOS;
            }
            take(number, content, frames);
            if (unacknowledged >= PIECES_PER_ACK || early != null) {
                acknowledge(scratch, sender);
            }
        }
    }

    private void acknowledged(long upTo, long later, long nowNanos, ByteBuffer scratch, Sender sender) {
        Iterator<Piece> pieces = underWay.iterator();
        while (pieces.hasNext()) {
            Piece piece = pieces.next();
            long bit = piece.number - upTo - 2;
            boolean acknowledges = piece.number <= upTo || bit >= 0 && bit < 64 && (later >>> bit & 1) == 1;
            if (acknowledges && !piece.acknowledged) {
                piece.acknowledged = true;
                if (piece.tries == 1) {
                    long took = Math.max(1, nowNanos - piece.sentNanos);
                    roundTripNanos = roundTripNanos == 0 ? took : (7 * roundTripNanos + took) / 8;
                }
            }
            if (piece.number <= upTo) {
                pieces.remove();
            }
        }
        // Three pieces after it came: it will not come any more.
        Piece first = underWay.peek();
        if (first != null && Long.bitCount(later) >= 3 && nowNanos - first.sentNanos >= Math.max(1, roundTripNanos)) {
            resent++;
            send(first, nowNanos, scratch, sender);
        }
        flush(nowNanos, scratch, sender);
    }

    private void take(long number, ByteBuffer content, Frames frames) throws WireException {
        if (number <= came || early != null && early.containsKey(number)) {
            return;
        }
        if (number > came + WINDOW) {
            throw new WireException("Expected a piece number up to " + (came + WINDOW) + ", got " + number);
        }
        byte[] bytes = new byte[content.remaining()];
        content.get(bytes);
        if (number != came + 1) {
            if (early == null) {
                early = new TreeMap<>();
            }
            early.put(number, bytes);
            return;
        }
        came++;
        cut(bytes, frames);
        while (early != null) {
            byte[] next = early.remove(came + 1);
            if (early.isEmpty()) {
                early = null;
            }
            if (next == null) {
                return;
            }
            came++;
            cut(next, frames);
        }
    }

    private void cut(byte[] bytes, Frames frames) throws WireException {
        ByteBuffer all;
        if (partial == null) {
            all = ByteBuffer.wrap(bytes);
        } else {
            if (partial.length - partialLength < bytes.length) {
                partial = Arrays.copyOf(partial, Math.max(partialLength + bytes.length, partial.length * 2));
            }
            System.arraycopy(bytes, 0, partial, partialLength, bytes.length);
            all = ByteBuffer.wrap(partial, 0, partialLength + bytes.length);
        }
        while (all.remaining() >= Frame.LENGTH_FIELD) {
            int length = all.getInt(all.position());
            Frame.checkLength(length, maxFrame);
            if (all.remaining() - Frame.LENGTH_FIELD < length) {
                break;
            }
            ByteBuffer frame = all.slice(all.position() + Frame.LENGTH_FIELD, length);
            all.position(all.position() + Frame.LENGTH_FIELD + length);
            frames.frame(frame);
        }
        if (!all.hasRemaining()) {
            partial = null;
            partialLength = 0;
        } else if (partial != null && all.position() == 0) {
            // A long frame is not copied again for each of its pieces.
            partialLength = all.limit();
        } else {
            byte[] rest = new byte[Math.max(all.remaining(), 256)];
            partialLength = all.remaining();
            all.get(rest, 0, partialLength);
            partial = rest;
        }
    }
}
