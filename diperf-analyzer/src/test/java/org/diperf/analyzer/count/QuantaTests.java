package org.diperf.analyzer.count;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.Arrays;
import java.util.function.ObjLongConsumer;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.sets.TimeWeightedCount;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class QuantaTests {

    private static final long QUANTUM = 1_000_000_000L;

    enum First {
        OK((quanta, at) -> quanta.ok(at, 1_000_000, 900_000, 0), Series.THROUGHPUT),
        FAILED(Quanta::failed, Series.FAILED),
        DROPPED(Quanta::dropped, Series.DROPPED),
        SENT((quanta, at) -> quanta.sent(at - 1, at, 1_000), Series.LAG_P99),
        NETWORK((quanta, at) -> quanta.network(at, 1_000), Series.NETWORK);

        private final ObjLongConsumer<Quanta> note;
        private final Series.Column column;

        First(ObjLongConsumer<Quanta> note, Series.Column column) {
            this.note = note;
            this.column = column;
        }
    }

    @ParameterizedTest
    @EnumSource
    void whateverComesFirstInAQuantumMayBeWhatNeedsMoreRoom(First first) {
        for (int second : new int[] {0, 63, 64, 65, 128, 4_095, 4_096, 9_000}) {
            Quanta quanta = new Quanta(QUANTUM, 0, 1);

            first.note.accept(quanta, second * QUANTUM + 1);

            Series series = quanta.series((second + 1) * QUANTUM, null);
            int place = (int) (second / series.quantumSeconds());
            assertThat(series.of(first.column)[place]).as("second %d", second).isPositive();
        }
    }

    @Test
    void aCallSaidToBeSentLongAfterItEndedIsInTheQuantumOfItsEnd() {
        for (long sent : new long[] {3 * QUANTUM, QUANTUM << 31, Long.MAX_VALUE}) {
            Quanta quanta = new Quanta(QUANTUM, 10 * QUANTUM, 1);

            quanta.sent(sent, 2 * QUANTUM, 1_000_000);

            assertThat(quanta.series(10 * QUANTUM, null).of(Series.LAG_P99)[2]).isPositive();
        }
    }

    @Test
    void theHeatMapOfARunThatIsLongerThanItsCallsNeedsNoSeriesBefore() {
        Quanta quanta = new Quanta(QUANTUM, 0, 1);
        quanta.ok(1, 1_000_000, -1, 0);

        assertThat(quanta.heat(100 * QUANTUM).most()).isEqualTo(1);
    }

    @Test
    void quantaDoubleUntil4096SufficeAndLoseNothing() {
        Quanta quanta = new Quanta(1_000, 1, 7);
        TimeWeightedCount naive = new TimeWeightedCount(Series.MAX_QUANTA);
        long last = 10_000L * 1_000 + 500;
        for (long at = 0; at <= last; at += 500) {
            quanta.sent(Math.max(0, at - 5_000), at, 0);
            quanta.ok(at, 5_000, 4_000, 1);
            naive.add(Math.max(0, at - 5_000), at, 4_000);
        }
        Series series = quanta.series(last + 1, null);
        assertThat(series.size()).isBetween(2048, Series.MAX_QUANTA);
        assertThat(series.quantumSeconds()).isEqualTo(4e-6);
        assertThat(Arrays.stream(series.of(Series.THROUGHPUT)).sum() * series.quantumSeconds())
                .isCloseTo(20_002, within(1e-3));
        for (int i = 0; i < series.size() - 1; i++) {
            assertThat(series.of(Series.IN_FLIGHT)[i]).isCloseTo(naive.sums(4_000)[i] / 4_000.0, within(1e-9));
        }
        assertThat(quanta.dots().seconds()).hasSizeLessThanOrEqualTo(ScatterSampler.MAX_DOTS);
    }
}
