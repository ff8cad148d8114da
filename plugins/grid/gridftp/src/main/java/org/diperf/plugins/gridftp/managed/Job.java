package org.diperf.plugins.gridftp.managed;

import io.netty.channel.EventLoop;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Call;
import org.diperf.core.spi.Dialogue;
import org.diperf.core.spi.Failure;
import org.diperf.plugins.lib.gridftp.data.ServerQueries.Found;
import org.diperf.plugins.lib.gridftp.data.SessionResources;
import org.jspecify.annotations.Nullable;

/**
 * A managed transfer: finds its files, chooses how they are moved, moves them in several sessions, and tries again what fails, from
 * what is there. Confined to its event loop; when it has ended, what it observed may be read where its end is told.
 */
public final class Job {

    /** Is told how a job gets on, on the event loop. */
    public interface Listener {

        /**
         * Takes each second what has arrived since it was last told, until the end.
         *
         * @param bytes of whole files, at least 0
         * @param files of the job so far that arrived whole
         * @param faults of the job so far
         */
        void progressed(long bytes, long files, long faults);

        /**
         * Takes the end, once.
         *
         * @param failure of the first file that could not be moved, {@code null} when all were
         */
        void ended(Job job, @Nullable Failure failure);
    }

    private static final long TICK_NANOS = 1_000_000_000L;
    private static final long FIND_AGAIN_NANOS = 200_000_000L;
    /** So many files that were not moved are named to whoever looks at a call. */
    private static final int MAX_NAMED = 5;

    private final Object of;
    private final EventLoop loop;
    private final SessionResources resources;
    private final TransferSpec order;
    private final Listener listener;
    private final List<TransferLane> lanes = new ArrayList<>();
    private final List<JobQueue> queues = new ArrayList<>();
    private @Nullable FileDiscovery finding;
    private @Nullable TransferStrategy choice;
    private @Nullable Failure firstFailure;
    private long beginNanos;
    private long foundNanos;
    private int finds;
    private long files;
    private long faults;
    private long moved;
    private long gained;
    /** Of files that arrived whole. */
    private long arrivedBytes;

    private long toldBytes;
    private final List<String> named = new ArrayList<>();
    private long missed;
    private boolean over;

    /**
     * @param of what it is made for, by which it can be cancelled
     */
    public Job(Object of, EventLoop loop, SessionResources resources, TransferSpec order, Listener listener) {
        this.of = of;
        this.loop = loop;
        this.resources = resources;
        this.order = order;
        this.listener = listener;
    }

    /** Begins; to be called on the event loop, once. */
    public void begin() {
        beginNanos = resources.nanoTime();
        loop.schedule(this::tick, TICK_NANOS, TimeUnit.NANOSECONDS);
        find();
    }

    private void find() {
        if (over) {
            return;
        }
        finds++;
        FileDiscovery now = new FileDiscovery(resources, order, loop, new FileDiscovery.Ended() {
            @Override
            public void found(List<Found> files, long roundTripNanos) {
                Job.this.found(files, roundTripNanos);
            }

            @Override
            public void failed(Failure why, @Nullable String file) {
                if (finds > order.retries() || JobFile.isFinal(why)) {
                    if (file != null) {
                        missed(file, why);
                    }
                    end(why);
                } else {
                    loop.schedule(Job.this::find, FIND_AGAIN_NANOS << Math.min(5, finds - 1), TimeUnit.NANOSECONDS);
                }
            }
        });
        finding = now;
        now.begin();
    }

    private void found(List<Found> found, long roundTripNanos) {
        foundNanos = resources.nanoTime();
        Path local = order.local();
        List<JobFile> all = new ArrayList<>();
        for (Found each : found) {
            Failure why = each.failure();
            if (why != null) {
                missed(order.folder() + each.path(), why);
                continue;
            }
            all.add(new JobFile(
                    order.folder() + each.path(),
                    order.toPath(each.path()),
                    local == null ? null : local.resolve(each.path()),
                    each.size()));
        }
        // The largest first, so that none of them is what the others' end waits for.
        all.sort(Comparator.comparingLong((JobFile file) -> file.size).reversed());
        TransferStrategy chosen =
                TransferStrategy.of(all.stream().map(file -> file.size).toList(), roundTripNanos);
        choice = chosen;
        List<JobFile> large =
                all.stream().filter(file -> TransferStrategy.isLarge(file.size)).toList();
        add(new JobQueue(large, chosen.streams(), chosen.largeAhead()), chosen.largeSessions());
        add(new JobQueue(all.subList(large.size(), all.size()), 1, chosen.smallAhead()), chosen.smallSessions());
        for (TransferLane lane : List.copyOf(lanes)) {
            lane.fill();
        }
        left();
    }

    private void add(JobQueue queue, int sessions) {
        queues.add(queue);
        for (int i = 0; i < sessions; i++) {
            lanes.add(new TransferLane(this, resources, order, loop, queue));
        }
    }

    private void tick() {
        if (over) {
            return;
        }
        long nowNanos = resources.nanoTime();
        loop.schedule(this::tick, TICK_NANOS, TimeUnit.NANOSECONDS);
        if (choice == null) {
            if (finding != null) {
                finding.look(nowNanos);
            }
            return;
        }
        long moving = 0;
        for (TransferLane lane : List.copyOf(lanes)) {
            moving += lane.moving();
            lane.look(nowNanos);
        }
        resources.observe(JobMetrics.MOVED, moved + moving);
        if (!over) {
            long arrived = Math.min(arrivedBytes, gained) - toldBytes;
            toldBytes += Math.max(0, arrived);
            listener.progressed(Math.max(0, arrived), files, faults);
        }
    }

    /** Counts what an attempt moved, and how much of that stays. */
    void attempted(long bytes, long kept) {
        moved += bytes;
        gained += kept;
    }

    void fault() {
        faults++;
    }

    void done(JobFile file) {
        files++;
        arrivedBytes += file.size;
    }

    /** Gives a file up; where this side's disk is the reason, the whole job. */
    void failed(JobFile file, Failure why) {
        missed(file.toString(), why);
        if (JobFile.isLocal(why)) {
            end(why);
        }
    }

    private void missed(String file, Failure why) {
        if (firstFailure == null) {
            firstFailure = why;
        }
        resources.reject("file in a managed job was not transferred: " + why.kind(), file);
        if (missed++ < MAX_NAMED) {
            named.add("not moved: " + file + ": " + why.kind());
        }
    }

    /**
     * Returns files that wait and that no other session moves, or that are moved as those of a queue that has come to its end;
     * {@code null} where there are none.
     */
    @Nullable
    JobQueue after(JobQueue done) {
        for (JobQueue queue : queues) {
            boolean helps = queue.streams() == done.streams();
            if (!queue.isEmpty()
                    && (helps || lanes.stream().noneMatch(lane -> !lane.isOver() && lane.queue() == queue))) {
                return queue;
            }
        }
        return null;
    }

    /** Takes notice of a session that is refused again and again; others go on without it. */
    void refused(TransferLane lane, Failure why) {
        if (!over && lanes.stream().allMatch(TransferLane::isOver)) {
            end(why);
        }
    }

    /** Ends the job when no session has anything to do. */
    void left() {
        if (!over
                && lanes.stream().allMatch(TransferLane::isOver)
                && queues.stream().allMatch(JobQueue::isEmpty)) {
            end(firstFailure);
        }
    }

    private void end(@Nullable Failure failure) {
        if (over) {
            return;
        }
        over = true;
        if (finding != null) {
            finding.close();
        }
        lanes.forEach(TransferLane::close);
        if (moved > 0) {
            resources.observe(JobMetrics.MOVED, moved);
        }
        // The last thing done here: the next call may begin within it.
        listener.ended(this, failure);
    }

    /** Gives it up when it is made for this, and still under way. */
    public boolean cancel(Object other) {
        if (of != other || over) {
            return false;
        }
        end(Failure.ofService("cancelled"));
        return true;
    }

    /** Returns whether it has ended. */
    public boolean isOver() {
        return over;
    }

    /** Gives it up; nobody is told. */
    public void close() {
        over = true;
        if (finding != null) {
            finding.close();
        }
        lanes.forEach(TransferLane::close);
    }

    /** Tells a call what was observed and not told before, when it has ended; names files that were not moved to whoever looks at it. */
    public void report(Call call) {
        call.bytes(Math.max(0, gained - toldBytes));
        Dialogue told = missed == 0 ? null : call.dialogue();
        if (told != null) {
            told.note(String.join("\n", named) + (missed > MAX_NAMED ? "\nand " + (missed - MAX_NAMED) + " more" : ""));
        }
        TransferStrategy chosen = choice;
        if (chosen == null) {
            return;
        }
        report(call, files, faults);
        call.metric(JobMetrics.FIND, (foundNanos - beginNanos) / 1e6);
        call.metric(JobMetrics.SESSIONS, chosen.sessions());
        call.metric(JobMetrics.STREAMS, chosen.streams());
        call.metric(JobMetrics.AHEAD, chosen.smallAhead());
        call.metric(JobMetrics.RESENT, moved - gained);
    }

    /**
     * Tells a call how its job gets on.
     *
     * @param files that arrived whole
     * @param faults so far
     */
    public static void report(Call call, long files, long faults) {
        call.metric(JobMetrics.FILES, files);
        call.metric(JobMetrics.FAULTS, faults);
    }
}
