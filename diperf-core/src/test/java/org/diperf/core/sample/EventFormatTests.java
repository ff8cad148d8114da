package org.diperf.core.sample;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntToLongFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class EventFormatTests {

    private static final int PIECE = 128;
    private static final int BLOCK = 4 * 1024;

    /** Consecutive events of a call, of one kind and count. */
    private record Made(
            CallRow call,
            long callNumber,
            boolean continues,
            long originNanos,
            long[] gaps,
            int kindOfAll,
            int countOfAll,
            long[] errors)
            implements EventWriter.Piece {

        @Override
        public int rows() {
            return gaps.length;
        }

        @Override
        public long gapMicros(int row) {
            return gaps[row];
        }

        @Override
        public int kind(int row) {
            return kindOfAll;
        }

        @Override
        public int count(int row) {
            return countOfAll;
        }

        @Override
        public long errorNanos(int row) {
            return errors[row];
        }
    }

    private static ByteBuffer encoded(EventWriter writer) {
        ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength()).order(ByteOrder.LITTLE_ENDIAN);
        writer.encode(block, 9);
        return block.flip();
    }

    private static long[] unknown(int rows) {
        return new SplittableRandom(1)
                .longs(rows, CallWriter.UNKNOWN - 1, CallWriter.UNKNOWN)
                .map(any -> CallWriter.UNKNOWN)
                .toArray();
    }

    @Test
    void eventsOfCallsThatWereInterleavedAreReadAsTheyWere() throws CorruptBlockException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        EventWriter writer = new EventWriter(4, BLOCK);
        List<Made> written = new ArrayList<>();
        long origin = 0;
        for (int i = 0; i < 20; i++) {
            int rows = 1 + random.nextInt(PIECE);
            boolean continues = i % 3 == 2;
            origin = continues ? origin + random.nextInt(1_000_000) : random.nextLong(1L << 60);
            written.add(new Made(
                    new TestCall(continues ? 5 : origin, 0, 9)
                            .client(i / 3)
                            .stage(i % 2)
                            .request(i % 4)
                            .target(i % 5),
                    i / 3,
                    continues,
                    origin,
                    random.longs(rows, 0, 1L << random.nextInt(1, 36)).toArray(),
                    i % 7,
                    i,
                    random.longs(rows, 2_000, 50_000).toArray()));
            writer.add(written.get(i));
        }
        ByteBuffer block = encoded(writer);
        assertThat(writer.rows()).isZero();

        Block header = Block.read(block);
        Events events = new Events();
        events.decode(block, header);

        int at = 0;
        long first = Long.MAX_VALUE;
        long last = Long.MIN_VALUE;
        for (Made piece : written) {
            long time = piece.originNanos;
            for (int i = 0; i < piece.rows(); i++, at++) {
                time += piece.gaps[i] * 1_000;
                assertThat(events.timeNanos(at)).as("seed %d, row %d", seed, at).isEqualTo(time);
                assertThat(events.gapNanos(at)).isEqualTo(piece.gaps[i] * 1_000);
                assertThat(events.isFirst(at)).isEqualTo(i == 0 && !piece.continues);
                assertThat(events.client(at)).isEqualTo(piece.call.client());
                assertThat(events.call(at)).isEqualTo(piece.callNumber);
                assertThat(events.stage(at)).isEqualTo(piece.call.stageNumber());
                assertThat(events.request(at)).isEqualTo(piece.call.requestNumber());
                assertThat(events.target(at)).isEqualTo(piece.call.targetNumber());
                assertThat(events.kind(at)).isEqualTo(piece.kindOfAll);
                assertThat(events.count(at)).isEqualTo(piece.countOfAll);
                assertThat(events.errorNanos(at)).isGreaterThanOrEqualTo(piece.errors[i]);
                first = Math.min(first, time);
                last = Math.max(last, time);
            }
        }
        assertThat(events.rows()).isEqualTo(at);
        assertThat(header)
                .extracting(Block::kind, Block::tester, Block::number, Block::firstNanos, Block::lastNanos)
                .containsExactly(Block.EVENTS, 4, 9L, first, last);
    }

    /** 128 tokens an answer, 40 answers at a time, as far as the gaps of research into model servers go. */
    @ParameterizedTest
    @CsvSource({"steady, 1.5", "jittered, 2.2"})
    void anEventTakesFewBytes(String gaps, double most) {
        SplittableRandom random = new SplittableRandom(1);
        IntToLongFunction gap = gaps.equals("steady")
                ? i -> 5_000 + Math.round(60 * (random.nextDouble() + random.nextDouble() + random.nextDouble() - 1.5))
                : i -> 10_000 + random.nextInt(20_000);
        EventWriter writer = new EventWriter(1, BLOCK);
        for (int call = 0; !writer.isFullFor(PIECE); call++) {
            long[] drawn = new long[PIECE];
            Arrays.setAll(drawn, gap);
            writer.add(new Made(
                    new TestCall(call * 1_234_567L, 0, 9).client(call % 40),
                    call / 40,
                    false,
                    call * 1_234_567L,
                    drawn,
                    0,
                    1,
                    unknown(PIECE)));
        }
        assertThat((double) encoded(writer).limit() / BLOCK).isLessThan(most);
    }

    /** Makes events that come with the call. */
    static EventWriter.Piece piece(int rows) {
        return new Made(new TestCall(1, 0, 1), 0, false, 1, new long[rows], 0, 1, unknown(rows));
    }

    @Test
    void noMoreEventsAreTakenThanFit() {
        EventWriter writer = new EventWriter(1, 3);
        EventWriter.Piece two = piece(2);
        writer.add(two);
        assertThat(writer.isFullFor(1)).isFalse();
        assertThat(writer.isFullFor(2)).isTrue();
        assertThatThrownBy(() -> writer.add(two)).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void aBlockWithoutAColumnOrWithImpossibleNumbersIsRefused() throws CorruptBlockException {
        ByteBuffer none = ByteBuffer.allocate(512);
        BlockEncoder encoder = new BlockEncoder(none, new IntegerCodec(), Block.EVENTS, 1, 1, 1, 0);
        encoder.integers(SampleColumn.EVENT_GAP.id(), new long[] {1});
        encoder.finish(1, 0, 0);
        Events events = new Events();
        assertThatThrownBy(() -> events.decode(none.flip(), Block.read(none)))
                .isInstanceOf(CorruptBlockException.class)
                .hasMessageContaining("EVENT_CLIENT")
                .hasMessageNotContaining("EVENT_ERROR_IN");

        EventWriter writer = new EventWriter(1, 3);
        writer.add(new Made(new TestCall(1, 0, 1), 0, false, 1, new long[] {-7, 3}, 0, 1, unknown(2)));
        ByteBuffer wrong = encoded(writer);
        assertThatThrownBy(() -> events.decode(wrong, Block.read(wrong)))
                .isInstanceOf(CorruptBlockException.class)
                .hasMessageContaining("got -7");
    }
}
