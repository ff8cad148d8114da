package org.diperf.plugins.stream;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunQueueWaitHistoryTests {

    @Test
    void beforeTheFirstInstantTheProgramMayHaveWaitedForNothing() {
        RunQueueWaitHistory history = new RunQueueWaitHistory();
        assertThat(history.leastAt(100)).isZero();
        history.add(50, 7);
        assertThat(history.leastAt(49)).isZero();
        assertThat(history.leastAt(50)).isEqualTo(7);
    }

    @Test
    void theLastInstantThatIsNotLaterCounts() {
        RunQueueWaitHistory history = new RunQueueWaitHistory();
        history.add(10, 1);
        history.add(20, 5);
        history.add(30, 6);
        assertThat(history.leastAt(29)).isEqualTo(5);
        assertThat(history.leastAt(1_000)).isEqualTo(6);
    }

    /** It waits for one nanosecond in each ten, so that what is given can be held against what is true. */
    @Test
    void whatIsForgottenMakesItLessAndNeverMore() {
        RunQueueWaitHistory history = new RunQueueWaitHistory();
        int count = 1_000;
        for (int i = 1; i <= count; i++) {
            history.add(10L * i, i);
        }
        for (int i = 1; i <= count; i++) {
            assertThat(history.leastAt(10L * i + 9)).isBetween(0L, (long) i);
        }
        for (int recent = 0; recent < RunQueueWaitHistory.MOST / 4; recent++) {
            assertThat(history.leastAt(10L * (count - recent))).isEqualTo(count - recent);
        }
    }
}
