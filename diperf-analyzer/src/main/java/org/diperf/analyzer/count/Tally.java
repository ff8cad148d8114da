package org.diperf.analyzer.count;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.diperf.analyzer.count.TesterHealthSeries.Sign;
import org.diperf.analyzer.load.ClientOwners;
import org.diperf.analyzer.load.Partition;
import org.diperf.analyzer.load.PlannedLoad;
import org.diperf.analyzer.load.PlannedLoad.Part;
import org.diperf.analyzer.load.Windows;
import org.diperf.analyzer.monitors.AddedDelay;
import org.diperf.analyzer.result.ClientSide;
import org.diperf.analyzer.run.CallCounter;
import org.diperf.analyzer.run.DetailedCalls;
import org.diperf.analyzer.run.Outcomes;
import org.diperf.analyzer.run.Outcomes.Endings;
import org.diperf.analyzer.run.PlausibilityCheck;
import org.diperf.analyzer.run.TesterBlocks;
import org.diperf.analyzer.run.TesterClock;
import org.diperf.analyzer.sets.Durations;
import org.diperf.analyzer.sets.Durations.Kind;
import org.diperf.core.run.OriginRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.Events;
import org.diperf.core.sample.Observations;
import org.diperf.core.sample.SampleColumn;
import org.jspecify.annotations.Nullable;

/**
 * What is counted of the samples of a run, or of the share of them that one thread has, in memory that grows neither with
 * samples nor with the length of the run. Allocates nothing per sample. What several threads counted of calls is added up
 * with {@link #addAll}: every part of it must say the same in whichever order calls came and however they were shared.
 * Observations all go to one tally, in the order of the files. Confined to one thread.
 */
public final class Tally implements CallCounter {

    private static final double MILLI = 1e6;
    private static final double BYTES_PER_MEGABIT = 1e6 / 8;
    private static final long SECOND = 1_000_000_000;
    private static final int MAX_DAMAGE = 3;

    final Outcomes outcomes;
    public final OutcomeCounts ends;
    public final Quanta quanta;
    public final ClientTally clients;
    public final ScopeTally whole;
    public final ScopeTally measured;
    /** Calls that were due in the measured part and ended after it, less, in its batches, those that had been due before. */
    private final ScopeTally late;
    /** Calls that ended in the measured part and had been due before. */
    private final ScopeTally early;

    public final @Nullable ScopeTally peak;
    public final Map<Integer, TesterTally> testers = new TreeMap<>();
    public final Request[] requests;
    /** By the number of the journey or group. */
    public final GroupTally[] groups;

    public final StageTally stages;
    public final @Nullable Partition partition;
    public final PartTally[] parts;
    public final MetricTallies metrics;
    private final EventTally events;
    public final List<String> damage = new ArrayList<>();
    /** Calls that are shown whole; of the tally to which observations go, too. */
    public final DetailedCalls shown = new DetailedCalls();

    private long damaged;
    private final ClientSideTally clientSide;
    private long lastEnd;

    private Map<Integer, TesterBlocks> blocks = Map.of();
    private final RunRecord run;
    private final PlannedLoad offered;
    private final Windows windows;
    private final long expectedNanos;
    private final WindowSegments cells;
    private final CellBuffer buffer;
    private final OkCallColumns rows;
    private final ClientOwners owners;
    private final AddedDelay delay;
    public final FirstOutcomes firsts = new FirstOutcomes();
    private final Calls calls = new Calls(SampleColumn.ERROR_IN, SampleColumn.ERROR_OUT);
    private final Observations observations = new Observations();
    private final Events ofCalls = new Events();

    /** What is counted of one kind of request. */
    public static final class Request {
        public final Durations response = new Durations(Kind.TOTAL);
        /** What its ok calls took at least, of those of which it is known. */
        public final Durations least = new Durations(Kind.TOTAL);

        public long failed;
        /** By the load generator's fault; within {@link #failed}. */
        public long refused;
        /** Of its calls in the measured part; {@code null}: that is the whole run. */
        public final @Nullable Request measured;

        Request(boolean hasPart) {
            measured = hasPart ? new Request(false) : null;
        }

        private void ok(OkCallColumns rows, int from, int to, boolean inPart) {
            response.addAll(rows.latency, rows.latencyPlaces, from, to, rows.latencies);
            if (rows.knowsLeast) {
                rows.addLeasts(least, from, to);
            }
            if (measured != null && inPart) {
                measured.ok(rows, from, to, false);
            }
        }

        private void failed(boolean isRefused, boolean inPart) {
            failed++;
            refused += isRefused ? 1 : 0;
            if (measured != null && inPart) {
                measured.failed(isRefused, false);
            }
        }

        private void addAll(Request other) {
            response.addAll(other.response);
            least.addAll(other.least);
            failed += other.failed;
            refused += other.refused;
            if (measured != null && other.measured != null) {
                measured.addAll(other.measured);
            }
        }
    }

    /** @param delay that the testbed added */
    public Tally(
            RunRecord run,
            PlannedLoad offered,
            Windows windows,
            @Nullable Partition partition,
            long expectedNanos,
            AddedDelay delay) {
        this(run, offered, windows, partition, expectedNanos, delay, new Outcomes(run), ClientOwners.of(run));
    }

    private Tally(
            RunRecord run,
            PlannedLoad offered,
            Windows windows,
            @Nullable Partition partition,
            long expectedNanos,
            AddedDelay delay,
            Outcomes outcomes,
            ClientOwners owners) {
        this.run = run;
        this.owners = owners;
        this.delay = delay;
        this.rows = new OkCallColumns(!run.lacks(OriginRecord.SEND_LAG));
        this.offered = offered;
        this.windows = windows;
        this.expectedNanos = expectedNanos;
        this.outcomes = outcomes;
        this.ends = new OutcomeCounts(outcomes);
        this.quanta = new Quanta(Math.max(1_000, run.report().quantumNanos()), expectedNanos, run.seed());
        this.clients = new ClientTally(offered);
        this.whole = ScopeTally.withIntervals(0, Long.MAX_VALUE, expectedNanos);
        this.stages = new StageTally(offered);
        this.clientSide = new ClientSideTally(run.metrics());
        Part part = offered.peak();
        this.peak = part == null ? null : ScopeTally.withIntervals(part.from(), part.to(), expectedNanos);
        this.measured = measured(windows);
        this.late = ScopeTally.withIntervals(measured.from, measured.to, expectedNanos);
        this.early = new ScopeTally(measured.from, measured.to);
        Set<ScopeTally> distinct = new LinkedHashSet<>();
        distinct.add(whole);
        distinct.add(measured);
        if (peak != null) {
            distinct.add(peak);
        }
        this.cells = new WindowSegments(distinct.toArray(ScopeTally[]::new));
        this.buffer = new CellBuffer(quanta, cells);
        this.partition = partition;
        this.parts = new PartTally[partition == null ? 0 : partition.names().size()];
        for (int i = 0; i < parts.length; i++) {
            parts[i] = new PartTally(measured, peak, quanta.quantumNanos(), expectedNanos, run.seed());
        }
        this.metrics = new MetricTallies(run, quanta.quantumNanos());
        this.events = new EventTally(run.stream());
        this.requests = new Request[Math.max(1, run.requests().size())];
        for (int i = 0; i < requests.length; i++) {
            requests[i] = new Request(requests.length > 1 && !windows.isWhole());
        }
        this.groups = new GroupTally[run.groups().size()];
        for (int i = 0; i < groups.length; i++) {
            groups[i] = new GroupTally();
        }
    }

    /** Says what clients measured in the measured part of the run; {@code null}: nothing. */
    public @Nullable ClientSide clientSide(long duration) {
        return clientSide.found(measured, Math.min(duration, measured.to), events);
    }

    /** Returns the word of an outcome's number. */
    public String word(int outcome) {
        return outcomes.word(outcome);
    }

    /** Counts the places at which samples are damaged. */
    public long damaged() {
        return damaged;
    }

    /** Returns when the last call ended, ns after the start of the run. */
    public long lastEnd() {
        return lastEnd;
    }

    /** Chooses where to count: what is the same part of the run is counted once. */
    private ScopeTally measured(Windows windows) {
        if (windows.isPeak() && peak != null) {
            return peak;
        }
        return windows.isWhole() ? whole : ScopeTally.withIntervals(windows.from(), windows.to(), expectedNanos);
    }

    /** Makes one for another thread, whose calls are to be added to these. */
    Tally share() {
        return new Tally(run, offered, windows, partition, expectedNanos, delay, outcomes, owners);
    }

    /** Takes over the calls that another thread counted; its tally is done with. */
    void addAll(Tally other) {
        buffer.flush();
        other.buffer.flush();
        firsts.addAll(other.firsts);
        quanta.addAll(other.quanta);
        clients.addAll(other.clients);
        cells.addAll(other.cells);
        late.addAll(other.late);
        early.addAll(other.early);
        other.testers.forEach((number, tester) -> tester(number, tester.clock).addAll(tester));
        for (int i = 0; i < requests.length; i++) {
            requests[i].addAll(other.requests[i]);
        }
        for (int i = 0; i < groups.length; i++) {
            groups[i].addAll(other.groups[i]);
        }
        stages.addAll(other.stages);
        clientSide.addAll(other.clientSide);
        metrics.addAll(other.metrics);
        events.addAll(other.events);
        for (int i = 0; i < parts.length; i++) {
            parts[i].addAll(other.parts[i]);
        }
        damaged += other.damaged;
        damage.addAll(other.damage);
        Collections.sort(damage);
        lastEnd = Math.max(lastEnd, other.lastEnd);
    }

    private TesterTally tester(int number, TesterClock clock) {
        return testers.computeIfAbsent(number, key -> new TesterTally(clock.copy()));
    }

    /** Notes what came of each tester, by number. */
    void read(Map<Integer, TesterBlocks> testers) {
        blocks = testers;
    }

    /** Returns what came of each tester, by number. */
    public Map<Integer, TesterBlocks> blocks() {
        return blocks;
    }

    /** Begins the counts of a tester, where it has none. */
    void begin(int number, TesterClock clock) {
        if (!testers.containsKey(number)) {
            testers.put(number, new TesterTally(clock));
        }
    }

    /** Notes bytes that are no block, or one that cannot be decoded. */
    @Override
    public void damaged(String what) {
        damaged++;
        if (damage.size() < MAX_DAMAGE) {
            damage.add(what);
        }
    }

    /**
     * Counts a block of observations.
     *
     * @throws CorruptBlockException when it cannot be decoded; nothing was counted then
     */
    void observe(Block header, ByteBuffer data, TesterClock clock) throws CorruptBlockException {
        observations.decode(data, header);
        begin(header.tester(), clock);
        observe(tester(header.tester(), clock));
    }

    @Override
    public void count(Block header, ByteBuffer data, TesterClock clock, Endings endings) throws CorruptBlockException {
        TesterTally tester = tester(header.tester(), clock);
        if (header.kind() == Block.EVENTS) {
            ofCalls.decode(data, header);
            events.count(ofCalls, tester.clock, measured, metrics);
            return;
        }
        calls.decode(data, header);
        int foreign = owners.firstForeign(header, calls);
        if (foreign >= 0) {
            tester.refuse(calls.rows(), calls.clients()[foreign]);
            return;
        }
        int impossible = PlausibilityCheck.firstImpossible(calls);
        if (impossible >= 0) {
            tester.refuse(calls.rows(), PlausibilityCheck.words(calls, impossible));
            return;
        }
        if (header.kind() == Block.GROUPS) {
            groups(endings);
            return;
        }
        tester.seen(header.firstNanos(), header.lastNanos());
        delay.addTo(calls, tester.clock);
        count(tester, header.tester(), endings);
        clientSide.count(calls, tester.clock, endings, measured);
        if (calls.hasMetrics()) {
            metrics(tester, endings);
        }
    }

    private void groups(Endings endings) {
        for (int row = 0; row < calls.rows(); row++) {
            int group = calls.request(row);
            if (group >= 0 && group < groups.length) {
                groups[group].add(
                        endings.numbers()[calls.outcomeIndex(row)], calls.latencyNanos(row), calls.bytes(row));
            }
        }
    }

    /** Counts what the client measured of calls, ok ones as in all statistics. */
    private void metrics(TesterTally tester, Endings endings) {
        for (int row = 0; row < calls.rows(); row++) {
            if (endings.numbers()[calls.outcomeIndex(row)] == Outcomes.OK) {
                metrics.count(
                        calls,
                        row,
                        Math.max(0, tester.clock.sinceStart(calls.intendedNanos(row) + calls.latencyNanos(row))));
            }
        }
    }

    private void count(TesterTally tester, int number, Endings endings) {
        rows.take(calls, tester.clock, endings);
        if (rows.count > 0) {
            if (tester.clock.isBeyond(rows.latest)) {
                tester.beyond();
            }
            ok(tester, number);
        }
        for (int row = 0; row < calls.rows() && rows.count < calls.rows(); row++) {
            int outcome = endings.numbers()[calls.outcomeIndex(row)];
            if (outcome != Outcomes.OK) {
                long end = Math.max(0, tester.clock.sinceStart(calls.intendedNanos(row) + calls.latencyNanos(row)));
                lastEnd = Math.max(lastEnd, end);
                if (tester.clock.isBeyond(end)) {
                    tester.beyond();
                }
                if (outcome == Outcomes.DROPPED) {
                    dropped(number, row, end);
                } else {
                    failed(tester, number, row, outcome, endings.generators()[calls.outcomeIndex(row)], end);
                }
            }
        }
    }

    /** Counts the ok calls of a block. */
    private void ok(TesterTally tester, int number) {
        for (int from = 0; from < rows.count; ) {
            long end = rows.end[from];
            int to = buffer.holds(rows) ? rows.count : sameCell(from);
            rows.sum(from, to);
            tester.ok(rows, from, to);
            if (peak != null && peak.holds(end)) {
                tester.peakOk += to - from;
                tester.peakBytes += rows.moved;
            }
            buffer.ok(rows, from, to);
            from = to;
        }
        lastEnd = Math.max(lastEnd, rows.latest);
        edges(measured);
        if (peak != null && peak != measured) {
            edges(peak);
        }
        stages.ok(rows);
        clients.ok(rows, peak);
        if (requests.length > 1) {
            kinds();
        }
        for (int row = 0; row < rows.count && partition != null; row++) {
            PartTally part = part(number, (int) rows.stage[row], (int) rows.request[row]);
            if (part != null) {
                part.sent(
                        Outcomes.OK, rows.end[row], rows.latency[row], rows.lag(row), rows.least(row), rows.bytes[row]);
            }
        }
    }

    /** Counts the ok calls of a block that were running when a window began or ended. */
    private void edges(ScopeTally window) {
        if (!(rows.firstDue < window.from && rows.latest >= window.from
                || rows.firstDue < window.to && rows.latest >= window.to)) {
            return;
        }
        for (int row = 0; row < rows.count; row++) {
            long end = rows.end[row];
            window.edge(end, rows.latency[row], rows.least(row));
            if (window == measured) {
                edge(Outcomes.OK, end, rows.latency[row], rows.lag(row), rows.least(row), rows.bytes[row]);
            }
        }
    }

    /** Counts a call that was due in the measured part and ended after it, or that ended in it and had been due before. */
    private void edge(int outcome, long end, long latency, long lag, long least, long bytes) {
        // By its clock a tester may have begun a little before the run did.
        long due = Math.max(0, end - latency);
        if (end >= measured.to && measured.holds(due)) {
            // Of a steady service they stand for those that are left out at the part's begin, and so for as long after
            // it.
            long at = measured.from + (end - measured.to) % (measured.to - measured.from);
            late.sent(outcome, at, latency, lag, least, bytes);
        } else if (due < measured.from && measured.holds(end)) {
            early.sent(outcome, end, latency, lag, least, bytes);
            if (outcome == Outcomes.OK && late.batches != null) {
                late.batches.remove(end, latency);
            }
        }
    }

    /**
     * Returns the measured part with the calls that were due in it and ended after it; {@code null}: there are none of these. It counts
     * all of them, but has the times of those alone that were due in it: with those that had been due before as well, calls that are long
     * would be too many. Of use when all calls have been counted.
     */
    public @Nullable ScopeTally measuredWithLate() {
        if (late.lag.count() == 0 && late.response.count() == 0 && late.responseFailed.count() == 0) {
            return null;
        }
        ScopeTally all = measured.withTimesLess(early);
        all.addAll(late);
        return all;
    }

    /** Finds the first row behind one that did not end in the same quantum, window and batch. */
    private int sameCell(int from) {
        long since = buffer.since(rows.end[from]);
        long until = buffer.until(rows.end[from]);
        int to = from + 1;
        while (to < rows.count && rows.end[to] < until && rows.end[to] >= since) {
            to++;
        }
        return to;
    }

    /** Counts the ok calls of a block towards their kinds of request. */
    private void kinds() {
        for (int from = 0; from < rows.count; ) {
            boolean inPart = measured.holds(rows.end[from]);
            int to = from + 1;
            while (to < rows.count
                    && rows.request[to] == rows.request[from]
                    && measured.holds(rows.end[to]) == inPart) {
                to++;
            }
            Request request = request((int) rows.request[from]);
            if (request != null) {
                rows.sumLatencies(from, to);
                request.ok(rows, from, to, inPart);
            }
            from = to;
        }
    }

    private @Nullable Request request(int kind) {
        return kind >= 0 && kind < requests.length ? requests[kind] : null;
    }

    /** Returns the part of the run to which a call belongs; {@code null} where it has none. */
    private @Nullable PartTally part(int tester, int stage, int request) {
        if (partition == null) {
            return null;
        }
        int part = partition.of(tester, stage, request);
        return part < 0 ? null : parts[part];
    }

    private void dropped(int number, int row, long end) {
        quanta.dropped(end);
        stages.dropped(calls.stage(row), end);
        PartTally part = part(number, calls.stage(row), calls.request(row));
        if (part != null) {
            part.dropped(end);
        }
        cells.at(end).count(Outcomes.DROPPED);
    }

    /** Counts a call that was sent and did not go well, or had not ended. */
    private void failed(TesterTally tester, int number, int row, int outcome, boolean generators, long end) {
        long latency = calls.latencyNanos(row);
        long lag = rows.knowsLag ? calls.lagNanos(row) : -1;
        long sent = end - (latency - Math.max(0, lag));
        tester.sent++;
        quanta.sent(sent, end, lag);
        stages.failed(outcome, calls.stage(row), end, latency, lag, calls.bytes(row));
        PartTally part = part(number, calls.stage(row), calls.request(row));
        if (part != null) {
            part.sent(outcome, end, latency, lag, -1, calls.bytes(row));
        }
        cells.at(end).sent(outcome, end, latency, lag, -1, calls.bytes(row));
        edge(outcome, end, latency, lag, -1, calls.bytes(row));
        ClientTally.One client = clients.client(calls.client(row));
        if (client != null) {
            client.sent(sent, end);
        }
        if (outcome == Outcomes.UNFINISHED) {
            return;
        }
        tester.failed++;
        quanta.failed(end);
        firsts.note(outcome, end, number);
        if (generators) {
            quanta.refused(end);
        }
        if (client != null) {
            client.failed++;
        }
        Request request = request(calls.request(row));
        if (request != null) {
            request.failed(generators, measured.holds(end));
        }
    }

    /** Puts together what is wanted of all calls; nothing may be counted afterwards. */
    public void close() {
        buffer.flush();
        cells.close();
        clients.close();
        if (requests.length == 1) {
            // All calls are of that kind.
            requests[0].response.addAll(whole.response);
            requests[0].least.addAll(whole.least);
        }
    }

    private void observe(TesterTally tester) {
        for (int row = 0; row < observations.rows(); row++) {
            double value = observations.value(row);
            String metric = observations.metric(row);
            if (!(isOwn(metric) ? PlausibilityCheck.isOwnValue(value) : PlausibilityCheck.isValue(value))) {
                if (!Double.isNaN(value)) {
                    tester.leaveOut(metric, value);
                }
                continue;
            }
            switch (metric) {
                case "network.rtt" -> {
                    tester.rtt.add(Math.round(value * MILLI));
                    quanta.network(at(tester, row, 0), Math.round(value * MILLI));
                    tester.roundTrip(at(tester, row, 0), value, quanta.quantumNanos());
                }
                case "network.bandwidth" -> tester.bandwidth(value * BYTES_PER_MEGABIT);
                case "client.startup" -> tester.startup.add(Math.round(value * MILLI));
                default -> watched(tester, metric, at(tester, row, Long.MIN_VALUE), value);
            }
        }
    }

    /** Returns whether a metric is what a tester says of itself or of its way to the target; another one is a plugin's. */
    private static boolean isOwn(String metric) {
        return metric.equals("network.rtt")
                || metric.equals("network.bandwidth")
                || metric.equals("client.startup")
                || isOfGenerator(metric);
    }

    private static boolean isOfGenerator(String metric) {
        return metric.startsWith("tester.") || metric.startsWith("host.") || metric.startsWith("loop.");
    }

    /** Takes what a tester says of itself; another metric is a plugin's. */
    private void watched(TesterTally tester, String metric, long at, double value) {
        if (!isOfGenerator(metric)) {
            if (measuredAt(at)) {
                clientSide.observe(metric, value);
            }
            metrics.observe(metric, value, at);
            return;
        }
        // The second that an observation speaks of ends with it; what was before the start belongs to no quantum.
        if (at - SECOND / 2 < 0) {
            return;
        }
        // A tester that stood still says so when it goes on, which may be after the part's end.
        boolean isMeasured = metric.equals("tester.hiccup")
                ? at >= measured.from && at - Math.round(value * MILLI) < measured.to
                : measuredAt(at - SECOND / 2);
        tester.watch.add(metric, value, isMeasured);
        switch (metric) {
            case "tester.hiccup" -> quanta.watched(Sign.HICCUP, at - Math.round(value * MILLI), at, value);
            case "tester.runqueue" -> second(Sign.RUN_QUEUE, at, value);
            case "tester.starved" -> second(Sign.STARVED, at, value);
            case "tester.gc" -> second(Sign.GC, at, value);
            case "tester.held" -> second(Sign.HELD, at, value);
            case "host.steal" -> second(Sign.STEAL, at, value);
            default -> {
                // for the tester's row alone
            }
        }
    }

    /** Marks those quanta of which the second before an instant covers the better part, and at least one. */
    private void second(Sign sign, long at, double value) {
        long half = Math.min(SECOND, quanta.quantumNanos()) / 2;
        quanta.watched(sign, Math.max(0, at - SECOND + half), Math.max(0, at - half), value);
    }

    private boolean measuredAt(long at) {
        return measured.holds(at);
    }

    private long at(TesterTally tester, int row, long least) {
        return Math.max(least, tester.clock.sinceStart(observations.timeNanos(row)));
    }
}
