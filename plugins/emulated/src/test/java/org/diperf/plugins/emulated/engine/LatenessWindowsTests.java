package org.diperf.plugins.emulated.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Slices of 10 ms, in which packets are late by hand. */
@Timeout(60)
class LatenessWindowsTests {

    private static final long MILLI = 1_000_000L;

    private final LatenessWindows slices = new LatenessWindows();
    private final List<LatenessWindow> told = new ArrayList<>();

    private List<LatenessWindow> told(long knownMillis) {
        told.clear();
        slices.tell(knownMillis * MILLI, told);
        return told;
    }

    @Test
    void whatIsOverdueAtTheSameTimeCountsOnce() {
        slices.overdue(101 * MILLI, 104 * MILLI);
        slices.overdue(102 * MILLI, 105 * MILLI);
        slices.delivered(3 * MILLI, 105 * MILLI);
        slices.delivered(2 * MILLI, 106 * MILLI);
        assertThat(told(109)).as("the slice is not over").isEmpty();
        assertThat(told(110)).containsExactly(new LatenessWindow(10, 4 * MILLI, 3 * MILLI));
        assertThat(told(120)).isEmpty();
    }

    @Test
    void oneThatIsOverdueInSeveralSlicesCountsInEach() {
        slices.overdue(97 * MILLI, 122 * MILLI);
        slices.delivered(25 * MILLI, 122 * MILLI);
        assertThat(told(130))
                .containsExactly(
                        new LatenessWindow(9, 3 * MILLI, 0),
                        new LatenessWindow(10, 10 * MILLI, 0),
                        new LatenessWindow(11, 10 * MILLI, 0),
                        new LatenessWindow(12, 2 * MILLI, 25 * MILLI));
    }

    @Test
    void whatComesTooLateForItsSliceCountsInTheNext() {
        slices.overdue(101 * MILLI, 102 * MILLI);
        assertThat(told(110)).hasSize(1);
        slices.overdue(105 * MILLI, 112 * MILLI);
        assertThat(told(120)).containsExactly(new LatenessWindow(11, 7 * MILLI, 0));
    }

    @Test
    void neverLessThanThereWas() {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            LatenessWindows tried = new LatenessWindows();
            boolean[] overdue = new boolean[400];
            List<LatenessWindow> all = new ArrayList<>();
            int end = 1;
            while (end < 390) {
                end += random.nextInt(12);
                int begin = Math.max(0, end - random.nextInt(30));
                for (int i = begin; i < end; i++) {
                    overdue[i] = true;
                }
                tried.overdue(begin * MILLI, end * MILLI);
            }
            tried.tell(500 * MILLI, all);
            for (LatenessWindow slice : all) {
                int there = 0;
                for (int i = 0; i < 10; i++) {
                    int at = (int) slice.number() * 10 + i;
                    there += at < 400 && overdue[at] ? 1 : 0;
                }
                assertThat(slice.overdueNanos()).as("seed " + seed).isBetween(Math.max(1, there * MILLI), 10 * MILLI);
            }
        }
    }

    @Test
    void aReportCarriesThemOnce() {
        EngineReport written = new EngineReport(1);
        written.late.add(new LatenessWindow(10, 4, 3));
        String lines = written.lines();
        assertThat(lines).startsWith("late 10 4 3\n");
        assertThat(written.lines()).doesNotContain("late");
        EngineReport read = new EngineReport(1);
        assertThat(EngineReport.isLine("late 10 4 3")).isTrue();
        assertThat(read.read("late 10 4 3")).isFalse();
        assertThat(read.takeLate()).containsExactly(new LatenessWindow(10, 4, 3));
        assertThat(read.takeLate()).isEmpty();
        assertThatThrownBy(() -> read.read("late 10 4")).isInstanceOf(IllegalArgumentException.class);
    }
}
