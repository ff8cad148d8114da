package org.diperf.controller.run.live;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.diperf.analyzer.live.LiveSeries;
import org.diperf.core.experiment.Threshold;
import org.diperf.core.wire.TesterStatus;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Thresholds that may end a run. */
@Timeout(30)
class AbortWatcherTests {

    private static final long SECOND = 1_000_000_000L;
    private static final LiveSeries.Look NO_ANSWERS = new LiveSeries(0).last(SECOND, 1);

    private static AbortWatcher watch(String that) {
        return new AbortWatcher(List.of(new Threshold(that, Duration.ofSeconds(1), Duration.ofSeconds(2), true)));
    }

    private static @Nullable String judge(String that, TesterStatus now) {
        return watch(that).judge(3 * SECOND, NO_ANSWERS, now);
    }

    private static TesterStatus ended(long ok, long failed) {
        return new TesterStatus(1, 0, ok + failed, ok, failed, 0);
    }

    @Test
    void whatHasNotBeenMeasuredEndsNoRun() {
        assertThat(judge("response.p95 < 250ms", TesterStatus.NONE)).isNull();
        assertThat(judge("failed < 5% && response.p95 < 250ms", TesterStatus.NONE))
                .isNull();
        assertThat(judge("failed < 5% && response.p95 < 250ms", ended(10, 0))).isNull();
    }

    @Test
    void whatFailsEndsItThoughMoreIsNotMeasured() {
        assertThat(judge("failed < 5%", ended(1, 1))).isEqualTo("failed < 5% (observed 50%)");
        assertThat(judge("response.p95 < 250ms && failed < 5%", ended(1, 1)))
                .contains("response.p95 not measured", "failed 50%");
    }

    @Test
    void eachLookIsAtWhatEndedSinceTheOneBeforeAndNoneComesEarly() {
        AbortWatcher watch = watch("failed < 5%");
        assertThat(watch.judge(SECOND, NO_ANSWERS, ended(0, 10))).isNull();
        assertThat(watch.judge(3 * SECOND, NO_ANSWERS, ended(100, 10))).isNull();
        assertThat(watch.judge(3 * SECOND + 1, NO_ANSWERS, ended(100, 90))).isNull();
        assertThat(watch.judge(4 * SECOND, NO_ANSWERS, ended(100, 90))).isNotNull();
    }
}
