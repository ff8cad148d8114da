package org.diperf.plugins.slurm;

import static org.diperf.plugins.slurm.Login.quoted;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.SpoolPlace;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;

/**
 * The jobs of one run, and a thread that watches them. All state is under this object's lock, which is held while Slurm
 * is asked.
 */
final class SlurmTestbed implements Testbed {

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
    /** How long Slurm may take to end what was cancelled: its KillWait is 30 s. */
    private static final long CANCEL_NANOS = 45 * SECOND;

    private final TestbedContext context;
    private final Settings settings;
    private final Login login;
    private final Time time;
    private final SharedFolder folder;
    private final List<Job> jobs = new ArrayList<>();
    private final Runnable endWatch;
    /** Read without the lock: Slurm may take its time while somebody writes down where they are. */
    private final List<SpoolPlace> spools = new CopyOnWriteArrayList<>();

    private boolean deployed;
    private boolean isResumed;
    private boolean closing;
    private String trouble = "";

    private SlurmTestbed(
            TestbedContext context, Settings settings, Login login, Time time, SharedFolder folder, boolean watches) {
        this.context = context;
        this.settings = settings;
        this.login = login;
        this.time = time;
        this.folder = folder;
        this.endWatch = watches ? time.every(POLL_MILLIS, this::look) : () -> {};
    }

    static SlurmTestbed open(TestbedContext context, Settings settings, Login login, Time time)
            throws IOException, InterruptedException {
        Login.Answer answer = login.run("command -v sbatch squeue scancel sinfo && sinfo --version");
        if (!answer.isGood()) {
            throw new IOException("sbatch, squeue, scancel and sinfo on " + login.name() + " are wanted, found: "
                    + answer.words() + ". Install slurm-client, or name a log-in node in testbed.submit-on");
        }
        return new SlurmTestbed(context, settings, login, time, SharedFolder.make(login, settings.folder()), true);
    }

    /** Takes up the jobs of a killed controller, which are known by where their testers leave their samples. */
    static SlurmTestbed resume(
            TestbedContext context, Settings settings, Login login, Time time, List<SpoolPlace> places)
            throws IOException, InterruptedException {
        SharedFolder folder = SharedFolder.at(login, SharedFolder.ofSpools(places));
        SlurmTestbed testbed = new SlurmTestbed(context, settings, login, time, folder, false);
        testbed.takeUp(places);
        return testbed;
    }

    private synchronized void takeUp(List<SpoolPlace> places) throws IOException, InterruptedException {
        spools.addAll(places);
        jobs.addAll(folder.notedJobs(time.nanoTime()));
        jobs.forEach(job -> job.begun = true);
        isResumed = true;
    }

    @Override
    public Duration patience() {
        return settings.patience().plus(JOIN);
    }

    @Override
    public synchronized void start(List<Place> places) throws IOException, InterruptedException {
        if (!deployed) {
            folder.deploy(context);
            deployed = true;
        }
        List<Integer> testers = places.stream().map(Place::tester).toList();
        int number = jobs.size() + 1;
        String script = folder.prepare(number, testers, context);
        testers.forEach(tester -> spools.add(folder.spool(tester)));
        Login.Answer answer = login.run(folder.noting(
                number,
                "sbatch --parsable " + quoted(settings.options(testers.size())) + " --output="
                        + quoted(folder.path() + "/logs/job-" + number + ".log") + ' ' + quoted(script)));
        // With several clusters the name of one follows.
        String id = answer.output().strip().replaceAll(";.*", "");
        if (!answer.isGood() || !id.matches("[0-9]+")) {
            throw new IOException("Slurm did not take a job of " + testers.size() + " testers: " + answer.words());
        }
        jobs.add(new Job(number, id, testers, time.nanoTime()));
        context.log("Slurm job " + id + " is to start " + words(testers));
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
            troubled("Slurm cannot be asked for the jobs: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Says what does not work, once until it works again: Slurm's controller may be away for a while. */
    private void troubled(String what) {
        if (!what.equals(trouble)) {
            trouble = what;
            context.log(what);
        }
    }

    private Poll poll() throws IOException, InterruptedException {
        String ids = jobs.stream().filter(job -> !job.gone).map(job -> job.id).collect(Collectors.joining("|"));
        Login.Answer answer = login.run(Scripts.poll(folder.path(), ids));
        if (!answer.isGood()) {
            throw new IOException(answer.words());
        }
        trouble = "";
        Poll poll = Poll.parse(answer.output());
        for (Job job : jobs) {
            if (!job.gone) {
                JobState state = poll.jobs().get(job.id);
                look(job, state == null ? remembered(job) : state, poll);
            }
        }
        return poll;
    }

    /** Asks the accounting, where there is one, for a job that Slurm's controller has forgotten. */
    private JobState remembered(Job job) throws IOException, InterruptedException {
        Login.Answer answer = login.run(
                "sacct --noheader --parsable2 --allocations --format=State --jobs=" + job.id + " 2>/dev/null");
        String state = answer.isGood() ? answer.output().strip().replaceAll("(?s)[ +\n].*", "") : "";
        return new JobState(job.id, state.isEmpty() ? "UNKNOWN" : state, "", "", "");
    }

    private void look(Job job, JobState state, Poll poll) throws IOException, InterruptedException {
        if (state.isPending()) {
            waits(job, state);
            return;
        }
        if (!job.begun && !state.isOver()) {
            job.begun = true;
            String line = "Slurm job " + job.id + " runs on " + state.nodes();
            if (job.hasWaited()) {
                context.announce(line + " after " + seconds(time.nanoTime() - job.submittedNanos) + " in the queue");
            } else {
                context.log(line);
            }
        }
        for (int tester : List.copyOf(job.open)) {
            look(job, state, poll, tester);
        }
        Set<String> silent = job.open.stream()
                .map(tester -> poll.nodeOf().getOrDefault(tester, ""))
                .filter(poll::isSilent)
                .collect(Collectors.toCollection(TreeSet::new));
        job.silent(silent).forEach(node -> context.log("Slurm gets no answer from node " + node));
        job.over = state.isOver();
        if (state.isGone() && !job.gone) {
            job.gone = true;
            context.log("Slurm job " + job.id + ' ' + state.ending());
        }
    }

    private void look(Job job, JobState state, Poll poll, int tester) throws IOException, InterruptedException {
        Integer exitCode = poll.exitCodeOf().get(tester);
        String node = poll.nodeOf().get(tester);
        if (exitCode != null) {
            job.open.remove(tester);
            if (exitCode != 0) {
                String ended = exitCode > SIGNALLED
                        ? "was ended by signal " + (exitCode - SIGNALLED)
                        : "ended with exit code " + exitCode;
                failed(tester, "its process on node " + node + ' ' + ended + folder.lastWords(tester));
            }
        } else if (poll.nodeFailed(tester, state)) {
            job.open.remove(tester);
            failed(tester, "its node " + node + " failed, says Slurm of job " + job.id);
        } else if (state.isGone()) {
            job.open.remove(tester);
            failed(tester, "Slurm job " + job.id + ' ' + state.ending() + folder.lastWordsOfJob(job.number));
        }
    }

    private void failed(int tester, String reason) {
        if (!closing && !isResumed) {
            context.failed(tester, reason);
        }
    }

    private void waits(Job job, JobState state) throws IOException, InterruptedException {
        long waitedNanos = time.nanoTime() - job.submittedNanos;
        if (waitedNanos > settings.patience().toNanos()) {
            cancel(List.of(job));
            String reason = "Slurm kept job " + job.id + " in its queue for " + seconds(waitedNanos)
                    + ", longer than testbed.wait: " + state.waiting() + ". Raise testbed.wait, or ask for less";
            job.open.forEach(tester -> failed(tester, reason));
            job.open.clear();
            // What comes of it is looked at again when the testbed is closed.
            job.over = true;
        } else if (!job.over && waitedNanos > NORMAL_WAIT_NANOS && job.waits(state.waiting())) {
            context.announce("Slurm job " + job.id + " waits in the queue: " + state.waiting());
        }
    }

    private static String seconds(long nanos) {
        return Quantity.format(Duration.ofSeconds(Math.max(1, nanos / SECOND)));
    }

    private void cancel(List<Job> which) throws IOException, InterruptedException {
        String ids = which.stream().map(job -> job.id).collect(Collectors.joining(" "));
        Login.Answer answer = login.run("scancel --quiet " + ids);
        if (!answer.isGood()) {
            throw new IOException("Slurm did not cancel job " + ids + ": " + answer.words());
        }
    }

    /** Waits until jobs are gone, or nothing of them can be left on a node that answers; gives those that are not. */
    private List<Job> awaitEnd(List<Job> which, long limitNanos) throws IOException, InterruptedException {
        long begin = time.nanoTime();
        while (true) {
            Poll poll = poll();
            List<Job> left = which.stream()
                    .filter(job -> !job.gone && !onlyLostNodes(job, poll))
                    .toList();
            if (left.isEmpty() || time.nanoTime() - begin > limitNanos) {
                return left;
            }
            time.pause(this, END_POLL_MILLIS);
        }
    }

    /** A node that does not answer keeps its job from being over for minutes. */
    private static boolean onlyLostNodes(Job job, Poll poll) {
        return job.over
                && !job.open.isEmpty()
                && job.open.stream()
                        .map(tester -> poll.nodeOf().getOrDefault(tester, ""))
                        .allMatch(poll::isSilent);
    }

    @Override
    public List<SpoolPlace> spools() {
        return List.copyOf(spools);
    }

    @Override
    public Map<Integer, String> bring(List<SpoolPlace> places, Path into) throws InterruptedException {
        return folder.bringSpools(places, into);
    }

    @Override
    public void drop(List<SpoolPlace> places) throws IOException, InterruptedException {
        folder.dropSpools(places);
    }

    /** Has Slurm end the jobs of these testers, which tells them to end. */
    @Override
    public synchronized void endTesters(List<SpoolPlace> places) throws IOException, InterruptedException {
        if (jobs.isEmpty()) {
            return;
        }
        poll();
        List<Job> theirs = jobs.stream()
                .filter(job -> !job.gone)
                .filter(job -> places.stream().anyMatch(place -> job.testers.contains(place.tester())))
                .toList();
        if (!theirs.isEmpty()) {
            cancel(theirs);
            checkEnded(awaitEnd(theirs, CANCEL_NANOS));
        }
    }

    private static void checkEnded(List<Job> left) throws IOException {
        if (!left.isEmpty()) {
            throw new IOException("Slurm has not ended "
                    + left.stream().map(job -> "job " + job.id).toList());
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
                cancel(left);
                left = awaitEnd(jobs, CANCEL_NANOS);
            }
            checkEnded(left);
        } catch (IOException e) {
            troubles.add(e.getMessage());
        }
        try {
            folder.fetchLogs(context.folder());
        } catch (IOException e) {
            troubles.add("the testers' logs could not be fetched: " + e.getMessage());
        }
        folder.remove();
        if (!troubles.isEmpty()) {
            throw new IOException(String.join("; ", troubles));
        }
    }
}
