package org.diperf.core.sample;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.stream.Stream;
import java.util.zip.CRC32C;
import org.diperf.core.fuzz.Fuzz;
import org.diperf.core.fuzz.Memory;
import org.diperf.core.spi.Fault;
import org.junit.jupiter.params.provider.MethodSource;

/** Blocks of samples whose checksum holds but whose content may be anything. */
class SampleBlockFuzzTests {

    /** Twice what a block of the most rows with the most columns takes. */
    private static final long MAX_BYTES = 2L * Block.MAX_COLUMNS * Block.MAX_ROWS * Long.BYTES;

    private static final int METRICS = 2;

    /** All that a call's row is, but for metrics that few have. */
    private record Row(List<Object> values) {

        static Row of(Calls calls, int row) {
            return new Row(List.of(
                    calls.stage(row),
                    calls.client(row),
                    calls.request(row),
                    calls.target(row),
                    calls.intendedNanos(row),
                    calls.lagNanos(row),
                    calls.latencyNanos(row),
                    calls.outcome(row),
                    calls.bytes(row),
                    calls.first(row),
                    calls.metric(0, row),
                    calls.metric(1, row)));
        }

        static List<Row> of(Calls calls) {
            List<Row> rows = new ArrayList<>();
            for (int row = 0; row < calls.rows(); row++) {
                rows.add(of(calls, row));
            }
            return rows;
        }
    }

    static Stream<byte[]> blocks() throws IOException {
        List<byte[]> blocks = new ArrayList<>();
        for (String fixture : List.of("samples-format-1", "samples-format-1-columns")) {
            SampleReader.read(Path.of("src/test/resources", fixture), new SampleReader.Visitor() {
                @Override
                public void block(Block header, ByteBuffer data) throws CorruptBlockException {
                    byte[] block = new byte[Block.length(data)];
                    data.get(block);
                    blocks.add(block);
                }

                @Override
                public void damaged(Path file, long offset, String reason) {
                    throw new AssertionError(reason);
                }
            });
        }
        blocks.add(bytes(closedLoad(7)));
        EventWriter events = new EventWriter(3, 9);
        events.add(EventFormatTests.piece(3));
        events.add(EventFormatTests.piece(6));
        blocks.add(bytes(encoded(events)));
        return blocks.stream();
    }

    private static ByteBuffer closedLoad(int calls) {
        CallWriter writer = new CallWriter(3, calls, METRICS);
        Workload workload = Workload.closed(1, calls, 3, 1e6, 1e5);
        SplittableRandom random = new SplittableRandom(1);
        for (int call = 0; call < calls; call++) {
            double value = random.nextDouble();
            workload.addTo(row -> writer.add(row.metric(1, value)), 0, 2, 1, 1_000_000_000L);
        }
        return encoded(writer);
    }

    private static ByteBuffer encoded(BlockWriter writer) {
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
        writer.encode(block, 1);
        return block.flip();
    }

    private static byte[] bytes(ByteBuffer block) {
        return Arrays.copyOf(block.array(), block.limit());
    }

    /** Makes the input a block as far as its magic, its length, its version and its checksum tell. */
    private static ByteBuffer sealed(byte[] input) {
        int length = Math.min(Block.MAX_LENGTH, Math.max(Block.HEADER + Block.CHECKSUM, input.length));
        ByteBuffer block = ByteBuffer.wrap(Arrays.copyOf(input, length)).order(ByteOrder.LITTLE_ENDIAN);
        block.putInt(0, Block.MAGIC).putInt(4, length).put(8, (byte) Block.VERSION);
        CRC32C checksum = new CRC32C();
        checksum.update(block.array(), 0, length - Block.CHECKSUM);
        return block.putInt(length - Block.CHECKSUM, (int) checksum.getValue());
    }

    @MethodSource("blocks")
    @Fuzz
    void aBlockIsReadOrRefused(byte[] input) {
        ByteBuffer block = sealed(input);
        Block header;
        try {
            header = Block.read(block);
        } catch (CorruptBlockException refused) {
            return;
        }
        try {
            Memory.atMost(MAX_BYTES, () -> calls(block, header));
        } catch (CorruptBlockException refused) {
            // one that is no block of calls
        }
        try {
            Memory.atMost(MAX_BYTES, () -> observations(block, header));
        } catch (CorruptBlockException refused) {
            // one that is no block of observations
        }
        try {
            Memory.atMost(MAX_BYTES, () -> new Events().decode(block, header));
        } catch (CorruptBlockException refused) {
            // one that is no block of events
        }
        try {
            new CallClients().decode(block, header);
        } catch (CorruptBlockException refused) {
            // one whose clients cannot be told
        }
    }

    private static void calls(ByteBuffer block, Block header) throws CorruptBlockException {
        Calls calls = new Calls(SampleColumn.CALL, SampleColumn.ERROR_IN);
        calls.decode(block, header);
        if (header.rows() > 1_000) {
            return;
        }
        List<Row> read = Row.of(calls);
        Calls used = new Calls(SampleColumn.CALL, SampleColumn.ERROR_IN);
        ByteBuffer before = closedLoad(5);
        used.decode(before, Block.read(before));
        used.decode(block, header);
        assertThat(Row.of(used)).as("read by what has read another").isEqualTo(read);
        if (calls.outcomes().stream().anyMatch(word -> Outcome.fault(word) != Fault.SERVICE)) {
            return; // a mark behind a mark, which the writer takes for the first
        }
        CallWriter writer = new CallWriter(header.tester(), calls.rows(), METRICS);
        for (int row = 0; row < calls.rows(); row++) {
            TestCall call = TestCall.like(calls, row);
            for (int metric = 0; metric < METRICS; metric++) {
                call = call.metric(metric, calls.metric(metric, row));
            }
            writer.add(call);
        }
        ByteBuffer again = encoded(writer);
        calls.decode(again, Block.read(again));
        assertThat(Row.of(calls)).as("written and read again").isEqualTo(read);
    }

    private static List<Object> rows(Observations observations) {
        List<Object> rows = new ArrayList<>();
        for (int row = 0; row < observations.rows(); row++) {
            rows.add(List.of(
                    observations.metric(row),
                    observations.timeNanos(row),
                    observations.value(row),
                    observations.client(row),
                    observations.call(row)));
        }
        return rows;
    }

    private static void observations(ByteBuffer block, Block header) throws CorruptBlockException {
        Observations observations = new Observations();
        observations.decode(block, header);
        if (header.rows() > 1_000) {
            return;
        }
        List<Object> read = rows(observations);
        ObservationWriter writer = new ObservationWriter(header.tester(), observations.rows());
        for (int row = 0; row < observations.rows(); row++) {
            writer.add(
                    observations.metric(row),
                    observations.timeNanos(row),
                    observations.value(row),
                    observations.client(row),
                    observations.call(row));
        }
        ByteBuffer again = encoded(writer);
        observations.decode(again, Block.read(again));
        assertThat(rows(observations)).as("written and read again").isEqualTo(read);
    }
}
