package org.diperf.plugins.lib.gridftp.data;

import io.netty.channel.EventLoop;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.control.Failures;
import org.diperf.plugins.lib.gridftp.control.Reply;
import org.jspecify.annotations.Nullable;

/** One transfer. Confined to its event loop; when it has ended, what it observed may be read where its end is told. */
public final class Transfer {

    /** Is told of the end. */
    public interface Ended {

        /**
         * Takes the end, once, on the event loop.
         *
         * @param failure {@code null} when it went well
         */
        void ended(Transfer transfer, @Nullable Failure failure);
    }

    private static final long MAX_STRIPES = 1_000;

    private final Object of;
    private final Ended whenEnded;
    private final SessionResources resources;
    private final Meter meter;
    final String path;
    final String toPath;
    private final @Nullable Path localFile;
    private @Nullable Dialogue told;
    private Sink sink = Sink.DISCARD;
    private @Nullable Source source;

    /** Whether the server has said that it begins (125 or 150). */
    boolean started;
    /** Whether the server has said that the transfer is complete. */
    boolean completed;
    /** Whether all of the data has come, or gone. */
    boolean dataEnded;
    /** Whether that went well, and only checksums are left to be compared. */
    boolean verifying;
    /** Place among the extended downloads of its session. */
    long number = -1;
    /** The size of the file where it is known before the transfer, or -1; only then its ranges are kept. */
    private long size = -1;
    /** What of the file was there before, and with what came, or what the server said it has stored. */
    private RangeSet stored = new RangeSet();

    private long before;
    /** What two other servers move between them, -1 when it is not known. */
    long sizeElsewhere = -1;
    /** Ends of data seen on the streams of an extended download, and how many there are, or -1. */
    private long endsOfData;

    long endsOfDataWanted = BlockHeaders.UNTOLD;
    /** Where the last byte of an extended download ends. */
    long reachedOffset;
    /** What is wrong with the data, while the server's last word is awaited. */
    @Nullable
    Failure dataFailure;

    private final Map<Integer, Long> stripes = new HashMap<>(2);
    private int halves;
    private long bytes;
    private long firstByteNanos;
    private String command = "";
    private long commandNanos;
    private long firstEndNanos;
    private long lastEndNanos;
    private boolean hasFirstByte;
    private boolean connected;
    private double connectMillis;
    private double loginMillis;
    private boolean over;
    private boolean culprit;
    private boolean abandoned;
    private long endNanos;

    /**
     * @param of what it is made for, by which it can be cancelled
     * @param toPath of a third-party transfer's other server, otherwise empty
     * @param localFile on this side, {@code null} for none
     */
    public Transfer(
            Object of,
            EventLoop loop,
            SessionResources resources,
            String path,
            String toPath,
            @Nullable Path localFile,
            Ended whenEnded) {
        this.of = of;
        this.whenEnded = whenEnded;
        this.resources = resources;
        this.meter = resources.meterOf(loop);
        this.path = path;
        this.toPath = toPath;
        this.localFile = localFile;
    }

    /** Says where what is said for it goes; to be said before the transfer begins. {@code null}: nobody will look. */
    public void tell(@Nullable Dialogue to) {
        told = to;
    }

    @Nullable
    Dialogue told() {
        return told;
    }

    /** Returns whether it is made for this; to be asked before it ends. */
    boolean isOf(Object other) {
        return of == other && !over;
    }

    /**
     * Says what is known of the file; to be said before the transfer begins.
     *
     * @param size of the whole file
     * @param there what of it is there already; not moved again
     */
    public void resume(long size, RangeSet there) {
        this.size = size;
        this.stored = there.copy();
        this.before = there.total();
    }

    /** Returns the size of the whole file, -1 where it is not known before. */
    long size() {
        return size;
    }

    /** Returns whether the size of the file is known, so that its ranges are kept. */
    boolean isTracked() {
        return size >= 0;
    }

    /** Returns whether a part of the file was there before. */
    boolean isResumed() {
        return before > 0;
    }

    /**
     * Returns what is there of a file whose size was known: what came, or of other servers what they said they have stored. To be read
     * when the transfer has ended.
     */
    public RangeSet stored() {
        return stored;
    }

    /** Returns how many bytes of the file are there that were not before. */
    public long gained() {
        return stored.total() - before;
    }

    /** Returns what is to be sent of the source. */
    List<RangeSet.Range> missing() {
        return stored.missing(source().size());
    }

    /** Says which bytes have come. */
    void got(long from, long count) {
        if (size >= 0) {
            stored.add(from, from + count);
        }
    }

    /**
     * Says that a file has fewer bytes than were asked for of it.
     *
     * @param count of those that came, or are there to be moved
     * @return {@code null} where it has enough, or all of it was asked for
     */
    @Nullable
    Failure shortOf(long count) {
        Settings asked = settings();
        if (asked.direction() == Settings.Direction.PUT) {
            return null;
        }
        if (asked.length() >= 0) {
            return count < asked.length()
                    ? Failure.ofService("file too short: fewer bytes than length asks for")
                    : null;
        }
        return asked.offset() > 0 && count == 0 ? Failure.ofService("file too short: no data after offset") : null;
    }

    private Settings settings() {
        return resources.settings();
    }

    /** Opens the file on this side, where there is one. */
    void openLocal() throws IOException {
        if (settings().direction() == Settings.Direction.GET && localFile != null) {
            sink = isResumed() ? Sink.rest(localFile) : Sink.file(localFile);
        } else if (settings().direction() == Settings.Direction.PUT) {
            source = localFile == null ? Source.zeros(settings().size()) : Source.file(localFile);
        }
    }

    /** Returns what is to be sent. */
    Source source() {
        Source given = source;
        if (given == null) {
            throw new IllegalStateException("Only an upload has a source");
        }
        return given;
    }

    /** Returns whether nobody wants what is got. */
    boolean discards() {
        return sink == Sink.DISCARD;
    }

    Sink sink() {
        return sink;
    }

    /** Marks it as the one for which the session was opened. */
    void opened(double connectMillis, double loginMillis) {
        connected = true;
        this.connectMillis = connectMillis;
        this.loginMillis = loginMillis;
    }

    /** Says that the command which begins the transfer goes out now. */
    void commanded(String command) {
        this.command = command;
        commandNanos = resources.clock().nanoTime();
    }

    /** Names the command of the transfer in what is wrong with its data. */
    Failure ofCommand(Failure why) {
        return command.isEmpty() ? why : why.in(command);
    }

    /** Counts bytes that have come or gone. */
    void moved(long count) {
        if (!hasFirstByte && count > 0) {
            hasFirstByte = true;
            firstByteNanos = resources.clock().nanoTime();
        }
        bytes += count;
        meter.moved(count);
    }

    /** Counts the bytes that have come or gone; of two other servers those that they told of. */
    public long bytes() {
        return bytes;
    }

    /** Says that a stream of an extended download has come to its end of data. */
    void streamEnded() {
        lastEndNanos = resources.clock().nanoTime();
        if (endsOfData == 0) {
            firstEndNanos = lastEndNanos;
        }
        endsOfData++;
    }

    /** Returns whether all streams of an extended download have come to their ends; as long as nothing says how many, they have not. */
    boolean hasAllEnds() {
        return endsOfDataWanted >= 0 && endsOfData >= endsOfDataWanted;
    }

    /** Says that data begins to move between two other servers. */
    void firstByte() {
        if (!hasFirstByte) {
            hasFirstByte = true;
            firstByteNanos = resources.clock().nanoTime();
        }
    }

    /** Says that one of two servers is done; gives whether both are. */
    boolean completeHalf() {
        halves++;
        return halves == 2;
    }

    /** Takes a marker of the server (GFD.20): how far each stripe is (112), or which ranges are stored (111). */
    void marker(Reply reply) {
        if (over) {
            return;
        }
        if (reply.code() == 111) {
            // A marker tells what has been stored since the one before it.
            Markers.ranges(reply.text(), stored);
            meter.marker(TransferMetrics.STORED, stored.total());
            return;
        }
        int stripe = 0;
        for (String line : reply.lines()) {
            long index = Markers.number(line, "Stripe Index:");
            if (index >= 0) {
                stripe = (int) Math.min(index, MAX_STRIPES);
                continue;
            }
            long moved = Markers.number(line, "Stripe Bytes Transferred:");
            if (moved >= 0) {
                stripes.merge(stripe, moved, Math::max);
            }
        }
        long total = 0;
        for (long moved : stripes.values()) {
            total += moved;
        }
        if (total == 0) {
            return; // it has begun
        }
        meter.marker(TransferMetrics.MARKER, total);
        if (settings().direction() == Settings.Direction.THIRD_PARTY) {
            movedElsewhere(total);
        }
    }

    /** Takes what a server says of bytes between itself and another one. */
    void movedElsewhere(long total) {
        if (total > bytes) {
            moved(total - bytes);
        }
    }

    /** Ends the transfer; only the first end counts. */
    public void end(@Nullable Failure failure) {
        if (over) {
            return;
        }
        over = true;
        Failure closing = closeLocal();
        endNanos = resources.clock().nanoTime();
        whenEnded.ended(this, failure != null ? failure : closing);
    }

    /** Says that its failure is what ends its session. */
    void isCulprit() {
        culprit = true;
    }

    /** Ends it because its session is given up. */
    void abandon(Failure why) {
        abandoned = dataFailure == null && !culprit;
        end(dataFailure != null ? dataFailure : why);
    }

    /** Returns whether it ended with its session, by no fault of its own; to be read when it has ended. */
    public boolean isAbandoned() {
        return abandoned;
    }

    /** Returns whether the server had begun with it; to be read when the transfer has ended. */
    public boolean hasBegun() {
        return started || hasFirstByte;
    }

    /** Returns whether all of the data has moved, and only checksums are left to be compared, or were when it ended. */
    public boolean isVerifying() {
        return verifying;
    }

    boolean isOver() {
        return over;
    }

    /** Returns the file on this side, {@code null} where there is none. */
    @Nullable
    Path localFile() {
        return localFile;
    }

    /** Closes the file on this side; gives why it failed, if it did. Idempotent. */
    @Nullable
    Failure closeLocal() {
        try {
            sink.close();
            if (source != null) {
                source.close();
            }
            return null;
        } catch (IOException e) {
            return ofLocalFile(e);
        }
    }

    /** Says what went wrong with the file on this side, by its name in the experiment. */
    Failure ofLocalFile(Throwable thrown) {
        String name = settings().localName();
        return settings().direction() == Settings.Direction.GET && thrown instanceof NoSuchFileException
                ? Failure.ofExperiment("local file: " + name + ": its folder does not exist")
                : Failures.ofLocalFile(thrown, name);
    }

    /** Tells a call what was observed, when it has ended. */
    public void report(Call call) {
        call.bytes(bytes);
        if (connected) {
            call.firstOnConnection();
            call.metric(TransferMetrics.CONNECT, connectMillis);
            call.metric(TransferMetrics.LOGIN, loginMillis);
        }
        if (hasFirstByte && commandNanos != 0) {
            call.metric(TransferMetrics.FIRST_BYTE, (firstByteNanos - commandNanos) / 1e6);
            call.metric(TransferMetrics.TRANSFER, (endNanos - firstByteNanos) / 1e6);
        }
        if (endsOfData > 1) {
            call.metric(TransferMetrics.SKEW, (lastEndNanos - firstEndNanos) / 1e6);
        }
    }
}
