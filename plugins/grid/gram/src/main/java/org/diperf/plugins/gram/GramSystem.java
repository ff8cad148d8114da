package org.diperf.plugins.gram;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.Collectors;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.batch.BatchSnapshot;
import org.diperf.plugins.lib.batch.BatchSnapshot.JobView;
import org.diperf.plugins.lib.batch.BatchSnapshot.TesterView;
import org.diperf.plugins.lib.batch.BatchSystem;
import org.diperf.plugins.lib.batch.Job;
import org.diperf.plugins.lib.batch.TestbedClock;
import org.diperf.plugins.lib.gsi.GsiCredentials;
import org.jspecify.annotations.Nullable;

/**
 * Gatekeepers as one run uses them. Each tester is a job of its own, which tells its states by call-back, and whose job manager
 * fetches the tester, plugins and a ticket from here, and brings the log back.
 */
final class GramSystem implements BatchSystem, CallerIdentity {

    private static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(30);
    /** Of who tells nothing for so long it is asked whether it is still there. */
    private static final long QUIET_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** Who has asked for so long without an answer says so. */
    private static final long SLOW_MILLIS = 3_000;

    private static final long CLOSE_MILLIS = 1_000;
    /** A job manager waits between two signals, and looks for the end of a job now and then. */
    private static final Duration CANCELLING = Duration.ofSeconds(60);

    private final TestbedContext context;
    private final TestbedSettings settings;
    private final TestbedClock time;
    private final GsiCredentials credentials;
    private final MultiThreadIoEventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final EventLoop loop = group.next();
    private final Requests requests = new Requests(this, loop);
    private final Staging staging;
    private final List<Gatekeeper> gatekeepers = new ArrayList<>();
    private final Map<InetAddress, Listener> listeners = new HashMap<>();
    private final List<Path> tickets = new ArrayList<>();
    /** By number within the run. */
    private final Map<Integer, TesterJob> jobs = new TreeMap<>();

    private GramSystem(
            TestbedContext context,
            TestbedSettings settings,
            GsiCredentials credentials,
            Staging staging,
            TestbedClock time) {
        this.context = context;
        this.settings = settings;
        this.credentials = credentials;
        this.staging = staging;
        this.time = time;
    }

    /**
     * Asks all gatekeepers whether they know us.
     *
     * @throws IOException when none of them does, with what they say
     */
    static GramSystem open(
            TestbedContext context, TestbedSettings settings, GsiCredentials credentials, TestbedClock time)
            throws IOException, InterruptedException {
        GramSystem system = new GramSystem(context, settings, credentials, Staging.of(context), time);
        try {
            system.findGatekeepers();
            return system;
        } catch (IOException | InterruptedException | RuntimeException e) {
            system.close();
            throw e;
        }
    }

    private void findGatekeepers() throws IOException, InterruptedException {
        Map<String, String> troubles = new LinkedHashMap<>();
        List<Gatekeeper> found = new ArrayList<>();
        for (Contact contact : settings.contacts()) {
            try {
                found.add(Gatekeeper.of(contact));
            } catch (IOException e) {
                troubles.put(contact.toString(), String.valueOf(e.getMessage()));
            }
        }
        List<Exchange> pings = pingAll(found);
        for (int i = 0; i < found.size(); i++) {
            Failure why = pings.get(i).failure();
            if (why == null) {
                gatekeepers.add(found.get(i));
            } else {
                troubles.put(found.get(i).contact().toString(), why.kind());
            }
        }
        List<String> said = troubles.entrySet().stream()
                .map(trouble -> trouble.getKey() + ": " + trouble.getValue())
                .toList();
        if (gatekeepers.isEmpty()) {
            throw new IOException("testbed.contacts: expected gatekeepers that accept jobs from "
                    + credentials.subject() + ", got none; " + String.join("; ", said));
        }
        said.forEach(trouble -> context.announce("GRAM cannot run testers at " + trouble));
    }

    /** Asks all, and tells the user of whom it still waits for. */
    private List<Exchange> pingAll(List<Gatekeeper> all) throws InterruptedException {
        Set<Gatekeeper> silent = ConcurrentHashMap.newKeySet();
        silent.addAll(all);
        AtomicBoolean isTold = new AtomicBoolean();
        Runnable endWatch = time.every(SLOW_MILLIS, () -> {
            if (!silent.isEmpty() && isTold.compareAndSet(false, true)) {
                context.announce("GRAM is waiting for an answer from "
                        + silent.stream()
                                .map(each -> each.contact().toString())
                                .sorted()
                                .collect(Collectors.joining(", "))
                        + "; each step can take up to " + TimeUnit.NANOSECONDS.toSeconds(STEP_NANOS) + " s");
            }
        });
        try {
            return Requests.each(all, each -> requests.ping(each).whenComplete((reply, thrown) -> silent.remove(each)));
        } finally {
            endWatch.run();
        }
    }

    @Override
    public GsiCredentials credentials() {
        return credentials;
    }

    @Override
    public NanoClock clock() {
        return NanoClock.SYSTEM;
    }

    @Override
    public long stepNanos() {
        return STEP_NANOS;
    }

    @Override
    public boolean delegatesLimited() {
        return true;
    }

    @Override
    public String name() {
        return "GRAM";
    }

    @Override
    public Submission submit(int firstNumber, List<Integer> testers) throws IOException, InterruptedException {
        List<Integer> numbers = new ArrayList<>();
        for (int tester : testers) {
            int number = firstNumber + numbers.size();
            Gatekeeper gatekeeper = gatekeepers.get((number - 1) % gatekeepers.size());
            Path ticket = context.privateFolder().resolve("gram-" + number + ".ticket");
            tickets.add(ticket);
            Files.createFile(
                    ticket, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(ticket, context.ticket(tester).strip() + '\n');
            TesterJob job = new TesterJob(tester, gatekeeper, ticket, time::nanoTime);
            jobs.put(number, job);
            expect(number, job);
            numbers.add(number);
        }
        List<Exchange> replies = Requests.each(numbers, this::submit);
        List<Job> taken = new ArrayList<>();
        Map<Integer, String> refused = new HashMap<>();
        for (int i = 0; i < numbers.size(); i++) {
            int number = numbers.get(i);
            TesterJob job = job(number);
            GramReply.Submission reply = GramReply.Submission.of(replies.get(i), "submit");
            GramReply.Accepted accepted = reply.accepted();
            if (accepted != null) {
                job.accepted(accepted.job());
                taken.add(new Job(
                        number, String.valueOf(number), "job " + number + " at " + job.place(), List.of(job.tester)));
            } else {
                jobs.remove(number);
                Failure why = Objects.requireNonNull(reply.failure(), "failure");
                refused.put(job.tester, "GRAM at " + job.place() + " did not accept the tester's job: " + why.kind());
            }
        }
        if (taken.isEmpty()) {
            throw new IOException(refused.values().stream()
                    .distinct()
                    .reduce((one, other) -> one + "; " + other)
                    .orElse("No jobs were requested from GRAM"));
        }
        return new Submission(taken, refused);
    }

    private CompletableFuture<Exchange> submit(int number) {
        TesterJob job = job(number);
        Listener listener = listeners.get(job.gatekeeper.local());
        String url = Objects.requireNonNull(listener, "listener").url(number);
        return requests.submit(
                job.gatekeeper, url, staging.rsl(url, listener.url(Staging.NUMBER), settings.relations()));
    }

    private TesterJob job(int number) {
        return Objects.requireNonNull(jobs.get(number), "job");
    }

    private TesterJob of(Job job) {
        return job(job.number());
    }

    /** Has the listener on a gatekeeper's side wait for what is told of a job. */
    private void expect(int number, TesterJob job) throws IOException, InterruptedException {
        InetAddress local = job.gatekeeper.local();
        Listener known = listeners.get(local);
        Listener listener = known == null
                ? new Listener(credentials, settings.callbacks(), loop, local, Listener.Subscriber.dropping())
                : known;
        CompletableFuture<@Nullable Failure> ready = new CompletableFuture<>();
        loop.execute(() -> listener.whenReady(ready::complete));
        Failure why = awaited(ready);
        if (why != null) {
            throw new IOException(
                    "testbed.callback-ports: expected a port where job managers can reach this machine, got none at "
                            + local.getHostAddress() + ": " + why.kind());
        }
        listeners.put(local, listener);
        loop.execute(() -> {
            listener.expect(Staging.NUMBER, staging);
            listener.expect(number, job);
        });
    }

    private static <T extends @Nullable Object> T awaited(CompletableFuture<T> future) throws InterruptedException {
        try {
            return future.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public BatchSnapshot poll(List<Job> asked) throws InterruptedException {
        List<TesterJob> quiet = asked.stream()
                .map(this::of)
                .filter(job -> job.isQuietFor(QUIET_NANOS))
                .toList();
        ask(quiet);
        Map<String, JobView> views = new HashMap<>();
        Map<Integer, TesterView> testers = new HashMap<>();
        for (Job job : asked) {
            TesterJob known = of(job);
            views.put(job.id(), known.view());
            TesterView seen = known.tester();
            if (seen != null) {
                testers.put(known.tester, seen);
            }
        }
        return new BatchSnapshot(views, testers);
    }

    private void ask(List<TesterJob> quiet) throws InterruptedException {
        List<Exchange> replies = Requests.each(quiet, job -> requests.ask(job.gatekeeper, contact(job), "status"));
        for (int i = 0; i < quiet.size(); i++) {
            TesterJob job = quiet.get(i);
            Exchange reply = replies.get(i);
            if (reply.failure() != null) {
                // A job manager ends when it has no jobs; a machine that is gone has no gatekeeper either.
                boolean isThere = reply.failure().kind().equals("status: connection refused")
                        && awaited(requests.ping(job.gatekeeper)).failure() == null;
                if (isThere) {
                    job.lost();
                } else {
                    job.silent();
                }
                continue;
            }
            try {
                Map<String, String> said = GramReply.read(reply.body());
                if (GramMessage.number(said, "failure-code") == GramError.JOB_CONTACT_NOT_FOUND) {
                    job.lost();
                } else {
                    job.take(said, "job-failure-code");
                }
            } catch (GramMessage.MalformedMessageException | GramReply.WrongVersionException e) {
                job.silent();
            }
        }
    }

    private static Url contact(TesterJob job) {
        return Objects.requireNonNull(job.contact(), "contact");
    }

    @Override
    public void cancel(List<Job> which) throws IOException, InterruptedException {
        List<TesterJob> running =
                which.stream().map(this::of).filter(job -> !job.isGone()).toList();
        List<Exchange> replies = Requests.each(running, job -> requests.ask(job.gatekeeper, contact(job), "cancel"));
        List<String> refused = new ArrayList<>();
        for (int i = 0; i < running.size(); i++) {
            TesterJob job = running.get(i);
            Failure why = GramReply.failureOf(replies.get(i), "cancel");
            if (why == null) {
                continue;
            }
            if (replies.get(i).failure() != null) {
                job.abandoned();
                context.log(
                        "tester " + job.tester + "'s job at " + job.place() + " could not be cancelled: " + why.kind());
            } else if (why.kind()
                    .equals(GramReply.refused("cancel", GramError.JOB_CONTACT_NOT_FOUND)
                            .kind())) {
                job.lost();
            } else {
                refused.add("tester " + job.tester + "'s job at " + job.place() + ": " + why.kind());
            }
        }
        if (!refused.isEmpty()) {
            throw new IOException("GRAM did not cancel " + String.join("; ", refused));
        }
    }

    @Override
    public Duration cancelling() {
        return CANCELLING;
    }

    @Override
    public String lastWords(int tester) {
        return jobs.values().stream()
                .filter(job -> job.tester == tester)
                .map(TesterJob::lastWords)
                .findFirst()
                .orElse("");
    }

    @Override
    public String lastWords(Job job) {
        return of(job).lastWords();
    }

    @Override
    public void fetchLogs(Path into) throws IOException {
        for (TesterJob job : jobs.values()) {
            byte[] log = job.log();
            if (log.length > 0) {
                Files.write(into.resolve("tester-" + job.tester + ".log"), log);
            }
        }
    }

    @Override
    public void close() throws IOException {
        listeners.values().forEach(Listener::close);
        group.shutdownGracefully(0, CLOSE_MILLIS, TimeUnit.MILLISECONDS).awaitUninterruptibly(CLOSE_MILLIS);
        credentials.close();
        for (Path ticket : tickets) {
            Files.deleteIfExists(ticket);
        }
    }
}
