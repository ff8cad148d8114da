package org.diperf.plugins.emulated;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Readings;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is told of links, of reports that these tests write. */
@Timeout(60)
class LinkMonitorTests {

    private static final long S = 1_000_000_000L;

    private final EngineMessages engine = new EngineMessages(2);
    private final LinkMonitor monitor = new LinkMonitor(engine, List.of("bone.there", "bone.back"));
    private final Told told = new Told();

    /** Remembers what it is told. */
    private static final class Told implements Readings {

        final List<String> lines = new ArrayList<>();
        long now = 3 * S;

        @Override
        public long nanoTime() {
            return now;
        }

        @Override
        public void gauge(String metric, String unit, double value, long atNanos) {
            lines.add(metric + " " + value + " " + unit + " at " + atNanos / S);
        }

        @Override
        public void counter(String metric, String unit, double total, long sourceNanos, long atNanos) {
            lines.add(metric + " to " + total + " " + unit + " at " + atNanos / S);
        }

        @Override
        public void served(long endUnixNanos, long durationNanos, String outcome, long bytes) {}

        @Override
        public void note(String text) {}
    }

    private void at(long seconds, String... pipes) {
        for (String pipe : pipes) {
            engine.said(pipe);
        }
        engine.said("engine " + seconds * S + " 0 0 0 0 0 0 0 0 0");
    }

    @Test
    void whatWasZeroIsToldFromTheFirstSampleOnWhenItIsNoLonger() throws Exception {
        at(1, "pipe 0 1 1000 500000000 0 0 0 0 0");
        monitor.sample(told);
        assertThat(told.lines)
                .containsExactly(
                        "late to 0.0 percent at 0",
                        "late.most 0.0 ms at 0",
                        "bone.there.use to 50.0 percent at 1",
                        "bone.there.rate to 8000.0 bit/s at 1");
        at(2);
        monitor.sample(told);
        told.lines.clear();
        at(3, "pipe 1 4 0 0 0 3 0 2 5");
        monitor.sample(told);
        assertThat(told.lines)
                .containsExactly(
                        "bone.there.use to 50.0 percent at 3",
                        "bone.there.rate to 8000.0 bit/s at 3",
                        "bone.back.overflowed to 0.0 packets/s at 1",
                        "bone.back.overflowed to 0.0 packets/s at 2",
                        "bone.back.overflowed to 3.0 packets/s at 3",
                        "bone.back.queue 0.0 packets at 1",
                        "bone.back.queue 0.0 packets at 2",
                        "bone.back.queue 2.0 packets at 3",
                        "bone.back.queue.most 0.0 packets at 1",
                        "bone.back.queue.most 0.0 packets at 2",
                        "bone.back.queue.most 5.0 packets at 3");
    }

    @Test
    void theLongestQueueIsThatOfAllReportsSinceTheSampleBefore() throws Exception {
        at(1, "pipe 0 1 0 0 0 0 0 0 9");
        at(2, "pipe 0 1 0 0 0 0 0 0 1");
        monitor.sample(told);
        assertThat(told.lines).contains("bone.there.queue.most 9.0 packets at 2");
    }

    @Test
    void whatACutDropsIsLostToo() throws Exception {
        at(1, "pipe 0 9 0 0 2 0 3 0 0");
        monitor.sample(told);
        assertThat(told.lines)
                .containsExactly(
                        "late to 0.0 percent at 0", "late.most 0.0 ms at 0", "bone.there.lost to 5.0 packets/s at 1");
    }

    @Test
    void aSampleBeforeTheNextReportTellsNothingAndAnEngineThatSaysNothingMoreIsAFailure() throws Exception {
        monitor.sample(told);
        assertThat(told.lines).isEmpty();
        at(1);
        monitor.sample(told);
        told.lines.clear();
        told.now = 10 * S;
        monitor.sample(told);
        told.now = 13 * S;
        monitor.sample(told);
        assertThat(told.lines).isEmpty();
        told.now = 14 * S;
        assertThatThrownBy(() -> monitor.sample(told))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("engine")
                .hasMessageContaining("4 s");
    }

    @Test
    void theEndWaitsForAReportOfTheEnd() throws Exception {
        at(1);
        monitor.sample(told);
        Thread later = new Thread(() -> at(4, "pipe 0 1 1000 0 0 0 0 0 0"));
        later.start();
        monitor.finish(told);
        later.join();
        assertThat(told.lines).contains("bone.there.rate to 8000.0 bit/s at 4");
    }

    @Test
    void afterItsEndNobodyWaits() throws Exception {
        at(1);
        monitor.sample(told);
        engine.said("java: an error");
        engine.over();
        told.lines.clear();
        monitor.finish(told);
        assertThat(told.lines).isEmpty();
        assertThat(engine.words(List.of("there", "back"))).contains("java: an error");
    }

    @Test
    void withoutAReportOfTheEndThereIsNoOtherSample() throws Exception {
        at(4);
        monitor.sample(told);
        told.lines.clear();
        monitor.finish(told);
        assertThat(told.lines).as("the last report is of the end").isEmpty();
    }

    @Test
    void countsOfADeviceAreReadFromTheKernelsTable() throws Exception {
        List<String> table = List.of(
                "Inter-|   Receive                                                |  Transmit",
                " face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls",
                "    lo:       1       2    3    4    5     6          7         8        9      10   11   12   13    14",
                "  eth0:   21     22   23   24   25   26   27   28   29   30   31   32   33   34   35   36");
        assertThat(DeviceCounts.of(table, "eth0")).isEqualTo(new DeviceCounts(29, 30, 32));
        assertThatThrownBy(() -> DeviceCounts.of(table, "eth1")).isInstanceOf(IOException.class);
    }

    @Test
    void whatIsLateIsToldBySlicesOfWhichNoneIsLeftOut() throws Exception {
        at(1, "late 50 5000000 2000000", "late 51 10000000 15000000", "late 97 2500000 1000000");
        monitor.sample(told);
        assertThat(told.lines)
                .containsExactly(
                        "late to 0.0 percent at 0",
                        "late.most 0.0 ms at 0",
                        "late to 0.0 percent at 0",
                        "late to 0.5 percent at 0",
                        "late.most 2.0 ms at 0",
                        "late to 1.5 percent at 0",
                        "late.most 15.0 ms at 0",
                        "late to 1.5 percent at 0",
                        "late to 1.75 percent at 0",
                        "late.most 1.0 ms at 0");
        told.lines.clear();
        at(2, "late 98 10000000 0");
        monitor.sample(told);
        assertThat(told.lines)
                .as("the slice after it")
                .containsExactly("late to 2.75 percent at 0", "late.most 0.0 ms at 0");
    }
}
