package org.diperf.controller.run;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.diperf.core.run.RunRecord.TesterRecord;
import org.diperf.core.wire.TesterFacts;
import org.diperf.core.wire.TesterStatus;
import org.diperf.core.wire.TesterTotals;
import org.jspecify.annotations.Nullable;

/**
 * What is known of each tester of a run. Thread-safe: the collector and the testbed report to it, the run waits on it.
 */
final class Roster {

    /** How far a tester has come. */
    enum Phase {
        EXPECTED,
        JOINED,
        READY,
        STARTED,
        FINISHED,
        /** It could not take part; the reason says why. */
        UNUSABLE,
        LOST
    }

    private static final class Entry {
        Phase phase = Phase.EXPECTED;

        @Nullable
        TesterFacts facts;

        @Nullable
        String reason;

        @Nullable
        Long lostNanos;

        @Nullable
        Long localStartNanos;

        @Nullable
        TesterTotals totals;

        TesterStatus status = TesterStatus.NONE;
    }

    private final List<Entry> entries = new ArrayList<>();

    Roster(int testers) {
        for (int i = 0; i < testers; i++) {
            entries.add(new Entry());
        }
    }

    private Entry entry(int tester) {
        return entries.get(tester - 1);
    }

    synchronized void joined(int tester, TesterFacts facts) {
        entry(tester).facts = facts;
        move(tester, Phase.JOINED);
    }

    synchronized void ready(int tester) {
        move(tester, Phase.READY);
    }

    synchronized void started(int tester, long localStartNanos) {
        entry(tester).localStartNanos = localStartNanos;
        move(tester, Phase.STARTED);
    }

    synchronized void status(int tester, TesterStatus status) {
        entry(tester).status = status;
    }

    synchronized void finished(int tester, TesterTotals totals) {
        entry(tester).totals = totals;
        move(tester, Phase.FINISHED);
    }

    synchronized void unusable(int tester, String reason) {
        Entry entry = entry(tester);
        if (entry.phase.compareTo(Phase.STARTED) < 0) {
            entry.reason = reason;
            move(tester, Phase.UNUSABLE);
        }
    }

    /**
     * Notes that nothing is heard of a tester any more.
     *
     * @param atNanos after the start of the run
     * @return whether that is news: it had started and not finished
     */
    synchronized boolean lost(int tester, String reason, long atNanos) {
        Entry entry = entry(tester);
        if (entry.phase != Phase.STARTED) {
            unusable(tester, reason);
            return false;
        }
        if (entry.lostNanos == null) {
            entry.reason = reason;
            entry.lostNanos = atNanos;
        }
        move(tester, Phase.LOST);
        return true;
    }

    synchronized void back(int tester) {
        Entry entry = entry(tester);
        if (entry.phase == Phase.LOST) {
            // Its own lease ran out as well: its load stays away, its samples are coming.
            move(tester, Phase.STARTED);
        }
    }

    private void move(int tester, Phase phase) {
        entry(tester).phase = phase;
        notifyAll();
    }

    /** Waits until every tester is in one of these phases, or the time is over; returns whether they are. */
    synchronized boolean await(long timeoutNanos, Phase... wanted) throws InterruptedException {
        List<Phase> phases = List.of(wanted);
        long deadline = System.nanoTime() + timeoutNanos;
        while (!entries.stream().allMatch(entry -> phases.contains(entry.phase))) {
            long millis = (deadline - System.nanoTime()) / 1_000_000;
            if (millis <= 0) {
                return false;
            }
            wait(Math.min(millis, 200));
        }
        return true;
    }

    synchronized int count(Predicate<Phase> phase) {
        return (int) entries.stream().filter(entry -> phase.test(entry.phase)).count();
    }

    synchronized List<Integer> inPhase(Phase phase) {
        List<Integer> testers = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).phase == phase) {
                testers.add(i + 1);
            }
        }
        return testers;
    }

    /** Lists the testers that were lost at some time, those too that came back. */
    synchronized List<Integer> lost() {
        List<Integer> testers = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            if (entries.get(i).lostNanos != null) {
                testers.add(i + 1);
            }
        }
        return testers;
    }

    /** Says of each tester in the phase why it is there. */
    synchronized String reasons(Phase phase) {
        return inPhase(phase).stream()
                .map(tester -> "tester-" + tester + ": " + entry(tester).reason)
                .collect(Collectors.joining("; "));
    }

    /** Says of each tester that ended its load by itself why it did. */
    synchronized List<String> aborted() {
        List<String> reasons = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            TesterTotals totals = entries.get(i).totals;
            if (totals != null && !totals.aborted().isEmpty()) {
                reasons.add("tester-" + (i + 1) + ": " + totals.aborted());
            }
        }
        return reasons;
    }

    synchronized boolean anyDebugger() {
        return entries.stream().anyMatch(entry -> entry.facts != null && entry.facts.debugger());
    }

    /** Adds up what the testers last said. */
    synchronized TesterStatus sum() {
        TesterStatus sum = TesterStatus.NONE;
        for (Entry entry : entries) {
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

    synchronized List<TesterRecord> records() {
        List<TesterRecord> records = new ArrayList<>();
        for (int i = 0; i < entries.size(); i++) {
            records.add(record(i + 1, entries.get(i)));
        }
        return records;
    }

    private static TesterRecord record(int number, Entry entry) {
        TesterTotals totals = entry.totals;
        TesterStatus status = entry.status;
        return new TesterRecord(
                number,
                entry.facts == null ? "" : entry.facts.host(),
                entry.localStartNanos != null,
                entry.lostNanos,
                entry.reason,
                entry.localStartNanos,
                totals == null ? status.sent() : totals.sent(),
                totals == null ? status.dropped() : totals.dropped(),
                totals == null ? 0 : totals.lateEnds(),
                totals == null ? 0 : totals.stuckClients(),
                totals == null ? Map.of() : totals.rejected(),
                entry.facts == null ? Map.of() : describe(entry.facts));
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
