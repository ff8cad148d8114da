package org.diperf.plugins.lib.process;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class RunQueueWaitTests {

    /** Faults of children, ticks of user and system, and threads are what differs. */
    private static String stat(String name, long faults, long user, long system, long threads) {
        return "4711 (" + name + ") S 1 4711 4711 0 -1 4194304 123 " + faults + " 4 5 " + user + " " + system
                + " 0 0 20 0 " + threads + " 0 812345 9228288 512 18446744073709551615 1 1 0";
    }

    @Test
    void aProgramOfOneThreadIsKnownWhateverItsName() {
        assertThat(RunQueueWait.isAlone(stat("client", 0, 40, 10, 1), 495_000_000))
                .isTrue();
        assertThat(RunQueueWait.isAlone(stat("a) S 1 (b", 0, 40, 10, 1), 495_000_000))
                .isTrue();
    }

    @Test
    void threadsAndChildrenShowNowAndByWhatTheyHaveUsed() {
        assertThat(RunQueueWait.isAlone(stat("client", 0, 40, 10, 2), 495_000_000))
                .isFalse();
        assertThat(RunQueueWait.isAlone(stat("client", 71, 40, 10, 1), 495_000_000))
                .isFalse();
        assertThat(RunQueueWait.isAlone(stat("client", 0, 40, 13, 1), 495_000_000))
                .isFalse();
    }

    @Test
    void whatCannotBeReadIsNotKnown() {
        assertThat(RunQueueWait.isAlone("", 0)).isFalse();
        assertThat(RunQueueWait.isAlone("4711 (client) S 1 4711", 0)).isFalse();
    }
}
