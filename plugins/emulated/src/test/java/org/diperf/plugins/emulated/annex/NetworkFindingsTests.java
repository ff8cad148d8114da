package org.diperf.plugins.emulated.annex;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.diperf.core.spi.Annex.Remark;
import org.diperf.plugins.emulated.annex.NetworkUsage.Carried;
import org.diperf.plugins.emulated.annex.NetworkUsage.Times;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** When a network was not the one that is declared; its shortest round trip is 10 ms. */
@Timeout(60)
final class NetworkFindingsTests {

    private static final long MICRO = 1_000;
    private static final long ROUND_TRIP = 10_000 * MICRO;

    private static List<String> warnings(long roundTripNanos, @Nullable Carried carried) {
        return found(roundTripNanos, carried).stream().map(Remark::text).toList();
    }

    private static List<Remark> found(long roundTripNanos, @Nullable Carried carried) {
        return NetworkFindings.of(new NetworkUsage(List.of(), List.of(), roundTripNanos, 0, carried, List.of()));
    }

    private static Carried carried(long lateMicros, long droppedBefore, long refused) {
        return new Carried(
                "tun",
                1_000,
                new Times(1, lateMicros * MICRO, 1_000_000 * MICRO),
                null,
                new Times(1, 2, 3),
                droppedBefore,
                refused,
                99);
    }

    @Test
    void withoutAnAccountThereIsNothingToSay() {
        assertThat(warnings(ROUND_TRIP, null)).isEmpty();
    }

    @Test
    void latenessOfATenthOfTheShortestRoundTripIsTooMuch() {
        assertThat(warnings(ROUND_TRIP, carried(1_000, 0, 0))).isEmpty();
        assertThat(warnings(ROUND_TRIP, carried(1_001, 0, 0)))
                .singleElement()
                .asString()
                .contains("late, by 1.00 ms (p99)", "shortest round-trip time of 10.00 ms");
        assertThat(warnings(0, carried(1_001, 0, 0)))
                .as("nothing is between testers and service")
                .isEmpty();
    }

    @Test
    void latenessOfProbesCountsAsThatOfPackets() {
        Times late = new Times(1, 1_001 * MICRO, 1_001 * MICRO);
        assertThat(warnings(ROUND_TRIP, new Carried("netem", 1_000, late, 900L, null, 0L, 0, 0)))
                .singleElement()
                .asString()
                .contains("delivered its probes late, by 1.00 ms (p99)");
    }

    @Test
    void whatCouldNotBeReadIsNotNothing() {
        Carried carried = new Carried("tun", 1_000, new Times(1, 1, 1), null, new Times(1, 2, 3), null, 0, 0);
        assertThat(found(ROUND_TRIP, carried))
                .singleElement()
                .satisfies(warning -> assertThat(warning.isSuspect()).isFalse())
                .satisfies(warning -> assertThat(warning.text()).contains("is not known"));
    }

    @Test
    void packetsThatNoLinkHadToDropAreNamed() {
        assertThat(warnings(ROUND_TRIP, carried(1, 1, 0)))
                .singleElement()
                .asString()
                .startsWith("1 packet from hosts");
        assertThat(warnings(ROUND_TRIP, carried(1, 0, 2)))
                .singleElement()
                .asString()
                .startsWith("2 packets in the emulated network could not");
        assertThat(warnings(ROUND_TRIP, carried(5_000, 3, 2))).hasSize(3);
    }
}
