package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Summary.CallCounts;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.SampleReader;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.provider.MethodSource;

/** A file of samples, as a report reads it from a run directory, whose blocks have checksums that hold and may be anything else. */
class RunSamplesFuzzTests {

    /** Of a file of a few KiB, most of it for blocks of the most rows with the most columns. */
    private static final long MAX_BYTES = 1L << 30;

    private static final int BLOCK_MAGIC = 0x31425044;
    private static final int BLOCK_HEADER_BYTES = 56;
    private static final int CHECKSUM_BYTES = 4;
    private static final byte[] FILE_HEADER = "DIPERF1\n".getBytes(StandardCharsets.US_ASCII);

    @TempDir
    static Path folder;

    /** The limit of seconds is for an input, not for all the classes of a report, which a busy machine may load for longer. */
    @BeforeAll
    static void makeTheRunAndReportIt() throws IOException {
        run().write(folder);
        for (Path file : SampleReader.files(folder.resolve(RunFiles.SAMPLES))) {
            Files.delete(file);
        }
        report(files().findFirst().orElseThrow());
    }

    /** Two testers that each make calls with a metric and observe something. */
    private static RunFixture run() {
        RunFixture run = new RunFixture()
                .metric("size", "B")
                .tester(1, 3_600_000_000_000L, 20)
                .tester(2, -5_000_000_000L, -10)
                .exchanges(4_000);
        run.closed(4, 0, 4_000);
        for (int client = 0; client < 4; client++) {
            for (int i = 0; i < 4; i++) {
                run.carrying(i == 0, 7.5 * i);
                run.call(
                        client < 2 ? 1 : 2,
                        client,
                        i * 1_000,
                        i * 1_000,
                        i * 1_000 + 500,
                        i == 2 ? "status 503" : "ok");
            }
        }
        return run;
    }

    static Stream<byte[]> files() throws IOException {
        Path folder = Files.createTempDirectory("samples");
        try {
            run().write(folder);
            return Stream.of(Files.readAllBytes(
                    SampleReader.files(folder.resolve(RunFiles.SAMPLES)).get(0)));
        } finally {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path each : all.sorted((a, b) -> b.compareTo(a)).toList()) {
                    Files.delete(each);
                }
            }
        }
    }

    /** Makes the input a file of blocks as far as its header, their magic and their checksums tell. */
    private static byte[] sealed(byte[] input) {
        ByteBuffer file = ByteBuffer.wrap(input.clone()).order(ByteOrder.LITTLE_ENDIAN);
        if (file.remaining() >= FILE_HEADER.length) {
            file.put(FILE_HEADER);
        }
        while (file.remaining() >= BLOCK_HEADER_BYTES + CHECKSUM_BYTES) {
            int at = file.position();
            int length = file.getInt(at + 4);
            if (length < BLOCK_HEADER_BYTES + CHECKSUM_BYTES || length > file.remaining()) {
                break;
            }
            file.putInt(at, BLOCK_MAGIC).put(at + 8, (byte) Block.VERSION);
            CRC32C checksum = new CRC32C();
            checksum.update(file.slice(at, length - CHECKSUM_BYTES));
            file.putInt(at + length - CHECKSUM_BYTES, (int) checksum.getValue());
            file.position(at + length);
        }
        return file.array();
    }

    private static long rows(Path samples) throws IOException {
        long[] rows = {0};
        SampleReader.read(samples, new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) {
                rows[0] += header.rows();
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                assertThat(reason).hasSizeLessThan(1_000);
            }
        });
        return rows[0];
    }

    private static void report(byte[] input) throws IOException {
        Path samples = folder.resolve(RunFiles.SAMPLES);
        Files.write(samples.resolve("000001.dps"), sealed(input));
        Analysis[] made = new Analysis[1];
        Memory.atMost(MAX_BYTES, () -> made[0] = Analyzer.analyze(folder, Analyzer.Options.AS_RECORDED, 0));
        CallCounts calls = made[0].summary().calls();
        assertThat(calls.ok() + calls.failed()).isEqualTo(calls.total());
        assertThat(calls.total() + calls.dropped() + calls.unfinished()).isBetween(0L, rows(samples));
        Analyzer.write(made[0], folder.resolve("report"));
    }

    @MethodSource("files")
    @Fuzz(changed = 12)
    void everyFileIsReportedWithItsDamage(byte[] input) throws IOException {
        report(input);
    }
}
