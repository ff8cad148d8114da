package org.diperf.analyzer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;
import java.util.function.ObjLongConsumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class QuantaTests {

    private static final long QUANTUM = 1_000_000_000L;

    enum First {
        OK((quanta, at) -> quanta.ok(at, 1_000_000, 0), Series::throughput),
        FAILED(Quanta::failed, Series::failed),
        DROPPED(Quanta::dropped, Series::dropped),
        SENT((quanta, at) -> quanta.sent(at - 1, at, 1_000), Series::lagP99),
        NETWORK((quanta, at) -> quanta.network(at, 1_000), Series::networkMs);

        private final ObjLongConsumer<Quanta> note;
        private final Function<Series, double[]> column;

        First(ObjLongConsumer<Quanta> note, Function<Series, double[]> column) {
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
            assertThat(first.column.apply(series)[place])
                    .as("second %d", second)
                    .isPositive();
        }
    }

    @Test
    void theHeatMapOfARunThatIsLongerThanItsCallsNeedsNoSeriesBefore() {
        Quanta quanta = new Quanta(QUANTUM, 0, 1);
        quanta.ok(1, 1_000_000, 0);

        assertThat(quanta.heat(100 * QUANTUM).most()).isEqualTo(1);
    }
}
