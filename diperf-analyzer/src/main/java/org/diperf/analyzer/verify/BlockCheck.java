package org.diperf.analyzer.verify;

import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import org.diperf.analyzer.load.ClientOwners;
import org.diperf.analyzer.run.ClockFile;
import org.diperf.analyzer.run.PlausibilityCheck;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.TesterClock;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallExchanges;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.Events;
import org.diperf.core.sample.Observations;
import org.diperf.core.sample.Outcome;
import org.jspecify.annotations.Nullable;

/**
 * Looks into a block whose checksum holds: whether it can be decoded, and whether what it says can be of this run. Confined
 * to one thread.
 */
final class BlockCheck {

    /** By so much a call may begin before the start or after the end: clocks are known less well than their bounds say. */
    private static final long TOLERANCE_NANOS = 1_000_000_000;

    private final RunRecord run;
    private final ClockFile clocks;
    private final boolean ofMonitors;
    private final Map<Integer, TesterClock> testers = new HashMap<>();
    private final Calls calls = new Calls();
    private final ClientOwners owners;
    private final Observations observations = new Observations();
    private final Events events = new Events();
    private final int mostClients;
    private final long lastNanos;

    BlockCheck(RunRecord run, ClockFile clocks) {
        this(run, clocks, false);
    }

    private BlockCheck(RunRecord run, ClockFile clocks, boolean ofMonitors) {
        this.run = run;
        this.clocks = clocks;
        this.ofMonitors = ofMonitors;
        this.owners = ClientOwners.of(run);
        this.mostClients = mostClients(run);
        Long end = run.endNanos();
        this.lastNanos = end == null ? Long.MAX_VALUE : end - run.startNanos() + TOLERANCE_NANOS;
    }

    /** Looks into what monitors saw: nothing was planned there. */
    static BlockCheck ofMonitors(RunRecord run) {
        return new BlockCheck(run, ClockFile.none(), true);
    }

    boolean isOfMonitors() {
        return ofMonitors;
    }

    /** Returns how the names of files begin, where they are not those of the calls. */
    String folder() {
        return ofMonitors ? RunFiles.MONITORS + "/" : "";
    }

    /** Returns the first number that no client has, where the plan tells. */
    private static int mostClients(RunRecord run) {
        int most = 0;
        for (StageRecord stage : run.stages()) {
            ClosedLoad closed = stage.closed();
            if (closed == null || run.shares() != null) {
                return Integer.MAX_VALUE;
            }
            most = Math.max(most, closed.clients());
        }
        return most == 0 ? Integer.MAX_VALUE : most;
    }

    /** Says why a block cannot be used; {@code null}: it can. */
    @Nullable
    String fault(Block header, ByteBuffer data) {
        try {
            if (header.kind() == Block.OBSERVATIONS) {
                observations.decode(data, header);
                return null;
            }
            if (header.kind() == Block.EXCHANGES) {
                CallExchanges.decode(data, header);
                return null;
            }
            if (header.kind() == Block.EVENTS) {
                events.decode(data, header);
                return null;
            }
            if (header.kind() != Block.CALLS && header.kind() != Block.GROUPS) {
                return "expected a block of calls, groups of calls, events, observations or exchanges, got kind "
                        + header.kind();
            }
            calls.decode(data, header);
        } catch (CorruptBlockException | RuntimeException e) {
            return "its checksum is correct, but it cannot be decoded: " + e.getMessage();
        }
        if (ofMonitors) {
            return null;
        }
        if (run.testers().stream().noneMatch(tester -> tester.number() == header.tester())) {
            return "expected a tester of this run, got tester " + header.tester();
        }
        TesterClock clock = testers.computeIfAbsent(header.tester(), number -> TesterClock.of(run, clocks, header));
        for (int row = 0; row < calls.rows(); row++) {
            String fault = fault(row, header.kind() == Block.GROUPS, clock);
            if (fault != null) {
                return "row " + row + ": " + fault;
            }
        }
        try {
            PlausibilityCheck.check(header, calls);
            owners.check(header, calls);
        } catch (CorruptBlockException e) {
            return e.getMessage();
        }
        return null;
    }

    private @Nullable String fault(int row, boolean ofGroups, TesterClock clock) {
        long lag = calls.lagNanos(row);
        long latency = calls.latencyNanos(row);
        if (lag < 0 || latency < lag && !calls.outcome(row).equals(Outcome.DROPPED)) {
            return "expected a send lag from 0 to the response time, got " + lag + " ns of " + latency + " ns";
        }
        if (calls.bytes(row) < 0) {
            return "expected at least 0 bytes, got " + calls.bytes(row);
        }
        String beyond = beyond("stage", calls.stage(row), run.stages().size());
        beyond = beyond != null ? beyond : beyond("client", calls.client(row), mostClients);
        beyond = beyond != null
                ? beyond
                : ofGroups
                        ? beyond(
                                "group of calls",
                                calls.request(row),
                                run.groups().size())
                        : beyond(
                                "kind of request",
                                calls.request(row),
                                atLeastOne(run.requests().size()));
        beyond = beyond != null
                ? beyond
                : beyond("target", calls.target(row), atLeastOne(run.targets().size()));
        if (beyond != null) {
            return beyond;
        }
        long end = clock.sinceStart(calls.intendedNanos(row) + latency);
        long intended = end - latency;
        if (intended < -TOLERANCE_NANOS || intended > lastNanos) {
            return "expected a call within the run, got one due " + intended / 1e9
                    + " s after its start: it is from a different run, or a clock was wrong";
        }
        return null;
    }

    private static int atLeastOne(int count) {
        return Math.max(1, count);
    }

    private static @Nullable String beyond(String what, int found, int count) {
        return found >= 0 && found < count
                ? null
                : "expected the number of a " + what + " to be below " + count + ", as planned, got " + found;
    }

    /** Counts the calls of the block that was looked into last that were sent. */
    long sent() {
        long sent = 0;
        for (int row = 0; row < calls.rows(); row++) {
            sent += calls.outcome(row).equals(Outcome.DROPPED) ? 0 : 1;
        }
        return sent;
    }
}
