package org.diperf.controller.run.directory;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.diperf.controller.progress.LiveStatus;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.Event;
import org.diperf.core.spi.OneLine;
import org.jspecify.annotations.Nullable;

/**
 * What a run says, to its log, in its record, and to whoever watches it: the one door out, at which the values of secrets
 * are masked, and lines that come from elsewhere are made lines that forge no other and control no terminal. Thread-safe.
 */
public final class RunOutput {

    private static final int MAX_EVENTS = 1_000;
    /** What testers and nodes send shall not take the place of what this process has seen. */
    private static final int MAX_PEERS_EVENTS = MAX_EVENTS / 2;

    private static final int MAX_LINE = 4_000;
    private static final int MAX_PEERS_LINE = 1_000;
    private static final int MAX_LINES = 100;

    private final NanoClock clock;
    private final Secrets secrets;
    private final Progress progress;
    private final long createdNanos;
    private final Instant createdAt = Instant.now();
    private final PeerLogLimiter peers;
    /** With instants of the controller's clock. */
    private final List<Event> events = new ArrayList<>();

    private volatile long startNanos;
    private volatile @Nullable String startedAt;
    private volatile @Nullable RunDirectory directory;
    private volatile String lastPhase = "";
    private volatile @Nullable LiveStatus lastStatus;

    /** Begins the output of a new run. */
    public RunOutput(NanoClock clock, Secrets secrets, Progress progress) {
        this.clock = clock;
        this.secrets = secrets;
        this.progress = progress;
        this.peers = new PeerLogLimiter(clock);
        this.createdNanos = clock.nanoTime();
        this.startNanos = createdNanos;
    }

    /** Continues the output of a run that had begun. */
    public static RunOutput resumed(NanoClock clock, Secrets secrets, Progress progress, RunRecord before) {
        RunOutput output = new RunOutput(clock, secrets, progress);
        output.startNanos = before.startNanos();
        output.startedAt = before.startedAt();
        before.events()
                .forEach(event -> output.events.add(new Event(
                        event.atNanos() + before.startNanos(), event.text(), event.isChange(), event.isByHand())));
        return output;
    }

    /** Writes what is noted from now on to the log of a run directory; {@code null}: to none. */
    public void writeTo(@Nullable RunDirectory opened) {
        directory = opened;
    }

    /** Notes the start of the load, from which on time counts. */
    public void begin(long atNanos) {
        startNanos = atNanos;
        startedAt = createdAt.plusNanos(atNanos - createdNanos).toString();
    }

    public long startNanos() {
        return startNanos;
    }

    /** Returns the wall clock's time at the start of the load; {@code null} before it. */
    @Nullable
    public String startedAt() {
        return startedAt;
    }

    /** Returns the time since the start of the load. */
    public long elapsedNanos() {
        return clock.nanoTime() - startNanos;
    }

    /** Says what is being done before and after the load. */
    public void phase(String text) {
        lastPhase = shown(text);
        progress.phase(lastPhase);
    }

    /** Returns what was last said to be done before or after the load; empty: nothing yet. */
    public String lastPhase() {
        return lastPhase;
    }

    /** Shows how the load goes. */
    public void live(LiveStatus status) {
        lastStatus = status;
        progress.live(status);
    }

    /** Returns how the load was last seen to go; {@code null}: it has not begun. */
    @Nullable
    public LiveStatus lastStatus() {
        return lastStatus;
    }

    /** Writes to the log and remembers for the report. */
    public void note(String text) {
        note(shown(text), MAX_EVENTS);
    }

    /** Writes to the log what was changed at an instant of the controller's clock, and remembers it for report and figures. */
    public void changed(long atNanos, String text) {
        note(new Event(atNanos, shown(text), true), MAX_EVENTS);
    }

    /** Writes to the log that somebody touched the run, and remembers it for the report. */
    public void byHand(String text) {
        note(new Event(clock.nanoTime(), shown(text), false, true), MAX_EVENTS);
    }

    /** Writes a line that a tester has sent to the log, unless it sends too many. */
    public void noteOf(int tester, String line) {
        String peer = "tester-" + tester;
        peers.take(peer, PeerLogLimiter.OF_TESTER, line).forEach(each -> noteOfPeer(peer + ": " + each));
    }

    /** Writes what the testbed tells of its nodes to the log, unless that is too much. */
    public void noteOfTestbed(String line) {
        peers.take("testbed", PeerLogLimiter.OF_TESTBED, line).forEach(this::noteOfPeer);
    }

    private void noteOfPeer(String line) {
        note(OneLine.of(secrets.masked(line), MAX_PEERS_LINE), MAX_PEERS_EVENTS);
    }

    /** Notes how the run ended, and before it what was left out. */
    public void ended(String how) {
        peers.leftOut().forEach(this::note);
        note("ended: " + how);
    }

    private void note(String line, int most) {
        note(new Event(clock.nanoTime(), line, false), most);
    }

    private void note(Event event, int most) {
        synchronized (events) {
            if (events.size() < most) {
                events.add(event);
            }
        }
        RunDirectory run = directory;
        if (run != null) {
            run.log(createdAt.plusNanos(event.atNanos() - createdNanos), event.text());
        }
    }

    /** Notes what the user should see whatever else is shown. */
    public void announce(String text) {
        note(text);
        progress.log(shown(text));
    }

    /** Notes what is wrong, and shows it as a warning. */
    public void warn(String text) {
        note(text);
        progress.log(shown("warning: " + text));
    }

    /** Notes what is wrong, and what the user must do at once, and shows it even where no progress is shown. */
    public void urge(String text) {
        // First, because the log may be on a disk that does not answer.
        progress.urge(shown("warning: " + text));
        note(text);
    }

    /** Returns a failure as it may be shown. */
    public RunFailedException shown(RunFailedException failure) {
        String said = String.valueOf(failure.getMessage());
        String shown = secrets.masked(said)
                .lines()
                .limit(MAX_LINES)
                .map(line -> OneLine.of(line, MAX_LINE))
                .collect(Collectors.joining("\n"));
        return shown.equals(said) ? failure : failure.saying(shown);
    }

    /**
     * Writes the record of the run.
     *
     * @return what was written
     */
    public RunRecord write(RunDirectory run, RunRecord record) throws IOException {
        RunRecord masked = record.masked(this::shown);
        run.write(masked);
        return masked;
    }

    /** Returns a text as it may leave: one line, with the values of secrets masked. */
    public String shown(String text) {
        return OneLine.of(secrets.masked(text), MAX_LINE);
    }

    /** Returns the events on the time that begins with the load; until then it was not known. */
    public List<Event> events() {
        synchronized (events) {
            return events.stream()
                    // What others have done is told a little later.
                    .sorted(Comparator.comparingLong(Event::atNanos))
                    .map(event ->
                            new Event(event.atNanos() - startNanos, event.text(), event.isChange(), event.isByHand()))
                    .toList();
        }
    }
}
