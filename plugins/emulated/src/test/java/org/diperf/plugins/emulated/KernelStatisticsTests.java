package org.diperf.plugins.emulated;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Readings;
import org.diperf.plugins.emulated.KernelStatistics.End;
import org.diperf.plugins.emulated.engine.EngineReport;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is made of the kernel's counters of {@code a – r – b}, of which the second link has a rate of 8 Mbit/s and loses packets. */
@Timeout(60)
class KernelStatisticsTests {

    private static final long S = 1_000_000_000L;
    private static final Direction NEAR = new Direction(0, 1_000_000, 0, Queue.DEFAULT, Loss.NONE);
    private static final Direction SLOW = new Direction(8e6, 1_000_000, 0, new Queue(9, false), new Loss(0.1, 1));

    private final Topology topology = new Topology(
            1,
            List.of(new EmulatedHost("a", "", 0x0a630001), new EmulatedHost("b", "", 0x0a630002)),
            List.of("r"),
            List.of(
                    new Link("ar", "a", "r", List.of(NEAR), List.of(NEAR)),
                    new Link("rb", "r", "b", List.of(SLOW), List.of(NEAR))));

    private List<End> ends = List.of();
    private boolean isGone;
    private long now = S;
    private final KernelStatistics account = new KernelStatistics(
            topology,
            () -> {
                if (isGone) {
                    throw new IOException("gone");
                }
                return ends;
            },
            report -> report.engine(EngineReport.LATE_NANOS + 1, 7_000),
            () -> 123,
            () -> now);

    private static End end(long packets, long refused, long distance, long rate, long queued) {
        return new End(packets, packets * 1_014, refused, distance, rate, queued);
    }

    private void someTraffic() {
        ends = List.of(end(50, 0, 0, 0, 0), end(30, 2, 0, 0, 0), end(40, 1, 8, 3, 4), end(30, 0, 0, 0, 0));
    }

    @Test
    void whatLinksSentIsWithoutEthernetAndWhatTheyDroppedHasItsCause() {
        someTraffic();
        EngineReport report = account.last();
        assertThat(report.engine(EngineReport.AT_NANOS)).isEqualTo(S);
        assertThat(report.pipe(2, EngineReport.BYTES)).isEqualTo(40_000);
        assertThat(report.pipe(2, EngineReport.BUSY_NANOS))
                .as("40,000 bytes at 8 Mbit/s")
                .isEqualTo(40_000_000);
        assertThat(report.pipe(2, EngineReport.LOST))
                .as("8, of which 3 by the queue")
                .isEqualTo(5);
        assertThat(report.pipe(2, EngineReport.OVERFLOWED)).isEqualTo(3);
        assertThat(report.pipe(2, EngineReport.QUEUED)).isEqualTo(4);
        assertThat(report.pipe(2, EngineReport.PACKETS)).isEqualTo(40 + 8 + 4);
        assertThat(report.pipe(0, EngineReport.BUSY_NANOS)).isZero();
        assertThat(report.engine(EngineReport.DELIVERED)).as("to b and to a").isEqualTo(40 + 30);
        assertThat(report.engine(EngineReport.REFUSED)).isEqualTo(3);
        assertThat(report.engine(EngineReport.LATE_NANOS + 1)).isEqualTo(7_000);
    }

    @Test
    void theMostInAQueueIsThatOfAllLooks() {
        someTraffic();
        account.last();
        ends = List.of(end(0, 0, 0, 0, 0), end(0, 0, 0, 0, 0), end(0, 0, 0, 0, 1), end(0, 0, 0, 0, 0));
        account.last();
        assertThat(account.takeMostQueued()).containsExactly(0, 0, 4, 0);
        assertThat(account.takeMostQueued()).containsOnly(0);
    }

    @Test
    void whereTheNetworkHasGoneItIsWhatWasKnownBefore() {
        someTraffic();
        account.last();
        isGone = true;
        now = 5 * S;
        assertThat(account.last().engine(EngineReport.AT_NANOS)).isEqualTo(S);
        assertThat(account.last().pipe(0, EngineReport.PACKETS)).isEqualTo(50);
    }

    @Test
    void itsWordsSayThatLatenessIsOfProbes() {
        someTraffic();
        account.over();
        isGone = true;
        assertThat(account.words(List.of("ar there", "ar back", "rb there", "rb back")))
                .contains(
                        "70 packets; 123 probes, late by 0 us (p50), 7 us (p99), 0 us (max); 3 not accepted by the"
                                + " next device",
                        "link rb there: 52 packets, 40000 bytes sent, 5 lost, 3 dropped at a full queue, 0 on a cut link");
    }

    @Test
    void theMonitorDoesNotSayThatNoPacketWasLate() throws Exception {
        someTraffic();
        List<String> metrics = new ArrayList<>();
        new LinkMonitor(
                        account,
                        topology.pipes().stream().map(Topology.Pipe::name).toList())
                .sample(new Readings() {
                    @Override
                    public long nanoTime() {
                        return now;
                    }

                    @Override
                    public void gauge(String metric, String unit, double value, long atNanos) {
                        metrics.add(metric);
                    }

                    @Override
                    public void counter(String metric, String unit, double total, long sourceNanos, long atNanos) {
                        metrics.add(metric);
                    }

                    @Override
                    public void served(long endUnixNanos, long durationNanos, String outcome, long bytes) {}

                    @Override
                    public void note(String text) {}
                });
        assertThat(metrics)
                .contains("rb.there.use", "rb.there.overflowed", "rb.there.queue")
                .doesNotContain("late", "late.most");
    }
}
