package org.diperf.controller.run.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class PeerLogLimiterTests {

    private static final long S = 1_000_000_000L;

    private long now = 5 * S;
    private final PeerLogLimiter peers = new PeerLogLimiter(() -> now);

    @Test
    void aFloodIsCutOffCountedAndTold() {
        List<String> passed = new ArrayList<>();
        for (int line = 0; line < 30_000; line++) {
            passed.addAll(peers.take("tester-1", PeerLogLimiter.OF_TESTER, "line " + line));
        }
        assertThat(passed).hasSize(PeerLogLimiter.OF_TESTER).endsWith("line 199");
        now += S;
        assertThat(peers.take("tester-1", PeerLogLimiter.OF_TESTER, "later"))
                .containsExactly("29,800 lines were dropped: too many at once", "later");
        assertThat(peers.take("tester-1", PeerLogLimiter.OF_TESTER, "again")).isEmpty();
        assertThat(peers.leftOut()).containsExactly("tester-1: 1 lines were dropped: too many at once");
        assertThat(peers.leftOut()).isEmpty();
    }

    @Test
    void onePeerTakesNothingFromAnother() {
        for (int line = 0; line < 1_000; line++) {
            peers.take("tester-1", PeerLogLimiter.OF_TESTER, "flood");
        }
        assertThat(peers.take("tester-2", PeerLogLimiter.OF_TESTER, "fine")).containsExactly("fine");
    }

    @Test
    void whoWasQuietMaySpeakAtOnceAgain() {
        for (int line = 0; line < PeerLogLimiter.OF_TESTER; line++) {
            peers.take("tester-1", PeerLogLimiter.OF_TESTER, "line");
        }
        now += 1_000 * S;
        for (int line = 0; line < PeerLogLimiter.OF_TESTER; line++) {
            assertThat(peers.take("tester-1", PeerLogLimiter.OF_TESTER, "line")).hasSize(1);
        }
        assertThat(peers.take("tester-1", PeerLogLimiter.OF_TESTER, "line")).isEmpty();
    }
}
