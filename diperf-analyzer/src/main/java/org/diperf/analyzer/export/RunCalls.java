package org.diperf.analyzer.export;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import org.diperf.analyzer.load.ClientOwners;
import org.diperf.analyzer.run.ClockFile;
import org.diperf.analyzer.run.PlausibilityCheck;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunJson;
import org.diperf.analyzer.run.RunReader;
import org.diperf.analyzer.run.TesterBlocks;
import org.diperf.analyzer.run.TesterClock;
import org.diperf.core.plan.TraceIds;
import org.diperf.core.run.OriginRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.Outcome;
import org.diperf.core.sample.SampleColumn;
import org.diperf.core.spi.CallExport;
import org.diperf.core.spi.ExportedCall;
import org.diperf.core.spi.ExportedRun;
import org.diperf.core.spi.ExportedRun.ExportedMetric;

/**
 * The calls of a run one after another, in global time, for those who want them singly. In the order of the samples,
 * which is that of time within a client only. What is damaged is passed over, what came twice is given once. Confined to
 * one thread.
 */
public final class RunCalls {

    private static final int MAX_CLIENTS = 1 << 24;

    private final Path runDir;
    private final RunRecord run;
    private final ClockFile clocks;

    private RunCalls(Path runDir, RunRecord run, ClockFile clocks) {
        this.runDir = runDir;
        this.run = run;
        this.clocks = clocks;
    }

    /**
     * What was found.
     *
     * @param calls given
     * @param damaged places where samples are damaged
     * @param duplicates blocks that came twice
     */
    public record Found(long calls, long damaged, long duplicates) {}

    /**
     * Opens a run directory.
     *
     * @throws IOException when it is none, or cannot be read
     */
    public static RunCalls of(Path runDir) throws IOException {
        return new RunCalls(
                runDir, RunJson.read(runDir.resolve(RunFiles.RUN)), ClockFile.read(runDir.resolve(RunFiles.CLOCK)));
    }

    /** Returns what the run directory says of the run. */
    public RunRecord run() {
        return run;
    }

    /** Returns what an export must know of the run. */
    public ExportedRun exported() {
        String startedAt = run.startedAt();
        return new ExportedRun(
                run.experiment(),
                startedAt == null ? Instant.EPOCH : Instant.parse(startedAt),
                run.requests(),
                run.targets(),
                run.metrics().stream()
                        .map(metric -> new ExportedMetric(metric.name(), metric.unit()))
                        .toList(),
                run.trace() != null,
                Math.max(1_000, run.report().quantumNanos()));
    }

    /**
     * Returns all calls that ended within a part of the run.
     *
     * @param fromNanos after the start of the run
     * @param toNanos the first instant behind it
     */
    public Found read(long fromNanos, long toNanos, CallExport to) throws IOException {
        Pass pass = new Pass(fromNanos, toNanos, to);
        long duplicates = RunReader.ofTesters(runDir, run, clocks).read(pass).values().stream()
                .mapToLong(TesterBlocks::duplicates)
                .sum();
        return new Found(pass.given, pass.damaged, duplicates);
    }

    /** One pass over the samples; also the call that it is at. */
    private final class Pass implements RunReader.Sink, ExportedCall {

        private final long from;
        private final long until;
        private final boolean lacksLag = run.lacks(OriginRecord.SEND_LAG);
        private final boolean lacksBytes = run.lacks(OriginRecord.BYTES);
        private final CallExport sink;
        private final Calls calls = new Calls(SampleColumn.CALL);
        private final ClientOwners owners = ClientOwners.of(run);
        private long[] made = new long[64];
        private long given;
        private long damaged;
        private int tester;
        private int row;
        private long intended;
        private long number;

        Pass(long from, long until, CallExport sink) {
            this.from = from;
            this.until = until;
            this.sink = sink;
        }

        @Override
        public void calls(Block header, ByteBuffer data, TesterBlocks of) throws IOException {
            calls.decode(data, header);
            PlausibilityCheck.check(header, calls);
            owners.check(header, calls);
            tester = header.tester();
            give(of.clock());
        }

        private void give(TesterClock clock) throws IOException {
            for (row = 0; row < calls.rows(); row++) {
                long response = calls.latencyNanos(row);
                long end = Math.max(0, clock.sinceStart(calls.intendedNanos(row) + response));
                number = calls.has(SampleColumn.CALL) ? calls.value(SampleColumn.CALL, row) : next(calls.client(row));
                if (end >= from && end < until) {
                    intended = end - response;
                    given++;
                    sink.add(this);
                }
            }
        }

        private long next(int client) {
            if (client < 0 || client >= MAX_CLIENTS) {
                return UNKNOWN;
            }
            if (client >= made.length) {
                made = Arrays.copyOf(made, Math.min(MAX_CLIENTS, Math.max(client + 1, 2 * made.length)));
            }
            return made[client]++;
        }

        @Override
        public void damaged(Path file, long offset, String reason) {
            damaged++;
        }

        @Override
        public long intendedNanos() {
            return intended;
        }

        @Override
        public long lagNanos() {
            return lacksLag ? UNKNOWN : calls.lagNanos(row);
        }

        @Override
        public long responseNanos() {
            return calls.latencyNanos(row);
        }

        @Override
        public String outcome() {
            return calls.outcome(row);
        }

        @Override
        public int tester() {
            return tester;
        }

        @Override
        public int client() {
            return calls.client(row);
        }

        @Override
        public long call() {
            return number;
        }

        @Override
        public String trace() {
            boolean wasSent = !calls.outcome(row).equals(Outcome.DROPPED);
            return run.trace() != null && wasSent && calls.has(SampleColumn.CALL)
                    ? TraceIds.trace(run.seed(), calls.client(row), number, calls.request(row))
                    : "";
        }

        @Override
        public int stage() {
            return calls.stage(row);
        }

        @Override
        public int request() {
            return calls.request(row);
        }

        @Override
        public int target() {
            return calls.target(row);
        }

        @Override
        public long bytes() {
            return lacksBytes ? UNKNOWN : calls.bytes(row);
        }

        @Override
        public boolean first() {
            return calls.first(row);
        }

        @Override
        public double metric(int index) {
            double value = calls.metric(index, row);
            return PlausibilityCheck.isValue(value) ? value : Double.NaN;
        }
    }
}
