package org.diperf.analyzer.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.nio.ByteBuffer;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.CorruptBlockException;
import org.diperf.core.sample.TestCall;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The numbers of the last seconds of a run under way. */
@Timeout(30)
class LiveSeriesTests {

    private static final long START = 5_000_000_000L;
    private static final long MILLI = 1_000_000;
    /** The tester's clock is an hour behind. */
    private static final long OFFSET = 3_600_000_000_000L;

    private final LiveSeries live = new LiveSeries(START);
    private final CallWriter calls = new CallWriter(1, 100, 0);

    private void call(long atMillis, long tookMillis, String outcome) {
        calls.add(new TestCall(START - OFFSET + atMillis * MILLI, 0, tookMillis * MILLI)
                .outcome(outcome)
                .bytes(1));
    }

    private void arrive() throws CorruptBlockException {
        ByteBuffer data = ByteBuffer.allocate(calls.maxEncodedLength());
        calls.encode(data, 1);
        data.flip();
        live.add(Block.read(data), data, OFFSET);
    }

    private LiveSeries.Look at(long millis, int seconds) {
        return live.last(START + millis * MILLI, seconds);
    }

    @Test
    void theLastWholeSecondsCountAndTheOneUnderWayDoesNot() throws CorruptBlockException {
        call(100, 10, "ok");
        call(1100, 20, "ok");
        call(2100, 30, "ok");
        call(2200, 40, "ok");
        call(3100, 900, "ok");
        arrive();

        LiveSeries.Look look = at(3500, 2);

        assertThat(look.okPerSecond()).isEqualTo(1.5);
        assertThat(look.responseMillis(0.5)).isCloseTo(30, within(0.3));
        assertThat(look.responseMillis(1)).isCloseTo(40, within(0.4));
        assertThat(look.ok()).isEqualTo(5);
    }

    @Test
    void theCommonestReasonOfFailuresIsNamed() throws CorruptBlockException {
        assertThat(at(0, 1).failure()).isEmpty();
        call(100, 10, "timeout");
        call(200, 10, "status 500");
        call(300, 10, "status 500");
        call(400, 10, "ok");
        arrive();

        assertThat(at(1000, 1).failure()).isEqualTo("status 500");
    }

    @Test
    void failedDroppedAndUnfinishedOnesAreCountedApart() throws CorruptBlockException {
        call(100, 10, "ok");
        call(100, 10, "timeout");
        call(100, 10, "http 500");
        call(100, 0, "dropped");
        call(100, 10, "unfinished");
        arrive();

        LiveSeries.Look look = at(1000, 1);

        assertThat(look.ok()).isEqualTo(1);
        assertThat(look.failed()).isEqualTo(2);
        assertThat(look.dropped()).isEqualTo(1);
        assertThat(look.okPerSecond()).isEqualTo(1);
    }

    @Test
    void anHourLaterTheOldSecondsAreForgottenAndTheCountsAreNot() throws CorruptBlockException {
        call(100, 10, "ok");
        call(3_600_100, 10, "ok");
        call(200, 10, "ok");
        arrive();

        assertThat(at(3_601_000, 15).okPerSecond()).isCloseTo(1 / 15.0, within(1e-9));
        assertThat(at(3_700_000, 15).okPerSecond()).isZero();
        assertThat(at(3_700_000, 15).responseMillis(0.5)).isNaN();
        assertThat(at(3_700_000, 15).ok()).isEqualTo(3);
    }

    @Test
    void beforeTheFirstSecondThereIsNothing() {
        assertThat(at(0, 2).okPerSecond()).isZero();
        assertThat(at(-5000, 2).responseMillis(0.99)).isNaN();
    }

    @Test
    void moreThanItHoldsIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> at(0, 16)).withMessageContaining("got 16");
    }
}
