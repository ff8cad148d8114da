package org.diperf.plugins.gram;

import io.netty.buffer.ByteBuf;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.batch.BatchSnapshot.JobView;
import org.diperf.plugins.lib.batch.BatchSnapshot.NodeState;
import org.diperf.plugins.lib.batch.BatchSnapshot.Phase;
import org.diperf.plugins.lib.batch.BatchSnapshot.TesterView;
import org.jspecify.annotations.Nullable;

/** One job, which starts one tester, as far as its job manager has told of it. Thread-safe. */
final class TesterJob implements Listener.Subscriber {

    static final String TICKET = "ticket";
    static final String LOG = "log";
    /** Says in the log how the tester ended. */
    static final String EXIT = "diperf-tester exit ";

    private static final Pattern EXIT_LINE = Pattern.compile("(?m)^" + EXIT + "([0-9]{1,3})$");
    private static final int MAX_LOG_BYTES = 4 << 20;
    private static final int LAST_WORDS = 4;

    final int tester;
    final Gatekeeper gatekeeper;
    private final Path ticket;
    private final NanoClock clock;
    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    private @Nullable Url contact;
    private JobState state = JobState.UNSUBMITTED;
    private int failureCode;
    private boolean begun;
    private boolean calledBack;
    private boolean lost;
    private boolean silent;
    private boolean abandoned;
    private long heardNanos;

    TesterJob(int tester, Gatekeeper gatekeeper, Path ticket, NanoClock clock) {
        this.tester = tester;
        this.gatekeeper = gatekeeper;
        this.ticket = ticket;
        this.clock = clock;
        this.heardNanos = clock.nanoTime();
    }

    /** Names where it is, as a contact. */
    String place() {
        return new Contact(gatekeeper.contact().server(), gatekeeper.contact().service(), null).toString();
    }

    synchronized void accepted(Url at) {
        contact = at;
        heardNanos = clock.nanoTime();
    }

    synchronized @Nullable Url contact() {
        return contact;
    }

    @Override
    public synchronized void told(String message) {
        calledBack = true;
        try {
            take(GramReply.read(message), "failure-code");
        } catch (GramMessage.MalformedMessageException | GramReply.WrongVersionException e) {
            // The job manager is asked again when it has been silent for a while.
            return;
        }
    }

    /** Takes note of a state, as a job manager tells it by itself or when it is asked. */
    synchronized void take(Map<String, String> message, String failure) throws GramMessage.MalformedMessageException {
        int code = GramMessage.number(message, "status");
        JobState next =
                JobState.of(code).orElseThrow(() -> new GramMessage.MalformedMessageException("unknown state " + code));
        heardNanos = clock.nanoTime();
        silent = false;
        if (state.isLast()) {
            return;
        }
        state = next;
        begun |= next == JobState.ACTIVE;
        if (next == JobState.FAILED) {
            failureCode = GramMessage.number(message, failure);
        }
    }

    /** Takes note that nobody knows of it any more. */
    synchronized void lost() {
        lost = true;
    }

    /** Takes note that nobody answers where it runs. */
    synchronized void silent() {
        silent = true;
        heardNanos = clock.nanoTime();
    }

    /** Takes note that it should be cancelled and nobody is there who would do it. */
    synchronized void abandoned() {
        abandoned = true;
        silent = true;
    }

    /** Returns whether nothing was heard of it for so long that its job manager should be asked. */
    synchronized boolean isQuietFor(long nanos) {
        return !isGone() && clock.nanoTime() - heardNanos >= nanos;
    }

    synchronized boolean isGone() {
        return lost || state.isLast();
    }

    @Override
    public void output(String name, ByteBuf bytes) {
        synchronized (this) {
            int room = MAX_LOG_BYTES - log.size();
            byte[] piece = new byte[Math.min(room, bytes.readableBytes())];
            bytes.getBytes(bytes.readerIndex(), piece);
            log.writeBytes(piece);
        }
    }

    @Override
    public @Nullable Path file(String name) {
        return name.equals(TICKET) ? ticket : null;
    }

    synchronized JobView view() {
        if (lost && !state.isLast()) {
            return new JobView(
                    Phase.GONE,
                    calledBack
                            ? "ended: the job manager no longer has a record of it"
                            : "ended without contacting this controller; can its job manager reach"
                                    + " testbed.callback-host?");
        }
        if (abandoned && !state.isLast()) {
            return new JobView(Phase.ENDING, "cannot be cancelled");
        }
        return switch (state) {
            case UNSUBMITTED -> new JobView(Phase.WAITING, "its job manager is preparing it (UNSUBMITTED)");
            case STAGE_IN -> new JobView(Phase.WAITING, "its files are being staged in (STAGE_IN)");
            case PENDING -> new JobView(Phase.WAITING, "it is waiting for resources (PENDING)");
            case SUSPENDED ->
                begun
                        ? new JobView(Phase.RUNNING, place(), "is suspended (SUSPENDED)")
                        : new JobView(Phase.WAITING, "it is held (SUSPENDED)");
            case ACTIVE -> new JobView(Phase.RUNNING, place());
            case STAGE_OUT -> new JobView(Phase.ENDING, "is being staged out");
            case DONE -> new JobView(Phase.GONE, "is done");
            case FAILED ->
                new JobView(
                        Phase.GONE,
                        failureCode == GramError.USER_CANCELLED
                                ? "was cancelled (" + GramError.named(failureCode) + ")"
                                : "failed: " + GramError.named(failureCode));
        };
    }

    /** Returns what is known of the tester; {@code null}: it has not begun. */
    synchronized @Nullable TesterView tester() {
        Integer exitCode = exitCode();
        if (!begun && exitCode == null && !silent) {
            return null;
        }
        return new TesterView(place(), silent ? NodeState.SILENT : NodeState.ANSWERS, exitCode);
    }

    private @Nullable Integer exitCode() {
        Matcher exit = EXIT_LINE.matcher(text());
        Integer last = null;
        while (exit.find()) {
            last = Integer.valueOf(exit.group(1));
        }
        return last;
    }

    private String text() {
        return log.toString(StandardCharsets.UTF_8);
    }

    /** Returns the last lines of the log, behind a colon. */
    synchronized String lastWords() {
        List<String> lines = text().lines()
                .filter(line -> !line.isBlank() && !line.startsWith(EXIT))
                .map(String::strip)
                .toList();
        return lines.isEmpty()
                ? ""
                : ": " + String.join("; ", lines.subList(Math.max(0, lines.size() - LAST_WORDS), lines.size()));
    }

    /** Returns the log; empty where none has come. */
    synchronized byte[] log() {
        return log.toByteArray();
    }
}
