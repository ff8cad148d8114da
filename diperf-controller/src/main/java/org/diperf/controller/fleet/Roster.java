package org.diperf.controller.fleet;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.spi.Node;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.jspecify.annotations.Nullable;

/**
 * What is known of each tester of a run. Thread-safe: the collector and the testbed report to it, the run waits on it.
 */
public final class Roster {

    /** How far a tester has come. */
    public enum Phase {
        EXPECTED,
        JOINED,
        READY,
        STARTED,
        FINISHED,
        /** It could not take part; the reason says why. */
        UNUSABLE,
        LOST,
        /** It was lost and is heard again; its load stays stopped, its samples are still coming. */
        RETURNED
    }

    private static final class Entry {
        final int tester;
        Phase phase = Phase.EXPECTED;
        /** Its share of the plan; 0: none yet, or for ever. */
        int slot;
        /** The tester whose share it took; 0: none. */
        int replaces;

        @Nullable
        TesterFacts facts;

        @Nullable
        String reason;

        @Nullable
        Long lostNanos;

        @Nullable
        Long noticedNanos;

        /** When it was heard last before it was lost, after the start of the run. */
        long heardNanos;
        /** Whether nothing more comes of it: its process has ended, or it was dropped. */
        boolean gone;

        @Nullable
        Long returnedNanos;

        @Nullable
        Long joinedNanos;

        @Nullable
        Long localStartNanos;

        @Nullable
        TesterTotals totals;

        TesterStatus status = TesterStatus.NONE;
        long clockErrorNanos = Long.MAX_VALUE;

        /** What another controller, which was killed, knew of it. */
        @Nullable
        TesterRecord before;

        Entry(int tester) {
            this.tester = tester;
        }
    }

    /** How {@link #await} passes its time; tests pass it by hand. */
    @FunctionalInterface
    public interface Pause {

        /** Waits on the roster's monitor, as wall time passes. */
        Pause REAL = (roster, nanos) -> TimeUnit.NANOSECONDS.timedWait(roster, nanos);

        /** Returns after so many nanoseconds at the latest; the caller holds the roster's monitor, which is let go. */
        void await(Roster roster, long nanos) throws InterruptedException;
    }

    private static final long LOOK_NANOS = 200_000_000L;

    private final NanoClock clock;
    private final Pause pause;
    private final Map<Integer, Entry> entries = new LinkedHashMap<>();
    private int changes;

    /** Makes a roster that expects nobody yet. */
    public Roster(NanoClock clock, Pause pause) {
        this.clock = clock;
        this.pause = pause;
    }

    /** Expects a tester. */
    public synchronized void expect(int tester) {
        entries.putIfAbsent(tester, new Entry(tester));
    }

    /** Expects a tester that is to take the share of a lost one; says which number it has. */
    public synchronized int expectInsteadOf(int lost) {
        int tester = entries.keySet().stream().mapToInt(Integer::intValue).max().orElse(0) + 1;
        Entry entry = new Entry(tester);
        entry.slot = entry(lost).slot;
        entry.replaces = lost;
        entries.put(tester, entry);
        changes++;
        return tester;
    }

    /**
     * Takes over what a controller that is gone knew of a tester. One that was at work counts as lost until it is heard.
     *
     * @param why it is gone, in words
     * @param downNanos when that was, after the start of the run
     * @param leaseNanos for how long it continues by itself
     * @param heardNanos when there was a controller last, after the start of the run
     */
    public synchronized void restore(
            TesterRecord before, String why, long downNanos, long leaseNanos, long heardNanos) {
        Entry entry = new Entry(before.number());
        entry.before = before;
        entry.slot = before.slot();
        entry.replaces = before.replaces() == null ? 0 : before.replaces();
        entry.joinedNanos = before.joinedNanos();
        entry.localStartNanos = before.startNanos();
        entry.status = new TesterStatus(0, 0, before.sent(), 0, 0, before.dropped());
        entry.reason = before.lostReason();
        entry.returnedNanos = before.returnedNanos();
        entry.heardNanos = heardNanos;
        if (entry.localStartNanos == null) {
            entry.phase = Phase.UNUSABLE;
            entry.reason = before.lostReason() == null ? why + " before it started" : entry.reason;
        } else if (before.lostNanos() != null) {
            entry.phase = Phase.LOST;
            entry.lostNanos = before.lostNanos();
            entry.noticedNanos = before.lostNanos();
        } else {
            entry.phase = Phase.LOST;
            entry.reason = why;
            entry.lostNanos = downNanos;
            entry.noticedNanos = downNanos + leaseNanos;
        }
        entries.put(before.number(), entry);
    }

    /** Counts what has changed in who takes part: testers that were expected instead of others, started, were lost, came back. */
    public synchronized int changes() {
        return changes;
    }

    /** Returns whether it is one of this run's testers. */
    public synchronized boolean knows(int tester) {
        return entries.containsKey(tester);
    }

    /** Gives a tester its share of the plan. */
    public synchronized void slot(int tester, int slot) {
        entry(tester).slot = slot;
    }

    /** Returns a tester's share of the plan; 0: it has none. */
    public synchronized int slotOf(int tester) {
        return entry(tester).slot;
    }

    /** Notes from when on a tester that came later begins calls, after the start of the run. */
    public synchronized void joinsAt(int tester, long joinNanos) {
        entry(tester).joinedNanos = joinNanos;
    }

    private Entry entry(int tester) {
        Entry entry = entries.get(tester);
        if (entry == null) {
            throw new IllegalArgumentException("No tester " + tester + " is expected");
        }
        return entry;
    }

    public synchronized void joined(int tester, TesterFacts facts) {
        Entry entry = entry(tester);
        entry.facts = facts;
        if (entry.phase == Phase.EXPECTED) {
            move(entry, Phase.JOINED);
        }
    }

    /** Returns whether that is still of use. */
    public synchronized boolean ready(int tester) {
        Entry entry = entry(tester);
        if (entry.phase == Phase.JOINED) {
            move(entry, Phase.READY);
        }
        return entry.phase == Phase.READY;
    }

    public synchronized void started(int tester, long localStartNanos) {
        Entry entry = entry(tester);
        entry.localStartNanos = localStartNanos;
        move(entry, Phase.STARTED);
    }

    public synchronized void status(int tester, TesterStatus status) {
        entry(tester).status = status;
    }

    /** Takes what a tester counted. One that carried out its plan while nobody heard of it was not lost. */
    public synchronized void finished(int tester, TesterTotals totals) {
        Entry entry = entry(tester);
        entry.totals = totals;
        boolean isWhole = !totals.stopped()
                && totals.aborted().isEmpty()
                && entries.values().stream().noneMatch(other -> other.replaces == tester);
        // It comes from the journal: the controller that is gone had it.
        boolean isNoted = entry.phase == Phase.LOST && entry.before != null && entry.before.lostNanos() == null;
        if (isWhole || isNoted) {
            forgetLoss(entry);
        }
        move(entry, Phase.FINISHED);
    }

    /** Notes why a tester that has not started cannot take part; says whether that is news. */
    public synchronized boolean unusable(int tester, String reason) {
        Entry entry = entry(tester);
        if (entry.phase.compareTo(Phase.STARTED) >= 0) {
            return false;
        }
        entry.reason = reason;
        move(entry, Phase.UNUSABLE);
        return true;
    }

    /** Notes of all testers in a phase why they cannot take part; lists them. */
    public synchronized List<Integer> unusable(Phase phase, String reason) {
        List<Integer> testers = inPhase(phase);
        testers.forEach(tester -> unusable(tester, reason));
        return testers;
    }

    /**
     * Notes that a tester is gone.
     *
     * @param heardNanos from when on nothing was heard of it, after the start of the run
     * @param atNanos now, after the start of the run
     * @return whether that is news: it had started and not finished
     */
    public synchronized boolean lost(int tester, String reason, long heardNanos, long atNanos) {
        Entry entry = entry(tester);
        entry.heardNanos = heardNanos;
        if (entry.phase == Phase.RETURNED) {
            move(entry, Phase.LOST);
            return false;
        }
        if (entry.phase != Phase.STARTED) {
            unusable(tester, reason);
            return false;
        }
        entry.reason = reason;
        entry.lostNanos = Math.max(0, heardNanos);
        entry.noticedNanos = Math.max(0, atNanos);
        move(entry, Phase.LOST);
        return true;
    }

    /** Notes that nothing more comes of a tester but what it may have left in a file. */
    public synchronized void gone(int tester) {
        entry(tester).gone = true;
    }

    /** Returns when the last of these testers was heard before it was lost, after the start of the run. */
    synchronized long lastHeardNanos(List<Integer> testers) {
        return testers.stream()
                .mapToLong(tester -> entry(tester).heardNanos)
                .max()
                .orElse(0);
    }

    /** Lists the lost testers that may live, and were heard after an instant, after the start of the run. */
    public synchronized List<Integer> away(long heardAfterNanos) {
        return entries.values().stream()
                .filter(entry -> entry.phase == Phase.LOST && !entry.gone && entry.heardNanos > heardAfterNanos)
                .map(entry -> entry.tester)
                .toList();
    }

    /**
     * Notes that a lost tester is heard again. It called until its own lease ran out, which was when its loss was noticed.
     *
     * @return whether that is news
     */
    public synchronized boolean back(int tester, long atNanos) {
        Entry entry = entry(tester);
        if (entry.phase != Phase.LOST) {
            return false;
        }
        if (entry.noticedNanos != null && atNanos < entry.noticedNanos) {
            // Its own lease has not run out: only a controller that was killed counts one as lost so early.
            forgetLoss(entry);
            move(entry, Phase.STARTED);
            return true;
        }
        entry.lostNanos = entry.noticedNanos;
        entry.returnedNanos = atNanos;
        move(entry, Phase.RETURNED);
        return true;
    }

    private static void forgetLoss(Entry entry) {
        entry.lostNanos = null;
        entry.noticedNanos = null;
        entry.returnedNanos = null;
        entry.reason = null;
    }

    private void move(Entry entry, Phase phase) {
        boolean changesWhoCalls = phase == Phase.STARTED || phase == Phase.LOST || entry.phase == Phase.LOST;
        changes += changesWhoCalls ? 1 : 0;
        entry.phase = phase;
        notifyAll();
    }

    /** Waits until every tester is in one of these phases, or the time is over; returns whether they are. */
    public synchronized boolean await(long timeoutNanos, Phase... wanted) throws InterruptedException {
        Set<Phase> phases = EnumSet.copyOf(List.of(wanted));
        long deadlineNanos = clock.nanoTime() + timeoutNanos;
        while (!entries.values().stream().allMatch(entry -> phases.contains(entry.phase))) {
            long leftNanos = deadlineNanos - clock.nanoTime();
            if (leftNanos <= 0) {
                return false;
            }
            pause.await(this, Math.min(leftNanos, LOOK_NANOS));
        }
        return true;
    }

    /** Returns whether nothing more comes of any tester. */
    public synchronized boolean isDone() {
        return entries.values().stream()
                .allMatch(entry ->
                        entry.phase == Phase.FINISHED || entry.phase == Phase.LOST || entry.phase == Phase.UNUSABLE);
    }

    /** Lists the testers that were lost at some time, those too that came back. */
    public synchronized List<Integer> lost() {
        return entries.values().stream()
                .filter(entry -> entry.lostNanos != null)
                .map(entry -> entry.tester)
                .toList();
    }

    /** Returns whether a tester was given up so long ago that what comes of it now cannot have been under way then. */
    public synchronized boolean isLostSince(int tester, long nanos, long nowNanos) {
        Long noticed = entry(tester).noticedNanos;
        return entry(tester).phase == Phase.LOST && noticed != null && nowNanos - noticed > nanos;
    }

    public synchronized int count(Predicate<Phase> phase) {
        return (int) entries.values().stream()
                .filter(entry -> phase.test(entry.phase))
                .count();
    }

    /** Counts the testers that take part: they call, or their share of the plan is done. */
    public synchronized int present() {
        return (int) entries.values().stream()
                .filter(entry ->
                        entry.phase == Phase.STARTED || entry.phase == Phase.FINISHED && entry.lostNanos == null)
                .count();
    }

    public synchronized List<Integer> inPhase(Phase phase) {
        return entries.values().stream()
                .filter(entry -> entry.phase == phase)
                .map(entry -> entry.tester)
                .toList();
    }

    public synchronized Phase phaseOf(int tester) {
        return entry(tester).phase;
    }

    /** Says why a tester could not take part or was lost; empty where nothing is known. */
    public synchronized String reasonOf(int tester) {
        String reason = entry(tester).reason;
        return reason == null ? "" : reason;
    }

    /** Says of each tester in the phase why it is there. */
    public synchronized String reasons(Phase phase) {
        return inPhase(phase).stream()
                .map(tester -> "tester-" + tester + ": " + entry(tester).reason)
                .collect(Collectors.joining("; "));
    }

    /** Says of each tester that ended its load by itself why it did. */
    public synchronized List<String> aborted() {
        List<String> reasons = new ArrayList<>();
        for (Entry entry : entries.values()) {
            TesterTotals totals = entry.totals;
            if (totals != null && !totals.aborted().isEmpty()) {
                reasons.add("tester-" + entry.tester + ": " + totals.aborted());
            }
        }
        return reasons;
    }

    /** Names the testers whose load was not seen to end, with what they had done when they were last heard; empty: none. */
    public synchronized String unreported() {
        String testers = entries.values().stream()
                .filter(entry -> entry.phase == Phase.STARTED || entry.phase == Phase.RETURNED)
                .map(entry -> "tester-" + entry.tester + ", which had sent "
                        + Numbers.count(entry.status.sent(), "call") + " when it was last heard from")
                .collect(Collectors.joining("; "));
        return testers.isEmpty()
                ? ""
                : "testers did not report that they had finished: " + testers + "; any later calls are lost";
    }

    public synchronized boolean anyDebugger() {
        return entries.values().stream().anyMatch(entry -> entry.facts != null && entry.facts.debugger());
    }

    /** Adds up what the testers last said. */
    public synchronized TesterStatus sum() {
        TesterStatus sum = TesterStatus.NONE;
        for (Entry entry : entries.values()) {
            TesterStatus status = entry.status;
            boolean alive = entry.phase == Phase.STARTED;
            sum = new TesterStatus(
                    sum.activeClients() + (alive ? status.activeClients() : 0),
                    sum.inFlight() + (alive ? status.inFlight() : 0),
                    sum.sent() + status.sent(),
                    sum.ok() + status.ok(),
                    sum.failed() + status.failed(),
                    sum.dropped() + status.dropped());
        }
        return sum;
    }

    /**
     * How a tester is now.
     *
     * @param host its machine; empty: it has not joined
     * @param reason why it is of no use; empty: it is
     * @param status what it said last
     * @param clockErrorNanos by how much its clock may be off, as far as the controller can tell now; {@link Long#MAX_VALUE}: not known
     */
    public record Now(int tester, String host, Phase phase, String reason, TesterStatus status, long clockErrorNanos) {}

    /** Lists how all testers are now. */
    public synchronized List<Now> now() {
        return entries.values().stream()
                .map(entry -> new Now(
                        entry.tester,
                        entry.facts == null ? "" : entry.facts.host(),
                        entry.phase,
                        entry.reason == null ? "" : entry.reason,
                        entry.status,
                        entry.clockErrorNanos))
                .toList();
    }

    /** Notes by how much a tester's clock may be off. */
    public synchronized void clock(int tester, long errorNanos) {
        Entry entry = entries.get(tester);
        if (entry != null) {
            entry.clockErrorNanos = errorNanos;
        }
    }

    /** Lists what the testers that joined have said of their machines. */
    public synchronized List<TesterFacts> facts() {
        return entries.values().stream()
                .map(entry -> entry.facts)
                .flatMap(Stream::ofNullable)
                .toList();
    }

    /** Writes down all testers; {@code fleet} knows their nodes. */
    public synchronized List<TesterRecord> records(Fleet fleet) {
        return entries.values().stream()
                .map(entry -> {
                    Node node = fleet.node(entry.tester);
                    return record(entry, node == null ? null : node.name());
                })
                .toList();
    }

    /** Writes down all testers of a resumed run. */
    public synchronized List<TesterRecord> records() {
        return entries.values().stream()
                .map(entry -> record(entry, entry.before == null ? null : entry.before.node()))
                .toList();
    }

    private static TesterRecord record(Entry entry, @Nullable String node) {
        TesterTotals totals = entry.totals;
        TesterStatus status = entry.status;
        TesterRecord before = entry.before;
        return new TesterRecord(
                entry.tester,
                entry.facts != null ? entry.facts.host() : before == null ? "" : before.host(),
                entry.localStartNanos != null,
                entry.lostNanos,
                entry.reason,
                entry.localStartNanos,
                totals == null ? status.sent() : totals.sent(),
                totals == null ? status.dropped() : totals.dropped(),
                totals == null ? 0 : totals.lateEnds(),
                totals == null ? 0 : totals.stuckClients(),
                totals == null ? Map.of() : totals.rejected(),
                entry.facts != null ? describe(entry.facts) : before == null ? Map.of() : before.facts(),
                entry.slot,
                entry.replaces == 0 ? null : (Integer) entry.replaces,
                entry.joinedNanos,
                entry.returnedNanos,
                node);
    }

    private static Map<String, String> describe(TesterFacts facts) {
        Map<String, String> described = new LinkedHashMap<>();
        described.put("operating system", facts.os());
        described.put("cores", String.valueOf(facts.cores()));
        described.put("memory", (facts.memoryBytes() >> 20) + " MiB");
        described.put("Java", facts.java());
        described.put("JVM flags", String.join(" ", facts.jvmFlags()));
        return described;
    }
}
