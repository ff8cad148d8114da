package org.diperf.plugins.emulated.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What a link has done by an instant, and how the engine's process says so. */
@Timeout(60)
class EngineReportTests {

    private static final long MILLI = 1_000_000L;
    /** At 12 Mbit/s a packet of 1,500 bytes takes a millisecond. */
    private static final double RATE = 12e6;

    private static final int SIZE = 1_500;

    private static EngineReport report(Pipe pipe, long nowNanos) {
        EngineReport report = new EngineReport(1);
        pipe.report(nowNanos, report.pipes, 0);
        return report;
    }

    private static Pipe pipe(double rate, int queue) {
        return new Pipe("l", 0, direction(rate, queue), 1);
    }

    private static Direction direction(double rate, int queue) {
        return new Direction(rate, 0, 0, new Queue(queue, false), Loss.NONE);
    }

    @Test
    void whatWaitsHasNotBeenSent() {
        Pipe pipe = pipe(RATE, 4);
        for (int i = 0; i < 6; i++) {
            pipe.offer(0, SIZE);
        }
        EngineReport begin = report(pipe, 0);
        assertThat(begin.pipe(0, EngineReport.PACKETS)).isEqualTo(6);
        assertThat(begin.pipe(0, EngineReport.OVERFLOWED)).isEqualTo(2);
        assertThat(begin.pipe(0, EngineReport.BYTES)).isZero();
        assertThat(begin.pipe(0, EngineReport.BUSY_NANOS)).isZero();
        assertThat(begin.pipe(0, EngineReport.QUEUED)).isEqualTo(4);
        EngineReport middle = report(pipe, 5 * MILLI / 2);
        assertThat(middle.pipe(0, EngineReport.BYTES)).isEqualTo(5 * SIZE / 2);
        assertThat(middle.pipe(0, EngineReport.BUSY_NANOS)).isEqualTo(5 * MILLI / 2);
        assertThat(middle.pipe(0, EngineReport.QUEUED)).isEqualTo(2);
        EngineReport end = report(pipe, 10 * MILLI);
        assertThat(end.pipe(0, EngineReport.BYTES)).isEqualTo(4 * SIZE);
        assertThat(end.pipe(0, EngineReport.BUSY_NANOS)).as("4 of 10 ms").isEqualTo(4 * MILLI);
        assertThat(end.pipe(0, EngineReport.QUEUED)).isZero();
    }

    @Test
    void packetsOfTheFutureAreNoUse() {
        Pipe pipe = pipe(RATE, 4);
        pipe.offer(20 * MILLI, SIZE);
        EngineReport before = report(pipe, 5 * MILLI);
        assertThat(before.pipe(0, EngineReport.BUSY_NANOS)).isZero();
        assertThat(before.pipe(0, EngineReport.BYTES)).isZero();
    }

    @Test
    void aReportDropsNothingFromTheQueue() {
        Pipe looked = pipe(RATE, 2);
        Pipe other = pipe(RATE, 2);
        for (Pipe pipe : List.of(looked, other)) {
            pipe.offer(0, SIZE);
            pipe.offer(0, SIZE);
        }
        // The thread that carries packets was late: it looks at 10 ms, and then takes a packet that came at 0.5 ms.
        report(looked, 10 * MILLI);
        assertThat(looked.offer(MILLI / 2, SIZE))
                .isEqualTo(other.offer(MILLI / 2, SIZE))
                .isEqualTo(Pipe.LOST);
    }

    @Test
    void theMostInTheQueueIsThatSinceTheReportBefore() {
        Pipe pipe = pipe(RATE, 10);
        for (int i = 0; i < 5; i++) {
            pipe.offer(0, SIZE);
        }
        assertThat(report(pipe, 4 * MILLI).pipe(0, EngineReport.MAX_QUEUED)).isEqualTo(5);
        assertThat(report(pipe, 9 * MILLI).pipe(0, EngineReport.MAX_QUEUED)).isEqualTo(1);
        assertThat(report(pipe, 9 * MILLI).pipe(0, EngineReport.MAX_QUEUED)).isZero();
    }

    @Test
    void withoutARateALinkIsNeverBusy() {
        Pipe pipe = pipe(0, 10);
        pipe.offer(MILLI, SIZE);
        EngineReport report = report(pipe, 2 * MILLI);
        assertThat(report.pipe(0, EngineReport.BYTES)).isEqualTo(SIZE);
        assertThat(report.pipe(0, EngineReport.BUSY_NANOS)).isZero();
    }

    private static void change(Pipe pipe, double rate, boolean isDown, long nowNanos) {
        pipe.change(direction(rate, 4), isDown, nowNanos, new PacketPool(PacketPool.LARGE));
    }

    @Test
    void whatIsSentAtAnotherRateKeepsTheLinkBusyForAsLongAsThatTakes() {
        Pipe pipe = pipe(RATE, 4);
        for (int i = 0; i < 4; i++) {
            pipe.offer(0, SIZE);
        }
        // Half of the second has been sent; half of one takes 1 ms now, and each that follows 2 ms.
        change(pipe, RATE / 2, false, 3 * MILLI / 2);
        assertThat(report(pipe, 3 * MILLI / 2).pipe(0, EngineReport.BUSY_NANOS)).isEqualTo(3 * MILLI / 2);
        assertThat(report(pipe, 20 * MILLI).pipe(0, EngineReport.BUSY_NANOS)).isEqualTo(13 * MILLI / 2);
    }

    @Test
    void withoutARateAnyMoreALinkIsNoLongerBusy() {
        Pipe pipe = pipe(RATE, 4);
        for (int i = 0; i < 4; i++) {
            pipe.offer(0, SIZE);
        }
        change(pipe, 0, false, 3 * MILLI / 2);
        assertThat(report(pipe, 20 * MILLI).pipe(0, EngineReport.BUSY_NANOS)).isEqualTo(3 * MILLI / 2);
    }

    @Test
    void aLinkThatIsCutWasBusyUntilThen() {
        for (double rateThen : new double[] {RATE, 0}) {
            Pipe pipe = pipe(RATE, 4);
            for (int i = 0; i < 4; i++) {
                pipe.offer(0, SIZE);
            }
            change(pipe, rateThen, true, 3 * MILLI / 2);
            pipe.offer(5 * MILLI, SIZE);
            EngineReport report = report(pipe, 20 * MILLI);
            assertThat(report.pipe(0, EngineReport.BUSY_NANOS)).isEqualTo(3 * MILLI / 2);
            assertThat(report.pipe(0, EngineReport.CUT))
                    .as("what came after the cut")
                    .isEqualTo(1);
        }
    }

    @Test
    void ofPacketsThatAreStillToComeTheTimeUntilThenIsNotSubtractedByACut() {
        Pipe pipe = pipe(RATE, 4);
        pipe.offer(0, SIZE);
        pipe.offer(20 * MILLI, SIZE);
        change(pipe, RATE, true, 10 * MILLI);
        assertThat(report(pipe, 30 * MILLI).pipe(0, EngineReport.BUSY_NANOS)).isEqualTo(MILLI);
    }

    @Test
    void linesSayWhatHasChangedAndAreReadAgain() {
        EngineReport written = new EngineReport(2);
        written.pipes[EngineReport.OF_PIPE + EngineReport.BYTES] = 77;
        written.engine[EngineReport.AT_NANOS] = 5;
        EngineReport read = new EngineReport(2);
        List<Boolean> complete = new ArrayList<>();
        written.lines().lines().forEach(line -> {
            assertThat(EngineReport.isLine(line)).isTrue();
            complete.add(read.read(line));
        });
        assertThat(complete).containsExactly(false, true);
        assertThat(read.pipe(1, EngineReport.BYTES)).isEqualTo(77);
        assertThat(read.engine(EngineReport.AT_NANOS)).isEqualTo(5);
        assertThat(written.lines().lines()).as("no link has changed").hasSize(1);
        for (String wrong : List.of("pipe 2 1 2 3 4 5 6 7 8", "pipe 0 1", "engine 1 2", "pipe x")) {
            assertThatThrownBy(() -> read.read(wrong)).as(wrong).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(EngineReport.isLine("OpenJDK 64-Bit Server VM warning")).isFalse();
    }

    @Test
    void itsWordsNameTheLinksThatWereUsedAndWhyTheyDropped() {
        EngineReport report = new EngineReport(2);
        report.read("pipe 1 9 1000 5 4 3 2 0 0");
        report.read("engine 7 100 1000 2000 3000 4000 5000 6000 8 9");
        assertThat(report.words(List.of("idle", "bone")))
                .containsExactly(
                        "100 packets, late by 1 us (p50), 2 us (p99), 3 us (max); loop time 5 us (p99);"
                                + " 8 with no route, 9 not accepted by their host",
                        "link bone: 9 packets, 1000 bytes sent, 4 lost, 3 dropped at a full queue, 2 on a cut link");
    }

    @Test
    void reportsAreWrittenWhenTheyHaveBeenFilled() throws Exception {
        List<String> out = new ArrayList<>();
        EngineReporter reporting = new EngineReporter(new EngineReport(1), out::add);
        assertThat(reporting.isWanted()).isTrue();
        reporting.tellNow();
        assertThat(out).isEmpty();
        reporting.filled();
        assertThat(reporting.isWanted()).isFalse();
        reporting.tellNow();
        assertThat(out).hasSize(1);
        assertThat(reporting.isWanted()).isTrue();
        reporting.close();
    }
}
