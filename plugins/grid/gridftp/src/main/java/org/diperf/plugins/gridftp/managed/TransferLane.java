package org.diperf.plugins.gridftp.managed;

import io.netty.channel.EventLoop;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Quantity;
import org.diperf.plugins.lib.gridftp.data.FtpSession;
import org.diperf.plugins.lib.gridftp.data.SessionResources;
import org.diperf.plugins.lib.gridftp.data.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * One of a job's sessions, and those that follow it after faults: takes files of its kind as long as there are any. Confined to the job's
 * event loop.
 */
final class TransferLane {

    private static final long FIRST_PAUSE_NANOS = 50_000_000L;
    private static final long MAX_PAUSE_NANOS = 5_000_000_000L;

    private final Job job;
    private final SessionResources resources;
    private final TransferSpec order;
    private final EventLoop loop;
    private final Map<Transfer, JobFile> underWay = new LinkedHashMap<>();
    private JobQueue queue;
    private @Nullable FtpSession session;
    /** Sessions in a row in which the server neither began nor refused a transfer. */
    private int refusals;

    private boolean begunInSession;
    private boolean pausing;
    private boolean filling;
    private boolean over;
    private long moved;
    private long movedSeen = -1;
    private long movedNanos;

    TransferLane(Job job, SessionResources resources, TransferSpec order, EventLoop loop, JobQueue queue) {
        this.job = job;
        this.resources = resources;
        this.order = order;
        this.loop = loop;
        this.queue = queue;
    }

    JobQueue queue() {
        return queue;
    }

    boolean isOver() {
        return over;
    }

    /** Begins as many transfers as its session takes at once. */
    void fill() {
        if (filling || pausing || over) {
            return;
        }
        filling = true;
        try {
            while (!pausing && !over && underWay.size() < queue.ahead()) {
                if (session != null && session.isUsedUp()) {
                    if (!underWay.isEmpty()) {
                        return; // what is under way ends first
                    }
                    session = null;
                }
                JobFile file = queue.next();
                if (file == null) {
                    break;
                }
                begin(file);
            }
        } finally {
            filling = false;
        }
        if (!over && !pausing && underWay.isEmpty() && queue.isEmpty()) {
            leave();
        }
    }

    private void begin(JobFile file) {
        FtpSession in = session;
        if (in == null) {
            in = new FtpSession(
                    resources,
                    resources.settings().managed(queue.streams(), queue.ahead()),
                    order.server(),
                    order.to(),
                    loop);
            session = in;
            begunInSession = false;
            movedSeen = -1;
        }
        Transfer transfer = new Transfer(file, loop, resources, file.path, file.toPath, file.local, this::ended);
        transfer.resume(file.size, file.stored());
        underWay.put(transfer, file);
        in.begin(transfer);
    }

    private void ended(Transfer transfer, @Nullable Failure failure) {
        JobFile file = underWay.remove(transfer);
        if (file == null || over) {
            return;
        }
        moved += transfer.bytes();
        // Others only waited in a session that was lost.
        boolean isAttempt = transfer.hasBegun() || !transfer.isAbandoned();
        if (isAttempt) {
            begunInSession = true;
            refusals = 0;
        }
        if (failure == null) {
            job.attempted(transfer.bytes(), transfer.bytes());
            job.done(file);
            fill();
            return;
        }
        boolean isWrong = failure.kind().equals("wrong checksum");
        job.attempted(transfer.bytes(), isWrong ? -file.stored().total() : transfer.gained());
        if (!transfer.isAbandoned() && JobFile.isFinal(failure)) {
            job.failed(file, failure);
            fill();
            return;
        }
        if (isWrong) {
            job.fault();
            file.isWrong();
        } else if (isAttempt) {
            job.fault();
            file.failed(transfer.stored(), transfer.gained());
        }
        if (file.faults() > order.retries()) {
            job.failed(file, failure);
        } else {
            queue.again(file);
        }
        if (transfer.isVerifying() && !transfer.isAbandoned()) {
            fill(); // its data moved as it should: what else is under way in the session is as good as before
        } else {
            loses(failure);
        }
    }

    /** Gives up the session after a fault, with what is under way in it; that is put back, too. */
    private void loses(Failure why) {
        FtpSession lost = session;
        if (lost == null) {
            return; // this is one of those that are put back
        }
        session = null;
        lost.lost(why);
        refusals = begunInSession ? 0 : refusals + 1;
        if (refusals > order.retries()) {
            leave();
            job.refused(this, why);
            return;
        }
        pausing = true;
        long pauseNanos = Math.min(MAX_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(20, refusals));
        loop.schedule(
                () -> {
                    pausing = false;
                    fill();
                },
                pauseNanos,
                TimeUnit.NANOSECONDS);
    }

    /** Ends it, or lets it go on with files of another kind. */
    private void leave() {
        FtpSession done = session;
        session = null;
        if (done != null) {
            done.close();
        }
        JobQueue other = refusals > 0 ? null : job.after(queue);
        if (other != null) {
            queue = other;
            fill();
            return;
        }
        over = true;
        job.left();
    }

    /** Counts the bytes of what is under way. */
    long moving() {
        return underWay.keySet().stream().mapToLong(Transfer::bytes).sum();
    }

    /** Gives up the session when for too long nothing has moved in it, or a server has not answered in the log-in. */
    void look(long nowNanos) {
        FtpSession open = session;
        long now = moved + moving();
        // How long a server reads a file for its checksum depends on the file's size, and nothing moves meanwhile.
        if (open == null
                || now != movedSeen
                || underWay.isEmpty()
                || open.isLoggingIn()
                || underWay.keySet().stream().anyMatch(Transfer::isVerifying)) {
            movedSeen = now;
            movedNanos = nowNanos;
        } else if (nowNanos - movedNanos > order.stallNanos()) {
            movedSeen = -1;
            open.lost(Failure.ofService(
                    "no data transferred for " + Quantity.format(Duration.ofNanos(order.stallNanos()))));
            return;
        }
        Failure silent = open == null ? null : open.silentInLogIn(nowNanos, order.stallNanos());
        if (open != null && silent != null) {
            open.lost(silent);
        }
    }

    /** Ends it without a word; files on this side are closed. */
    void close() {
        // These moved once, and will not again.
        underWay.keySet().forEach(transfer -> job.attempted(transfer.bytes(), transfer.bytes()));
        over = true;
        FtpSession ending = session;
        session = null;
        if (ending != null) {
            ending.lost(Failure.ofService("cancelled"));
        }
    }
}
