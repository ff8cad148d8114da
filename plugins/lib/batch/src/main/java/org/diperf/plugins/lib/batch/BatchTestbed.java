package org.diperf.plugins.lib.batch;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.plugins.lib.batch.BatchSnapshot.JobView;
import org.diperf.plugins.lib.batch.BatchSnapshot.NodeState;
import org.diperf.plugins.lib.batch.BatchSnapshot.Phase;
import org.diperf.plugins.lib.batch.BatchSnapshot.TesterView;
import org.jspecify.annotations.Nullable;

/**
 * The jobs of one run, and a thread that watches them. All state is under this object's lock, which is held while the system is
 * asked.
 */
public final class BatchTestbed implements Testbed {

    /** How long a job may wait for its turn. */
    public static final Parameter WAIT =
            Parameter.withDefault("wait", Type.DURATION, "10m", "maximum time the job can wait in the queue");

    private static final long POLL_MILLIS = 1_000;
    private static final long END_POLL_MILLIS = 200;
    /** How long testers may take to join once their job runs. */
    private static final Duration JOIN = Duration.ofSeconds(60);

    private static final long SECOND = 1_000_000_000L;
    /** Every job waits this long; only longer waits are worth a word. */
    private static final long NORMAL_WAIT_NANOS = 3 * SECOND;
    /** How long testers may take to end by themselves. */
    private static final long END_NANOS = 5 * SECOND;
    /** What a shell adds to the number of the signal that ended a process. */
    private static final int SIGNALLED = 128;

    private final TestbedContext context;
    private final BatchSystem system;
    private final Duration wait;
    private final TestbedClock time;
    private final List<Job> jobs = new ArrayList<>();
    private final boolean isResumed;
    private final Runnable endWatch;

    /** Of the next job: a number is given once, be its job taken or not. */
    private int nextNumber = 1;

    private boolean closing;
    private String trouble = "";

    private BatchTestbed(
            TestbedContext context,
            BatchSystem system,
            Duration wait,
            TestbedClock time,
            List<Job> taken,
            boolean isResumed) {
        this.context = context;
        this.system = system;
        this.wait = wait;
        this.time = time;
        this.isResumed = isResumed;
        for (Job job : taken) {
            job.begun = true;
            job.submittedNanos = time.nanoTime();
            jobs.add(job);
            nextNumber = Math.max(nextNumber, job.number() + 1);
        }
        this.endWatch = isResumed ? () -> {} : time.every(POLL_MILLIS, this::look);
    }

    /**
     * Opens the testbed of a run.
     *
     * @param system closed with it
     * @param wait how long a job may wait for its turn, see {@link #WAIT}
     */
    public static BatchTestbed open(TestbedContext context, BatchSystem system, Duration wait, TestbedClock time) {
        return new BatchTestbed(context, system, wait, time, List.of(), false);
    }

    /** Takes up the jobs of a killed controller. */
    public static BatchTestbed resume(
            TestbedContext context, BatchSystem system, Duration wait, TestbedClock time, List<Job> jobs) {
        return new BatchTestbed(context, system, wait, time, jobs, true);
    }

    @Override
    public Duration patience() {
        return wait.plus(JOIN);
    }

    @Override
    public synchronized void start(List<Place> places) throws IOException, InterruptedException {
        int firstNumber = nextNumber;
        nextNumber += places.size();
        BatchSystem.Submission submission =
                system.submit(firstNumber, places.stream().map(Place::tester).toList());
        for (Job job : submission.jobs()) {
            job.submittedNanos = time.nanoTime();
            jobs.add(job);
            context.log(named(job) + " will start " + words(job.testers()));
        }
        submission.refused().forEach(this::failed);
    }

    private String named(Job job) {
        return system.name() + ' ' + job.name();
    }

    private static String words(List<Integer> testers) {
        return testers.size() == 1
                ? "tester " + testers.get(0)
                : "testers " + testers.get(0) + " to " + testers.get(testers.size() - 1);
    }

    /** Looks at the jobs; runs once a second on the watching thread. */
    private void look() {
        try {
            synchronized (this) {
                if (!closing && jobs.stream().anyMatch(job -> !job.gone)) {
                    poll();
                }
            }
        } catch (IOException | RuntimeException e) {
            cannotBeAsked(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says what does not work, once until it works again: the system may be away for a while. */
    private void troubled(String what) {
        if (!what.equals(trouble)) {
            trouble = what;
            context.log(what);
        }
    }

    private void cannotBeAsked(Exception why) {
        troubled(system.name() + " cannot be queried about the jobs: " + why.getMessage());
    }

    private BatchSnapshot poll() throws IOException, InterruptedException {
        List<Job> asked = jobs.stream().filter(job -> !job.gone).toList();
        if (asked.isEmpty()) {
            return new BatchSnapshot(Map.of(), Map.of());
        }
        BatchSnapshot poll = system.poll(asked);
        trouble = "";
        for (Job job : asked) {
            JobView view = poll.jobs().get(job.id());
            if (view == null) {
                throw new IllegalStateException(system.name() + " reports nothing about " + job.name());
            }
            look(job, view, poll);
        }
        return poll;
    }

    private void look(Job job, JobView view, BatchSnapshot poll) throws IOException, InterruptedException {
        if (view.phase() == Phase.WAITING) {
            waits(job, view);
            return;
        }
        boolean isOver = view.phase() != Phase.RUNNING;
        if (!job.begun && !isOver) {
            job.begun = true;
            String line = named(job) + " runs on " + view.words();
            if (job.hasWaited()) {
                context.announce(line + " after " + seconds(time.nanoTime() - job.submittedNanos) + " in the queue");
            } else {
                context.log(line);
            }
        }
        if (job.troubled(view.trouble()) && !view.trouble().isEmpty()) {
            context.announce(named(job) + ' ' + view.trouble());
        }
        for (int tester : List.copyOf(job.open)) {
            look(job, view, poll.testers().get(tester), tester);
        }
        Set<String> silent = job.open.stream()
                .flatMap(tester -> poll.silentNode(tester).stream())
                .collect(Collectors.toCollection(TreeSet::new));
        job.silent(silent).forEach(node -> context.log(system.name() + " gets no response from node " + node));
        job.over = isOver;
        if (view.phase() == Phase.GONE && !job.gone) {
            job.gone = true;
            context.log(named(job) + ' ' + view.words());
        }
    }

    private void look(Job job, JobView view, @Nullable TesterView seen, int tester)
            throws IOException, InterruptedException {
        Integer exitCode = seen == null ? null : seen.exitCode();
        if (seen != null && exitCode != null) {
            job.open.remove(tester);
            if (exitCode != 0) {
                String ended = exitCode > SIGNALLED
                        ? "was killed by signal " + (exitCode - SIGNALLED)
                        : "exited with code " + exitCode;
                failed(tester, "its process on node " + seen.node() + ' ' + ended + system.lastWords(tester));
            }
        } else if (seen != null && seen.state() == NodeState.FAILED) {
            job.open.remove(tester);
            failed(
                    tester,
                    "its node " + seen.node() + " failed, according " + "to " + system.name() + " (" + job.name()
                            + ")");
        } else if (view.phase() == Phase.GONE) {
            job.open.remove(tester);
            failed(tester, named(job) + ' ' + view.words() + system.lastWords(job));
        }
    }

    private void failed(int tester, String reason) {
        if (!closing && !isResumed) {
            context.failed(tester, reason);
        }
    }

    private void waits(Job job, JobView view) throws IOException, InterruptedException {
        long waitedNanos = time.nanoTime() - job.submittedNanos;
        if (job.over) {
            return;
        }
        if (waitedNanos > wait.toNanos()) {
            system.cancel(List.of(job));
            String reason = system.name() + " kept " + job.name() + " in its queue for " + seconds(waitedNanos)
                    + ", longer than testbed.wait: " + view.words()
                    + ". Raise testbed.wait, or request fewer resources";
            job.open.forEach(tester -> failed(tester, reason));
            job.open.clear();
            // What comes of it is looked at again when the testbed is closed.
            job.over = true;
        } else if (waitedNanos > NORMAL_WAIT_NANOS && job.waits(view.words())) {
            context.announce(named(job) + " is waiting in the queue: " + view.words());
        }
    }

    private static String seconds(long nanos) {
        return Quantity.format(Duration.ofSeconds(Math.max(1, nanos / SECOND)));
    }

    /** Waits until jobs are gone, or nothing of them can be left on a node that answers; gives those that are not. */
    private List<Job> awaitEnd(List<Job> which, long limitNanos) throws InterruptedException {
        long begin = time.nanoTime();
        while (true) {
            BatchSnapshot poll = pollOrNothing();
            List<Job> left = which.stream()
                    .filter(job -> !job.gone && !onlyLostNodes(job, poll))
                    .toList();
            if (left.isEmpty() || time.nanoTime() - begin > limitNanos) {
                return left;
            }
            time.pause(this, END_POLL_MILLIS);
        }
    }

    /** As {@link #poll}; where the system cannot be asked now, which may pass, nothing is known. */
    private BatchSnapshot pollOrNothing() throws InterruptedException {
        try {
            return poll();
        } catch (IOException e) {
            cannotBeAsked(e);
            return new BatchSnapshot(Map.of(), Map.of());
        }
    }

    /** A node that does not answer keeps its job from being over for minutes. */
    private static boolean onlyLostNodes(Job job, BatchSnapshot poll) {
        return job.over && !job.open.isEmpty() && job.open.stream().allMatch(poll::isSilent);
    }

    @Override
    public List<SpoolLocation> spools() {
        return system.spools();
    }

    @Override
    public Map<Integer, String> bring(List<SpoolLocation> places, Path into) throws InterruptedException {
        return system.bring(places, into);
    }

    @Override
    public void drop(List<SpoolLocation> places) throws IOException, InterruptedException {
        system.drop(places);
    }

    /** Has the system end the jobs of these testers, which tells them to end. */
    @Override
    public synchronized void endTesters(List<SpoolLocation> places) throws IOException, InterruptedException {
        if (jobs.isEmpty()) {
            return;
        }
        poll();
        List<Job> theirs = jobs.stream()
                .filter(job -> !job.gone)
                .filter(job -> places.stream().anyMatch(place -> job.testers().contains(place.tester())))
                .toList();
        if (!theirs.isEmpty()) {
            system.cancel(theirs);
            checkEnded(awaitEnd(theirs, system.cancelling().toNanos()));
        }
    }

    private void checkEnded(List<Job> left) throws IOException {
        if (!left.isEmpty()) {
            throw new IOException(system.name() + " has not ended "
                    + left.stream().map(Job::name).toList()
                    + (trouble.isEmpty() ? "" : "; last known problem: " + trouble));
        }
    }

    @Override
    public synchronized void close() throws IOException, InterruptedException {
        if (closing) {
            return;
        }
        closing = true;
        endWatch.run();
        List<String> troubles = new ArrayList<>();
        try {
            List<Job> left = awaitEnd(jobs, END_NANOS);
            if (!left.isEmpty()) {
                system.cancel(left);
                left = awaitEnd(jobs, system.cancelling().toNanos());
            }
            checkEnded(left);
        } catch (IOException e) {
            troubles.add(e.getMessage());
        }
        try {
            system.fetchLogs(context.folder());
        } catch (IOException e) {
            troubles.add("the testers' logs could not be fetched: " + e.getMessage());
        }
        system.close();
        if (!troubles.isEmpty()) {
            throw new IOException(String.join("; ", troubles));
        }
    }
}
