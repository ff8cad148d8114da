package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunJson;
import org.diperf.core.clock.ClockRow;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.run.ReportRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.SampleWriter;
import org.diperf.core.sample.TestCall;

/** Makes run directories of open load, 500 calls/s for 8 s, whose response times are known. */
final class MadeRun {

    private static final long START = 1_000_000_000_000L;
    private static final int CALLS = 4000;
    private static final long EVERY_NANOS = 2_000_000;

    private MadeRun() {}

    /** Writes a run whose calls take so long, with the experiment file that it is said to have had; {@code ""}: none. */
    static Path write(Path dir, double millis, long seed, String experiment) throws IOException {
        SplittableRandom random = new SplittableRandom(seed);
        CallWriter calls = new CallWriter(1, CALLS, 0);
        for (int call = 0; call < CALLS; call++) {
            long latency = Math.round(millis * 1e6 * Math.exp(0.3 * random.nextGaussian()));
            calls.add(new TestCall(START + call * EVERY_NANOS, 1000, latency).bytes(10));
        }
        ByteBuffer block = ByteBuffer.allocate(calls.maxEncodedLength());
        calls.encode(block, 1);
        block.flip();
        Files.createDirectories(dir);
        try (SampleWriter samples = new SampleWriter(dir.resolve("samples"), 1 << 20)) {
            samples.append(block);
        }
        StringBuilder clock = new StringBuilder(ClockRow.HEADER + "\n");
        for (long at = START - 2_000_000_000L; at < START + 12_000_000_000L; at += 1_000_000_000L) {
            clock.append(
                    "1,host,frame,0,0," + at + "," + (at + 10_000) + "," + (at + 11_000) + "," + (at + 21_000) + "\n");
        }
        Files.writeString(dir.resolve("clock.csv"), clock);
        RunJson.write(dir.resolve(RunFiles.RUN), record());
        if (!experiment.isEmpty()) {
            Files.writeString(dir.resolve("experiment.yml"), experiment);
        }
        return dir;
    }

    private static RunRecord record() {
        long end = CALLS * EVERY_NANOS;
        return new RunRecord(
                RunRecord.FORMAT,
                "made",
                Map.of(),
                1,
                "0.1.0",
                "2026-11-21T10:00:00.123Z",
                START,
                START + end + 1_000_000_000L,
                End.COMPLETE,
                "http",
                Set.of(),
                List.of(),
                List.of("call"),
                null,
                List.of("http://127.0.0.1:8080/"),
                List.of(new StageRecord(
                        0,
                        0,
                        end,
                        new OpenLoad(500, OpenLoad.Arrivals.CONSTANT, 0, end, 5000, 30_000_000_000L),
                        null,
                        null)),
                List.of(new TesterRecord(1, "host", true, null, null, START, CALLS, 0, 0, 0, Map.of(), Map.of())),
                new MeasureRecord("whole", 0, 0, 0),
                List.of(),
                new ReportRecord(1_000_000_000L, 0, 0, false),
                Map.of(),
                List.of(),
                List.of(),
                null,
                List.of(),
                null,
                null,
                null,
                null,
                null,
                null,
                null);
    }
}
