package org.diperf.plugins.iperf;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.diperf.plugins.iperf.Results.OfStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What was lost, by what both ends say. */
@Timeout(30)
class IperfMetricsTests {

    private static final int UNKNOWN = -1;

    private static OfStream sender(long packets, long omitted) {
        return new OfStream(1, packets * 1000, -1, 0, 0, 0, packets, omitted, 10);
    }

    private static OfStream receiver(long highest, long lost, long omitted, long omittedLost) {
        return new OfStream(1, (highest - lost) * 1000, -1, 0.001, lost, omittedLost, highest, omitted, 10);
    }

    private static Map<String, Double> of(OfStream sender, OfStream receiver) {
        List<OfStream> own = List.of(sender);
        return IperfMetrics.direction(false).of(true, own, List.of(receiver), own).entrySet().stream()
                .collect(Collectors.toMap(each -> each.getKey().name(), Map.Entry::getValue));
    }

    @Test
    void thoseThatWereLostLastCountThoughTheyLeaveNoGap() {
        assertThat(of(sender(100, 0), receiver(98, 3, 0, 0)))
                .containsEntry("packets", 100.0)
                .containsEntry("lost", 5.0)
                .containsEntry("loss", 5.0);
    }

    /** The receiver's omitted time ends when other datagrams have come than the sender's when they were sent. */
    @Test
    void endsThatOmitOtherDatagramsDoNotMakeThemLostOrFound() {
        for (long omittedThere : List.of(40L, 100L, 160L)) {
            assertThat(of(sender(1100, 100), receiver(1100, 11, omittedThere, 1)))
                    .containsEntry("packets", 1000.0)
                    .containsEntry("lost", 10.0)
                    .containsEntry("loss", 1.0);
        }
    }

    @Test
    void anEndThatTellsNothingOfItsOmittedTimeIsNotTakenForOneThatOmitsNothing() {
        assertThat(of(sender(1100, 100), receiver(1100, 11, UNKNOWN, UNKNOWN)))
                .as("the server is old")
                .containsEntry("packets", 1000.0)
                .containsEntry("lost", 11.0);
        assertThat(of(sender(1100, UNKNOWN), receiver(1100, 11, 100, 1)))
                .as("reverse, and the server is old")
                .containsEntry("packets", 1000.0)
                .containsEntry("lost", 10.0)
                .containsEntry("loss", 1.0);
    }
}
