package org.diperf.plugins.srm;

import java.nio.file.Path;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Metric;
import org.diperf.plugins.lib.gridftp.data.Transfer;
import org.diperf.plugins.lib.netty.OwnedLoop;
import org.jspecify.annotations.Nullable;

/** One call and how far it is. Confined to its event loop; it tells its call on the loop that owns the client. */
final class FileTask {

    private static final double NANOS_PER_MILLI = 1e6;

    private final Call call;
    private final long ticket;
    private final OwnedLoop loop;
    final int target;
    final String surl;
    /** Of a copy, else empty. */
    final String copyTo;
    /** On this side, {@code null} for none. */
    final @Nullable Path localFile;

    private final long beginNanos;
    /** When each step was over, 0 for one that was not reached. */
    long preparedNanos;

    long readyNanos;
    long transferredNanos;
    long finishedNanos;
    long sentNanos;
    long connectNanos = -1;
    int polls;
    int entries = -1;
    /** Of an upload, as it is announced. */
    long plannedBytes;
    /** Of the answer to a question, or of a file that the manager copied; a transfer counts its own. */
    long bytes;
    /** Whether nothing more is wanted of the server but its pin or room given up. */
    private boolean over;

    @Nullable
    Transfer transfer;

    FileTask(Call call, OwnedLoop loop, String surl, String copyTo, @Nullable Path localFile, long beginNanos) {
        this.call = call;
        this.ticket = call.ticket();
        this.target = call.targetIndex();
        this.loop = loop;
        this.surl = surl;
        this.copyTo = copyTo;
        this.localFile = localFile;
        this.beginNanos = beginNanos;
    }

    boolean isOf(Call other) {
        return call == other && !over;
    }

    boolean isOver() {
        return over;
    }

    /** Ends the call; only the first end counts. */
    void end(@Nullable Failure failure) {
        if (over) {
            return;
        }
        over = true;
        if (loop.isOne()) {
            report(failure);
        } else {
            loop.toOwner(() -> report(failure));
        }
    }

    private void report(@Nullable Failure failure) {
        Transfer moved = transfer;
        if (moved != null) {
            moved.report(call);
        } else {
            call.bytes(bytes);
        }
        long begun = sentNanos - beginNanos;
        if (connectNanos >= 0) {
            call.firstOnConnection();
            call.metric(SrmMetrics.CONNECT, connectNanos / NANOS_PER_MILLI);
            begun -= connectNanos;
        }
        if (sentNanos > 0) {
            call.metric(SrmMetrics.GATHER, Math.max(0, begun) / NANOS_PER_MILLI);
        }
        step(SrmMetrics.PREPARE, sentNanos, preparedNanos);
        step(SrmMetrics.READY, preparedNanos, readyNanos);
        step(SrmMetrics.TRANSFER, readyNanos, transferredNanos);
        step(SrmMetrics.FINISH, transferredNanos > 0 ? transferredNanos : readyNanos, finishedNanos);
        if (readyNanos > 0) {
            call.metric(SrmMetrics.POLLS, polls);
        }
        if (entries >= 0 && failure == null) {
            call.metric(SrmMetrics.ENTRIES, entries);
        }
        // The last thing done here: the next call may begin within it.
        if (failure == null) {
            call.ok(ticket);
        } else {
            call.fail(ticket, failure);
        }
    }

    private void step(Metric metric, long fromNanos, long toNanos) {
        if (fromNanos > 0 && toNanos > 0) {
            call.metric(metric, fromNanos, toNanos);
        }
    }
}
