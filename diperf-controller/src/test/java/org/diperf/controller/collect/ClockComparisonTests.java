package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.clock.Exchange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class ClockComparisonTests {

    private static final long S = 1_000_000_000L;
    private static final long OFFSET = 500;

    private final List<String> rows = new ArrayList<>();
    private final ClockComparison comparison = new ClockComparison(2, 7, rows::add);

    /** An exchange that the controller began, with the same time on both ways. */
    private static Exchange exchange(long atNanos, long wayNanos) {
        return new Exchange(atNanos - 2 * wayNanos, atNanos - wayNanos - OFFSET, atNanos - wayNanos - OFFSET, atNanos);
    }

    private static String row(Exchange exchange) {
        return "2,h,frame,7,0," + exchange.serverSent() + "," + exchange.clientReceived() + "," + exchange.clientSent()
                + "," + exchange.serverReceived();
    }

    @Test
    void everyPingIsWrittenAndTheTightestReportOfEachSecond() {
        comparison.host("h");
        comparison.ping(exchange(S, 300));
        comparison.ping(exchange(S, 200));
        comparison.report(exchange(2 * S, 30));
        comparison.report(exchange(2 * S + 1, 20));
        comparison.report(exchange(3 * S - 1, 40));
        assertThat(rows).containsExactly(row(exchange(S, 300)), row(exchange(S, 200)));
        comparison.report(exchange(3 * S, 90));
        assertThat(rows).hasSize(3).endsWith(row(exchange(2 * S + 1, 20)));
        comparison.flush();
        comparison.flush();
        assertThat(rows).hasSize(4).endsWith(row(exchange(3 * S, 90)));
    }

    @Test
    void stampsThatCannotBeTrueAreLeftOut() {
        Exchange beforeItWasSent = new Exchange(S, 100, 100, S - 1);
        comparison.ping(beforeItWasSent);
        comparison.report(beforeItWasSent);
        comparison.flush();
        assertThat(rows).isEmpty();
        assertThat(comparison.offset()).isEmpty();
    }

    @Test
    void theOffsetIsEstimatedFromPingsUntilTheStart() {
        comparison.report(exchange(S, 10));
        assertThat(comparison.offset()).isEmpty();
        comparison.ping(exchange(S, 300));
        assertThat(comparison.offset())
                .hasValueSatisfying(offset -> assertThat(offset.thetaNanos()).isEqualTo(OFFSET));
        comparison.started();
        comparison.ping(exchange(2 * S, 300));
        assertThat(comparison.offset()).isEmpty();
        assertThat(rows).hasSize(3);
    }

    @Test
    void theFirstRowIsWrittenAtOnceBecauseNoBlockIsKeptWithoutOne() {
        comparison.host("h");
        comparison.report(exchange(S, 10));
        assertThat(rows).containsExactly(row(exchange(S, 10)));
        comparison.report(exchange(S + 1, 5));
        assertThat(rows).hasSize(1);
    }
}
