package org.diperf.plugins.stamp;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import org.diperf.core.clock.Exchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class TallyTests {

    private static final long SENT = 1_000_000;

    private final ReflectorClock clocks = new ReflectorClock();

    private Map<String, Double> of(boolean counts, int sent, int[]... answers) {
        Tally tally = new Tally(counts);
        for (int[] answer : answers) {
            long at = SENT * (answer[0] + 1);
            // 300 µs there, 100 µs held, 200 µs back; the reflector's clock is an hour ahead.
            long hour = 3_600_000_000_000L;
            Exchange exchange = new Exchange(at + hour + 400_000, at + 600_000, at, at + hour + 300_000);
            clocks.add(exchange);
            tally.take(answer[0], answer[1], exchange);
        }
        Map<String, Double> metrics = new HashMap<>();
        tally.metrics(sent, clocks).forEach((metric, value) -> metrics.put(metric.name(), value));
        return metrics;
    }

    @Test
    void theReflectorsNumbersTellOnWhichWayADatagramWasLost() {
        // 1 is lost there, so 2 is the reflector's second; the answer to 3 is lost.
        assertThat(of(true, 5, new int[] {0, 0}, new int[] {2, 1}, new int[] {4, 3}))
                .containsEntry("lost", 2.0)
                .containsEntry("lost.there", 1.0)
                .containsEntry("lost.back", 1.0)
                .containsEntry("duplicates", 0.0)
                .containsEntry("reordered.there", 0.0)
                .containsEntry("reordered.back", 0.0);
    }

    @Test
    void whatIsLostLastCountsAsLostThere() {
        assertThat(of(true, 4, new int[] {0, 0}, new int[] {1, 1}))
                .containsEntry("lost.there", 2.0)
                .containsEntry("lost.back", 0.0);
    }

    @Test
    void orderIsToldForEachWay() {
        assertThat(of(true, 3, new int[] {1, 0}, new int[] {0, 1}, new int[] {2, 2}))
                .containsEntry("reordered.there", 1.0)
                .containsEntry("reordered.back", 0.0);
        assertThat(of(true, 3, new int[] {1, 1}, new int[] {0, 0}, new int[] {2, 2}))
                .containsEntry("reordered.there", 0.0)
                .containsEntry("reordered.back", 1.0);
    }

    @Test
    void aSecondAnswerIsADuplicateAndHidesNoLoss() {
        assertThat(of(true, 3, new int[] {0, 0}, new int[] {0, 0}, new int[] {2, 1}))
                .containsEntry("duplicates", 1.0)
                .containsEntry("lost", 1.0)
                .containsEntry("lost.there", 1.0);
        assertThat(of(true, 3, new int[] {0, 0}, new int[] {0, 1}, new int[] {2, 3}))
                .containsEntry("duplicates", 1.0)
                .containsEntry("lost.back", 1.0);
    }

    @Test
    void aReflectorThatDoesNotCountTellsNothingOfTheWays() {
        assertThat(of(false, 3, new int[] {0, 0}, new int[] {2, 2}))
                .containsEntry("lost", 1.0)
                .doesNotContainKeys("lost.there", "lost.back", "reordered.there");
    }

    @Test
    void theTruthIsWithinTheBoundThoughTheWaysDiffer() {
        Map<String, Double> metrics = of(true, 3, new int[] {0, 0}, new int[] {1, 1}, new int[] {2, 2});
        assertThat(metrics.get("round-trip")).isEqualTo(0.5);
        double bound = metrics.get("bound");
        assertThat(bound).isBetween(0.2, 0.6);
        assertThat(Math.abs(metrics.get("there") - 0.3)).isLessThanOrEqualTo(bound);
        assertThat(Math.abs(metrics.get("back") - 0.2)).isLessThanOrEqualTo(bound);
    }
}
