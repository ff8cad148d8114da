package org.diperf.analyzer;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SplittableRandom;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.SampleWriter;
import org.diperf.core.sample.Workload;

/**
 * Makes run directories with as many calls as wanted, written as testers and controllers write them: blocks of 1,000 calls of
 * several testers in turns, each with a clock of its own, log-normal response times. Used by {@code benchmarks/report} and by
 * tests.
 */
public final class MadeRun {

    /** Calls a second of all testers together. */
    public static final long PER_SECOND = 250_000;

    private static final int BLOCK_CALLS = 1_000;
    private static final int LAP = 1 << 19;
    private static final long FILE_BYTES = 1L << 30;
    /** Most calls of a tester that is not disturbed are known to some microseconds. */
    private static final long MIN_BOUND = 1_024;

    private static final double SERVICE_SIGMA = 0.7;

    private final String load;
    private final long calls;
    private final int testers;
    private final int clients;
    private final boolean bounded;
    private final SplittableRandom random = new SplittableRandom(17);
    private final RunFixture fixture = new RunFixture();

    private MadeRun(String load, long calls, int testers, int clients, boolean bounded) {
        this.bounded = bounded;
        this.load = load;
        this.calls = calls;
        this.testers = testers;
        this.clients = clients;
    }

    /**
     * Makes a run, or a file of columns from one.
     *
     * @param arguments folder, millions of calls, {@code closed}, {@code open} or {@code levels}, testers, clients; or
     *     {@code columns}, folder, file. A sixth, {@code bounded}, makes calls with bounds
     */
    public static void main(String[] arguments) throws IOException {
        if (arguments[0].equals("columns")) {
            columns(Path.of(arguments[1]), Path.of(arguments[2]));
            return;
        }
        long calls = Math.round(Double.parseDouble(arguments[1]) * 1e6);
        MadeRun run = new MadeRun(
                arguments[2],
                calls,
                Integer.parseInt(arguments[3]),
                Integer.parseInt(arguments[4]),
                arguments.length > 5);
        run.write(Path.of(arguments[0]));
    }

    /** Writes a run of about so many calls, whole blocks of each tester. */
    public static Path write(Path folder, String load, long calls, int testers, int clients) throws IOException {
        new MadeRun(load, calls, testers, clients, false).write(folder);
        return folder;
    }

    private void write(Path folder) throws IOException {
        long millis = Math.max(1_000, calls * 1_000 / PER_SECOND);
        for (int tester = 1; tester <= testers; tester++) {
            fixture.tester(tester, tester * 3_600_000_000_000L, tester);
        }
        fixture.quantumMillis(1_000).exchanges(millis);
        int levels = stages(millis);
        fixture.write(folder);
        for (Path file : SampleReader.files(folder.resolve("samples"))) {
            Files.delete(file);
        }
        long blocks = Math.max(1, calls / BLOCK_CALLS / testers);
        int lap = (int) Math.min(LAP, blocks * BLOCK_CALLS);
        Workload[] workloads = new Workload[testers];
        double perTester = (double) PER_SECOND / testers;
        for (int i = 0; i < testers; i++) {
            int own = Math.max(1, clients / testers);
            // The mean of a log-normal time is above its median.
            double service = own / perTester * 1e9 / Math.exp(SERVICE_SIGMA * SERVICE_SIGMA / 2);
            workloads[i] = load.equals("open")
                    ? Workload.open(i, lap, perTester, service)
                    : Workload.closed(i, lap, own, service, 0);
        }
        long stageNanos = millis * 1_000_000 / levels;
        try (SampleWriter samples = new SampleWriter(folder.resolve("samples"), FILE_BYTES)) {
            ByteBuffer block = ByteBuffer.allocate(Block.MAX_LENGTH);
            CallWriter[] writers = new CallWriter[testers];
            long[] ended = new long[testers];
            for (int i = 0; i < testers; i++) {
                writers[i] = new CallWriter(i + 1, BLOCK_CALLS, 0);
            }
            for (long number = 1; number <= blocks; number++) {
                for (int i = 0; i < testers; i++) {
                    int stage = (int) Math.min(levels - 1, ended[i] / stageNanos);
                    for (int row = 0; row < BLOCK_CALLS; row++) {
                        CallWriter writer = writers[i];
                        ended[i] = workloads[i].addTo(
                                call -> writer.add(
                                        bounded
                                                ? call.errors(
                                                        MIN_BOUND << random.nextInt(5),
                                                        MIN_BOUND << random.nextInt(3),
                                                        0)
                                                : call),
                                stage,
                                testers,
                                i,
                                fixture.local(i + 1, 0));
                    }
                    writers[i].encode(block, number);
                    samples.append(block.flip());
                    block.clear();
                }
            }
        }
    }

    private int stages(long millis) {
        switch (load) {
            case "open" -> fixture.open(PER_SECOND, "poisson", 0, millis);
            case "levels" -> {
                int levels = 8;
                for (int i = 0; i < levels; i++) {
                    fixture.stage(StageRecords.level(
                            i,
                            i * millis / levels,
                            (i + 1) * millis / levels,
                            Math.max(1, clients * (i + 1) / levels),
                            i * millis / levels + millis / levels / 10));
                }
                return levels;
            }
            default -> fixture.closed(clients, 0, millis);
        }
        return 1;
    }

    /** Writes of each call second after the start, client and response time, each eight bytes, for other programs. */
    private static void columns(Path folder, Path to) throws IOException {
        Calls calls = new Calls();
        ByteBuffer rows = ByteBuffer.allocate(Block.MAX_ROWS * 3 * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(to), 1 << 20)) {
            long[] starts = new long[1 << 16];
            SampleReader.read(folder.resolve("samples"), new SampleReader.Visitor() {
                @Override
                public void block(Block header, ByteBuffer data) throws IOException {
                    calls.decode(data, header);
                    if (starts[header.tester()] == 0) {
                        starts[header.tester()] = header.baseNanos();
                    }
                    rows.clear();
                    for (int row = 0; row < calls.rows(); row++) {
                        long end = calls.intendedNanos(row) + calls.latencyNanos(row) - starts[header.tester()];
                        rows.putLong(end / 1_000_000_000)
                                .putLong(calls.client(row))
                                .putLong(calls.latencyNanos(row));
                    }
                    out.write(rows.array(), 0, rows.position());
                }

                @Override
                public void damaged(Path file, long offset, String reason) {
                    throw new IllegalStateException(file + " at " + offset + ": " + reason);
                }
            });
        }
    }
}
