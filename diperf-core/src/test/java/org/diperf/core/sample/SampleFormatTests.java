package org.diperf.core.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class SampleFormatTests {

    private static final String[] OUTCOMES = {"ok", "timeout", "status 503", "ошибка", "dropped", "unfinished"};

    @TempDir
    Path folder;

    private record Row(
            int stage,
            int client,
            int request,
            int target,
            long intended,
            long lag,
            long latency,
            String outcome,
            long bytes,
            boolean first,
            double metric) {

        static Row random(SplittableRandom random, boolean extreme) {
            long intended = extreme ? random.nextLong() : 1_000_000_000_000L + random.nextLong(1_000_000_000L);
            long lag = extreme ? random.nextLong() >>> 1 : random.nextLong(5_000);
            return new Row(
                    random.nextInt(3),
                    random.nextInt(extreme ? Integer.MAX_VALUE : 64),
                    random.nextInt(2),
                    random.nextInt(4),
                    intended,
                    lag,
                    lag + random.nextLong(1_000_000),
                    OUTCOMES[random.nextInt(OUTCOMES.length)],
                    random.nextLong(1L << (extreme ? 62 : 10)),
                    random.nextInt(10) == 0,
                    random.nextInt(3) == 0 ? Double.NaN : random.nextDouble());
        }

        void addTo(CallWriter writer) {
            writer.add(new TestCall(intended, lag, latency)
                    .stage(stage)
                    .client(client)
                    .request(request)
                    .target(target)
                    .outcome(outcome)
                    .bytes(bytes)
                    .first(first)
                    .metric(1, metric));
        }

        static Row of(Calls calls, int i) {
            return new Row(
                    calls.stage(i),
                    calls.client(i),
                    calls.request(i),
                    calls.target(i),
                    calls.intendedNanos(i),
                    calls.lagNanos(i),
                    calls.latencyNanos(i),
                    calls.outcome(i),
                    calls.bytes(i),
                    calls.first(i),
                    calls.metric(1, i));
        }
    }

    private static ByteBuffer encode(CallWriter writer, long number) {
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, number);
        return block.flip();
    }

    private static ByteBuffer block(List<Row> rows, int tester, long number) {
        CallWriter writer = new CallWriter(tester, rows.size(), 2);
        rows.forEach(row -> row.addTo(writer));
        return encode(writer, number);
    }

    private static List<Row> rows(SplittableRandom random, int count, boolean extreme) {
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rows.add(Row.random(random, extreme));
        }
        return rows;
    }

    private static List<Row> decode(ByteBuffer block) throws CorruptBlockException {
        Calls calls = new Calls();
        calls.decode(block, Block.read(block));
        List<Row> rows = new ArrayList<>();
        for (int i = 0; i < calls.rows(); i++) {
            rows.add(Row.of(calls, i));
        }
        return rows;
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatIsWrittenIsReadAgain(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        for (int count : new int[] {1, 2, 100, 1_000}) {
            for (boolean extreme : new boolean[] {false, true}) {
                List<Row> rows = rows(random, count, extreme);
                ByteBuffer block = block(rows, 7, 42);
                Block header = Block.read(block);
                assertThat(header.tester()).isEqualTo(7);
                assertThat(header.number()).isEqualTo(42);
                assertThat(header.rows()).isEqualTo(count);
                assertThat(decode(block)).isEqualTo(rows);
            }
        }
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {11, 12, 13})
    void observationsAreReadAgain(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        ObservationWriter writer = new ObservationWriter(3, 500);
        List<Object> written = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String name = "metric-" + random.nextInt(5);
            long at = random.nextLong();
            double value = random.nextDouble();
            long client = random.nextLong(5) - 1;
            long call = random.nextLong(100) - 1;
            writer.add(name, at, value, client, call);
            written.add(List.of(name, at, value, client, call));
        }
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, 1);
        block.flip();
        Observations read = new Observations();
        read.decode(block, Block.read(block));
        for (int i = 0; i < 500; i++) {
            assertThat(List.of(read.metric(i), read.timeNanos(i), read.value(i), read.client(i), read.call(i)))
                    .isEqualTo(written.get(i));
        }
    }

    @Test
    void aWriterIsEmptyAfterItsBlockAndRefusesMoreThanItHolds() {
        CallWriter writer = new CallWriter(1, 1, 0);
        writer.add(new TestCall(5, 0, 1));
        assertThat(writer.isFull()).isTrue();
        assertThatThrownBy(() -> writer.add(new TestCall(5, 0, 1))).isInstanceOf(IllegalStateException.class);
        encode(writer, 1);
        assertThat(writer.rows()).isZero();
    }

    @Test
    void theHeaderSaysFromWhenToWhenItsCallsEnded() throws Exception {
        CallWriter writer = new CallWriter(1, 3, 0);
        writer.add(new TestCall(100, 0, 50));
        writer.add(new TestCall(110, 0, 10).client(1));
        writer.add(new TestCall(90, 0, 200).client(2));
        Block header = Block.read(encode(writer, 1));
        assertThat(header.firstNanos()).isEqualTo(120);
        assertThat(header.lastNanos()).isEqualTo(290);
    }

    private static double bytesPerCall(Workload workload, int stride) throws CorruptBlockException {
        CallWriter writer = new CallWriter(1, 1_000, 0);
        int blocks = 50;
        long bytes = 0;
        Calls read = new Calls();
        for (int number = 1; number <= blocks; number++) {
            long[] ends = new long[1_000];
            for (int i = 0; i < ends.length; i++) {
                ends[i] = workload.addTo(writer, stride, 3, 5_000_000_000_000L);
            }
            ByteBuffer block = encode(writer, number);
            read.decode(block, Block.read(block));
            for (int i = 0; i < ends.length; i++) {
                assertThat(read.intendedNanos(i) + read.latencyNanos(i)).isEqualTo(ends[i] + 5_000_000_000_000L);
            }
            bytes += block.remaining();
        }
        return bytes / (blocks * 1_000.0);
    }

    /** 50,000 calls a second of one tester, in nanoseconds; the noise of lag and latency alone is about five bytes. */
    @Test
    void aCallInClosedLoadTakesLessThanSixBytes() throws Exception {
        assertThat(bytesPerCall(Workload.closed(1, 20_000, 64, 1e6, 0), 1)).isLessThan(6);
    }

    @Test
    void aCallTakesLessThanEightAndAHalfBytes() throws Exception {
        assertThat(bytesPerCall(Workload.closed(2, 20_000, 128, 1e6, 1e6), 1)).isLessThan(8.5);
        assertThat(bytesPerCall(Workload.open(3, 20_000, 50_000, 5e6), 1)).isLessThan(8.5);
    }

    @Test
    void theNumberOfTestersDoesNotMakeACallLonger() throws Exception {
        assertThat(bytesPerCall(Workload.closed(1, 20_000, 64, 1e6, 0), 1_000)).isLessThan(6);
    }

    /** Calls that end out of order, as threads of blocking clients write them, and times near the limits of a long. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {51, 52, 53})
    void startsAreReadAgainWhateverTheyAreCodedFrom(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        for (int round = 0; round < 100; round++) {
            long begin = random.nextInt(4) == 0 ? Long.MAX_VALUE - 1_000 : random.nextLong();
            long spread = 1L << random.nextInt(40);
            int clients = 1 + random.nextInt(1_000);
            boolean backToBack = random.nextBoolean();
            List<Row> rows = new ArrayList<>();
            long end = begin;
            for (int i = 0; i < 300; i++) {
                long intended = backToBack ? end : begin + random.nextLong(spread);
                long latency = random.nextLong(spread);
                end = intended + latency;
                int client = random.nextInt(clients);
                rows.add(new Row(0, client, 0, 0, intended, 0, latency, "ok", 0, false, Double.NaN));
            }
            assertThat(decode(block(rows, 1, 1))).isEqualTo(rows);
        }
    }

    @Test
    void everySingleChangedByteIsFound() {
        ByteBuffer block = block(rows(new SplittableRandom(5), 20, false), 1, 1);
        for (int i = 0; i < block.limit(); i++) {
            byte before = block.get(i);
            block.put(i, (byte) (before ^ 0x10));
            assertThatThrownBy(() -> Block.read(block)).as("byte " + i).isInstanceOf(CorruptBlockException.class);
            block.put(i, before);
        }
    }

    @Test
    void aLaterVersionIsRefusedWithBothVersionsInTheMessage() {
        ByteBuffer block = block(rows(new SplittableRandom(6), 3, false), 1, 1);
        block.put(8, (byte) 9);
        repairChecksum(block);
        assertThatThrownBy(() -> Block.read(block))
                .hasMessageContaining("format 1")
                .hasMessageContaining("format 9");
    }

    @Test
    void aColumnOfALaterWriterIsSkipped() throws Exception {
        List<Row> rows = rows(new SplittableRandom(7), 10, false);
        ByteBuffer block = block(rows, 1, 1);
        // The first column, the stage, becomes one that nobody knows.
        block.order(ByteOrder.LITTLE_ENDIAN).putShort(Block.HEADER, (short) 999);
        repairChecksum(block);
        List<Row> read = decode(block);
        for (int i = 0; i < rows.size(); i++) {
            assertThat(read.get(i).stage()).isZero();
            assertThat(read.get(i).latency()).isEqualTo(rows.get(i).latency());
        }
    }

    /** It would cost a pass over all rows each time, and the reader of one would not see the other. */
    @Test
    void aColumnThatComesTwiceMakesTheBlockUnusable() {
        ByteBuffer block = block(rows(new SplittableRandom(7), 10, false), 1, 1);
        // The third column, the request, becomes a second one of clients.
        block.order(ByteOrder.LITTLE_ENDIAN)
                .putShort(Block.HEADER + 2 * Block.COLUMN, (short) SampleColumn.CLIENT.id());
        repairChecksum(block);
        assertThatThrownBy(() -> decode(block))
                .isInstanceOf(CorruptBlockException.class)
                .hasMessage("expected unique columns, got column 2 twice");
        assertThatThrownBy(() -> new CallClients().decode(block, Block.read(block)))
                .isInstanceOf(CorruptBlockException.class)
                .hasMessage("expected unique columns, got column 2 twice");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {21, 22, 23, 24})
    void damageBehindAGoodChecksumIsACorruptBlockAndNothingElse(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        Calls calls = new Calls();
        Observations observations = new Observations();
        int refused = 0;
        for (int i = 0; i < 5_000; i++) {
            ByteBuffer block = block(rows(random, 1 + random.nextInt(40), random.nextBoolean()), 1, 1);
            for (int change = 0; change <= random.nextInt(4); change++) {
                block.put(8 + random.nextInt(block.limit() - 12), (byte) random.nextInt(256));
            }
            repairChecksum(block);
            try {
                Block header = Block.read(block);
                calls.decode(block, header);
                for (int row = 0; row < calls.rows(); row++) {
                    assertThat(calls.outcome(row)).isNotNull();
                }
            } catch (CorruptBlockException expected) {
                refused++;
            }
            try {
                assertThat(new CallClients().decode(block, Block.read(block))).isNotEmpty();
            } catch (CorruptBlockException expected) {
                refused++;
            }
            try {
                observations.decode(block, Block.read(block));
            } catch (CorruptBlockException expected) {
                refused++;
            }
        }
        assertThat(refused).isPositive();
    }

    private static void repairChecksum(ByteBuffer block) {
        CRC32C checksum = new CRC32C();
        checksum.update(block.duplicate().position(0).limit(block.limit() - Block.CHECKSUM));
        block.order(ByteOrder.LITTLE_ENDIAN).putInt(block.limit() - Block.CHECKSUM, (int) checksum.getValue());
    }

    // ---- files

    private static final class Found implements SampleReader.Visitor {
        final List<Long> numbers = new ArrayList<>();
        final List<String> damages = new ArrayList<>();

        @Override
        public void block(Block header, ByteBuffer data) {
            numbers.add(header.tester() * 1_000_000L + header.number());
        }

        @Override
        public void damaged(Path file, long offset, String reason) {
            damages.add(file.getFileName() + "@" + offset + " " + reason);
        }
    }

    private Found read() throws IOException {
        Found found = new Found();
        SampleReader.read(folder, found);
        return found;
    }

    private static List<Long> numbers(int tester, int count) {
        List<Long> numbers = new ArrayList<>();
        for (long i = 1; i <= count; i++) {
            numbers.add(tester * 1_000_000L + i);
        }
        return numbers;
    }

    @Test
    void blocksThatFillSeveralFilesAreReadInTheirOrder() throws Exception {
        SplittableRandom random = new SplittableRandom(31);
        try (SampleWriter writer = new SampleWriter(folder, 50_000)) {
            for (int i = 1; i <= 60; i++) {
                writer.append(block(rows(random, 100, false), 1, i));
            }
        }
        assertThat(SampleReader.files(folder)).hasSizeGreaterThan(2);
        Found found = read();
        assertThat(found.damages).isEmpty();
        assertThat(found.numbers).isEqualTo(numbers(1, 60));
    }

    @Test
    void manyMegabytesAreReadThroughOneWindow() throws Exception {
        SplittableRandom random = new SplittableRandom(32);
        ByteBuffer one = block(rows(random, 1_000, true), 1, 1);
        int count = (int) (20_000_000L / one.remaining());
        try (SampleWriter writer = new SampleWriter(folder, Long.MAX_VALUE)) {
            for (int i = 1; i <= count; i++) {
                one.order(ByteOrder.LITTLE_ENDIAN).putLong(16, i);
                repairChecksum(one);
                writer.append(one.duplicate());
            }
        }
        Found found = read();
        assertThat(found.damages).isEmpty();
        assertThat(found.numbers).isEqualTo(numbers(1, count));
    }

    @Test
    void aDamagedBlockIsToldAndTheOthersAreRead() throws Exception {
        SplittableRandom random = new SplittableRandom(33);
        List<ByteBuffer> blocks = new ArrayList<>();
        try (SampleWriter writer = new SampleWriter(folder, Long.MAX_VALUE)) {
            for (int i = 1; i <= 5; i++) {
                ByteBuffer block = block(rows(random, 50, false), 1, i);
                blocks.add(block.duplicate());
                writer.append(block);
            }
        }
        Path file = SampleReader.files(folder).get(0);
        byte[] bytes = Files.readAllBytes(file);
        int third = SampleWriter.FILE_HEADER.length
                + blocks.get(0).remaining()
                + blocks.get(1).remaining();
        bytes[third + 100] ^= 1;
        Files.write(file, bytes);
        Found found = read();
        assertThat(found.numbers).containsExactly(1_000_001L, 1_000_002L, 1_000_004L, 1_000_005L);
        assertThat(found.damages).hasSize(1).first().asString().contains("@" + third, "checksum");
    }

    @Test
    void damageThatReachesOverManyMegabytesIsToldOnce() throws Exception {
        SplittableRandom random = new SplittableRandom(35);
        ByteBuffer block = block(rows(random, 50, false), 1, 1);
        try (SampleWriter writer = new SampleWriter(folder, Long.MAX_VALUE)) {
            writer.append(block.duplicate());
            writer.append(ByteBuffer.allocate(20_000_000));
            writer.append(block.duplicate());
        }
        Found found = read();
        assertThat(found.numbers).containsExactly(1_000_001L, 1_000_001L);
        assertThat(found.damages).hasSize(1).first().asString().contains("expected a block");
    }

    @Test
    void aFileThatIsCutOffGivesItsWholeBlocks() throws Exception {
        SplittableRandom random = new SplittableRandom(34);
        try (SampleWriter writer = new SampleWriter(folder, Long.MAX_VALUE)) {
            for (int i = 1; i <= 3; i++) {
                writer.append(block(rows(random, 50, false), 2, i));
            }
        }
        Path file = SampleReader.files(folder).get(0);
        byte[] bytes = Files.readAllBytes(file);
        Files.write(file, Arrays.copyOf(bytes, bytes.length - 17));
        Found found = read();
        assertThat(found.numbers).isEqualTo(numbers(2, 2));
        assertThat(found.damages).hasSize(1).first().asString().contains("truncated");
    }

    @Test
    void anEmptyFolderHoldsNothing() throws Exception {
        Found found = read();
        assertThat(found.numbers).isEmpty();
        assertThat(found.damages).isEmpty();
    }

    @Test
    void filesOfFormatOneStayReadable() throws Exception {
        Path fixture = Path.of("src/test/resources/samples-format-1");
        Found found = new Found();
        SampleReader.read(fixture, found);
        assertThat(found.damages).isEmpty();
        assertThat(found.numbers).containsExactly(1_000_001L, 1_000_002L, 2_000_001L);
        List<String> first = new ArrayList<>();
        SampleReader.read(fixture, new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) throws IOException {
                if (header.kind() == Block.CALLS && header.number() == 1 && header.tester() == 1) {
                    decode(data).forEach(row -> first.add(row.client() + " " + row.latency() + " " + row.outcome()));
                }
            }

            @Override
            public void damaged(Path file, long offset, String reason) {}
        });
        assertThat(first).containsExactly("0 1500000 ok", "1 2000000 ok", "2 5000000000 timeout");
    }

    /** Wrote the fixture once; kept to say what is in it. Run with -Dsamples.fixture=DIR. */
    @Test
    void theFixtureIsWrittenOnlyOnRequest() throws Exception {
        String target = System.getProperty("samples.fixture");
        assumeTrue(target != null, "-Dsamples.fixture=DIR writes it");
        try (SampleWriter writer = new SampleWriter(Path.of(String.valueOf(target)), Long.MAX_VALUE)) {
            CallWriter calls = new CallWriter(1, 3, 2);
            calls.add(new TestCall(1_000_000_000L, 1_000, 1_500_000)
                    .bytes(100)
                    .first(true)
                    .metric(1, 0.25));
            calls.add(new TestCall(1_000_100_000L, 2_000, 2_000_000).client(1).bytes(100));
            calls.add(new TestCall(1_000_200_000L, 0, 5_000_000_000L)
                    .client(2)
                    .request(1)
                    .outcome("timeout"));
            writer.append(encode(calls, 1));
            ObservationWriter observations = new ObservationWriter(1, 2);
            observations.add("network.rtt", 1_000_000_000L, 0.125, ObservationWriter.NONE, ObservationWriter.NONE);
            observations.add("tester.cpu", 2_000_000_000L, 0.5, ObservationWriter.NONE, ObservationWriter.NONE);
            ByteBuffer block = ByteBuffer.allocate(observations.maxEncodedLength());
            observations.encode(block, 2);
            writer.append(block.flip());
            CallWriter other = new CallWriter(2, 1, 0);
            other.add(new TestCall(77, 0, 5)
                    .stage(1)
                    .client(3)
                    .target(1)
                    .outcome("status 503")
                    .bytes(9));
            writer.append(encode(other, 1));
        }
    }

    /** Every number of the catalogue, with its name, is in the description that users read. */
    @ParameterizedTest
    @EnumSource(SampleColumn.class)
    void theDescriptionNamesEveryColumn(SampleColumn column) throws Exception {
        String text = Files.readString(Path.of("../docs/formats.md"));
        String samples = text.substring(text.indexOf("## Samples"));
        assertThat(samples)
                .containsPattern(column.id() + "( to [0-9]+ of a call are [^`]*)?[ |]+`" + column.word() + "`|"
                        + column.id() + " to [0-9]+ of a call are the client's own metrics, `" + column.word() + "`");
        assertThat(SampleColumn.of(column.kind(), column.id())).isSameAs(column);
    }

    @Test
    void columnsOfALaterWriterAreSkippedAndOptionalOnesReadWhereTheyAreWanted() throws Exception {
        Calls plain = new Calls();
        Calls asking = new Calls(SampleColumn.CALL, SampleColumn.ERROR_IN, SampleColumn.ERROR_OUT);
        List<String> found = new ArrayList<>();
        SampleReader.read(Path.of("src/test/resources/samples-format-1-columns"), new SampleReader.Visitor() {
            @Override
            public void block(Block header, ByteBuffer data) throws IOException {
                if (header.kind() == Block.OBSERVATIONS) {
                    Observations observations = new Observations();
                    observations.decode(data, header);
                    found.add(observations.metric(0) + " " + observations.timeNanos(0) + " " + observations.value(0)
                            + " " + observations.client(0) + " " + observations.call(0));
                    return;
                }
                plain.decode(data, header);
                asking.decode(data, header);
                assertThat(asking.has(SampleColumn.CALL)).isTrue();
                assertThat(asking.has(SampleColumn.ERROR_IN)).isTrue();
                assertThat(asking.has(SampleColumn.ERROR_OUT)).isFalse();
                for (int row = 0; row < plain.rows(); row++) {
                    assertThat(words(asking, row)).isEqualTo(words(plain, row));
                    found.add(words(plain, row) + " call " + asking.value(SampleColumn.CALL, row) + " within "
                            + asking.value(SampleColumn.ERROR_IN, row));
                }
            }

            @Override
            public void damaged(Path file, long offset, String reason) {
                throw new AssertionError(reason);
            }
        });
        // Block 2 of tester 1 is not there: what comes behind says its numbers all the same.
        assertThat(found)
                .containsExactly(
                        "0 7 1 0 1000000000 1000 1500000 ok 100 true 0.25 call 40 within 9",
                        "0 9 0 0 1000100000 2000 2000000 status 503 100 false NaN call 3 within 9",
                        "0 7 1 0 1002000000 500 1600000 ok 120 false 0.5 call 41 within 8",
                        "1 7 1 0 5000000000 1000 1500000 ok 100 false NaN call 77 within 9",
                        "network.rtt 1000000000 0.125 -1 -1");
    }

    /** Bounds stay bounds: each is read as what was written, raised to a level. */
    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3})
    void boundsOfErrorsAreReadNoSmallerAndOnAverageLittleLarger(long seed) throws Exception {
        SplittableRandom random = new SplittableRandom(seed);
        int rows = 300;
        CallWriter writer = new CallWriter(1, rows, 0);
        long[] in = new long[rows];
        long[] out = new long[rows];
        for (int i = 0; i < rows; i++) {
            in[i] = random.nextInt(8) == 0 ? CallWriter.UNKNOWN : random.nextLong(1L << random.nextInt(10, 26));
            out[i] = random.nextInt(0, 9_000);
            if (in[i] != CallWriter.UNKNOWN || i % 2 == 0) {
                writer.add(new TestCall(1_000L * i, 0, 500).errors(in[i], out[i], 0));
            } else {
                writer.add(new TestCall(1_000L * i, 0, 500));
                out[i] = CallWriter.UNKNOWN;
            }
        }
        ByteBuffer block = encode(writer, 1);
        Calls calls = new Calls(SampleColumn.ERROR_IN, SampleColumn.ERROR_OUT);
        calls.decode(block, Block.read(block));

        assertAreBounds(in, i -> calls.value(SampleColumn.ERROR_IN, i));
        assertAreBounds(out, i -> calls.value(SampleColumn.ERROR_OUT, i));
    }

    /** What is added to reach the least is not raised on top: the way out is 12 to 16 µs, in steps that are raised to two or three. */
    @Test
    void bothBoundsTogetherAreNoLessThanTheLeastAndHardlyMore() throws Exception {
        SplittableRandom random = new SplittableRandom(17);
        int rows = 300;
        CallWriter writer = new CallWriter(1, rows, 0);
        for (int i = 0; i < rows; i++) {
            writer.add(new TestCall(1_000L * i, 0, 50_000)
                    .errors(random.nextInt(4_000, 6_000), random.nextInt(12_000, 16_000), 27_000));
        }
        ByteBuffer block = encode(writer, 1);
        Calls calls = new Calls(SampleColumn.ERROR_IN, SampleColumn.ERROR_OUT);
        calls.decode(block, Block.read(block));

        long together = 0;
        for (int i = 0; i < rows; i++) {
            long width = calls.value(SampleColumn.ERROR_IN, i) + calls.value(SampleColumn.ERROR_OUT, i);
            assertThat(width).isGreaterThanOrEqualTo(27_000);
            together += width;
        }
        assertThat(together / rows).isLessThan(28_000);
    }

    private static void assertAreBounds(long[] written, IntToLongFunction read) {
        double powers = 0;
        int known = 0;
        for (int i = 0; i < written.length; i++) {
            long bound = read.applyAsLong(i);
            long least = Math.max(1_024, written[i]);
            assertThat(bound).as("%d", written[i]).isGreaterThanOrEqualTo(least);
            assertThat(bound == CallWriter.UNKNOWN).isEqualTo(written[i] == CallWriter.UNKNOWN);
            if (written[i] != CallWriter.UNKNOWN) {
                powers += Math.log((double) bound / least) / Math.log(2);
                known++;
            }
        }
        assertThat(powers / known).as("powers of two").isLessThan(0.5);
    }

    @Test
    void aBlockWithoutBoundsHasNoColumnsForThem() throws Exception {
        CallWriter writer = new CallWriter(1, 2, 0);
        Calls calls = new Calls(SampleColumn.ERROR_IN, SampleColumn.ERROR_OUT);
        writer.add(new TestCall(1, 0, 1).errors(5, 5, 0));
        ByteBuffer with = encode(writer, 1);
        calls.decode(with, Block.read(with));
        assertThat(calls.has(SampleColumn.ERROR_IN)).isTrue();

        writer.add(new TestCall(1, 0, 1));
        ByteBuffer without = encode(writer, 2);
        calls.decode(without, Block.read(without));
        assertThat(calls.has(SampleColumn.ERROR_IN)).isFalse();
        assertThat(calls.has(SampleColumn.ERROR_OUT)).isFalse();
    }

    private static String words(Calls calls, int row) {
        return calls.stage(row) + " " + calls.client(row) + " " + calls.request(row) + " " + calls.target(row) + " "
                + calls.intendedNanos(row) + " " + calls.lagNanos(row) + " " + calls.latencyNanos(row) + " "
                + calls.outcome(row) + " " + calls.bytes(row) + " " + calls.first(row) + " " + calls.metric(0, row);
    }

    @Test
    void anOptionalColumnThatIsNotThereOrNotWantedIsNoRowOfZeros() throws Exception {
        Calls calls = new Calls(SampleColumn.CALL);
        ByteBuffer block = block(rows(new SplittableRandom(8), 5, false), 1, 1);
        calls.decode(block, Block.read(block));
        assertThat(calls.has(SampleColumn.CALL)).isFalse();
        assertThatThrownBy(() -> calls.value(SampleColumn.CALL, 0)).hasMessageContaining("call");
        assertThatThrownBy(() -> calls.has(SampleColumn.ITERATION)).hasMessageContaining("iteration");
        assertThatThrownBy(() -> new Calls(SampleColumn.STAGE)).hasMessageContaining("stage");
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {31, 32, 33})
    void numbersOfClientsComeBackFromTheirDifferences(long seed) {
        SplittableRandom random = new SplittableRandom(seed);
        ClientCodec codec = new ClientCodec();
        for (int block = 0; block < 20; block++) {
            int rows = 1 + random.nextInt(2_000);
            long[] clients = random.longs(rows, 0, 300).toArray();
            long[] numbers = new long[rows];
            long[] values = new long[rows];
            Map<Long, Long> last = new HashMap<>();
            for (int row = 0; row < rows; row++) {
                numbers[row] = last.getOrDefault(clients[row], random.nextLong(1L << 40)) + random.nextInt(3);
                values[row] = numbers[row] - last.getOrDefault(clients[row], 0L);
                last.put(clients[row], numbers[row]);
            }
            codec.toNumbers(values, clients, rows, false);
            assertThat(values).isEqualTo(numbers);
        }
    }

    /** Wrote the fixture of columns once; kept to say what is in it. Run with -Dsamples.fixture.columns=DIR. */
    @Test
    void theFixtureOfColumnsIsWrittenOnlyOnRequest() throws Exception {
        String target = System.getProperty("samples.fixture.columns");
        assumeTrue(target != null, "-Dsamples.fixture.columns=DIR writes it");
        try (SampleWriter writer = new SampleWriter(Path.of(String.valueOf(target)), Long.MAX_VALUE)) {
            writer.append(withColumns(
                    1,
                    new long[] {0, 0, 0},
                    new long[] {7, 9, 7},
                    new long[] {1, 0, 1},
                    new long[] {1_000_000_000L, 1_000_100_000L, 1_002_000_000L},
                    new long[] {1_000, 2_000, 500},
                    new long[] {1_500_000, 2_000_000, 1_600_000},
                    List.of("ok", "status 503"),
                    new long[] {0, 1, 0},
                    new long[] {100, 100, 120},
                    new long[] {1, 0, 0},
                    new long[] {40, 3, 1},
                    new long[] {9, 9, 8},
                    new double[] {0.25, Double.NaN, 0.5}));
            writer.append(withColumns(
                    3,
                    new long[] {1},
                    new long[] {7},
                    new long[] {1},
                    new long[] {5_000_000_000L},
                    new long[] {1_000},
                    new long[] {1_500_000},
                    List.of("ok"),
                    new long[] {0},
                    new long[] {100},
                    new long[] {0},
                    new long[] {77},
                    new long[] {9},
                    new double[] {Double.NaN}));
            ByteBuffer block = ByteBuffer.allocate(1_000);
            BlockEncoder encoder =
                    new BlockEncoder(block, new IntegerCodec(), Block.OBSERVATIONS, 7, 1, 1, 1_000_000_000L);
            encoder.words(1, List.of("network.rtt"), new long[] {0});
            encoder.instants(2, new long[] {1_000_000_000L});
            encoder.decimals(3, new double[] {0.125}, new long[1]);
            encoder.integers(4, new long[] {0});
            encoder.integers(5, new long[] {0});
            encoder.integers(40, new long[] {12});
            encoder.words(41, List.of("unknown"), new long[] {0});
            encoder.finish(4, 1_000_000_000L, 1_000_000_000L);
            writer.append(block.flip());
        }
    }

    /** Lays out a block of calls with columns 11 and 13, and with 40, 41 and 170, which no version has. */
    private static ByteBuffer withColumns(
            int number,
            long[] stages,
            long[] clients,
            long[] requests,
            long[] starts,
            long[] lags,
            long[] latencies,
            List<String> outcomes,
            long[] places,
            long[] bytes,
            long[] first,
            long[] calls,
            long[] errors,
            double[] metric) {
        int rows = stages.length;
        ByteBuffer block = ByteBuffer.allocate(4_000);
        BlockEncoder encoder = new BlockEncoder(block, new IntegerCodec(), Block.CALLS, 16, 1, rows, starts[0]);
        // In no order: nothing says that a writer keeps to that of the numbers.
        encoder.integers(40, new long[rows]);
        encoder.integers(11, calls);
        encoder.integers(13, errors);
        encoder.starts(5, new StartCodec(), starts, latencies, clients);
        encoder.integers(1, stages);
        encoder.integers(2, clients);
        encoder.integers(3, requests);
        encoder.integers(4, new long[rows]);
        encoder.integers(6, lags);
        encoder.integers(7, latencies);
        encoder.words(8, outcomes, places);
        encoder.integers(9, bytes);
        encoder.integers(10, first);
        encoder.words(41, List.of("unknown"), new long[rows]);
        encoder.decimals(64, metric, new long[rows]);
        encoder.decimals(170, new double[rows], new long[rows]);
        encoder.finish(number, starts[0] + latencies[0], starts[rows - 1] + latencies[rows - 1]);
        return block.flip();
    }

    @Test
    void numbersOfCallsAreReadAsTheyWereWrittenAndTakeLittleRoom() throws CorruptBlockException {
        SplittableRandom random = new SplittableRandom(22);
        int rows = 1_000;
        int clients = 50;
        long[] next = random.longs(clients, 2_000_000, 2_000_050).toArray();
        int with = 0;
        int without = 0;
        for (int block = 0; block < 10; block++) {
            CallWriter plain = new CallWriter(1, rows, 0);
            CallWriter numbered = new CallWriter(1, rows, 0);
            long[] numbers = new long[rows];
            for (int row = 0; row < rows; row++) {
                int client = random.nextInt(clients);
                numbers[row] = next[client]++;
                TestCall call =
                        new TestCall(row * 1_000L, 0, 900).client(client).bytes(10);
                plain.add(call);
                numbered.add(call.number(numbers[row]));
            }
            ByteBuffer encoded = encoded(numbered);
            with += encoded.remaining();
            without += encoded(plain).remaining();
            Calls calls = new Calls(SampleColumn.CALL);
            calls.decode(encoded, Block.read(encoded));
            assertThat(Arrays.copyOf(calls.values(SampleColumn.CALL), rows)).isEqualTo(numbers);
        }
        assertThat((with - without) / (10.0 * rows)).as("bytes a call").isLessThanOrEqualTo(0.3);
    }

    private static ByteBuffer encoded(CallWriter writer) {
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength()).order(ByteOrder.LITTLE_ENDIAN);
        writer.encode(block, 1);
        return block.flip();
    }
}
