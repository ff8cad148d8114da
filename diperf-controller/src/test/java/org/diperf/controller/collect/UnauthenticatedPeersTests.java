package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class UnauthenticatedPeersTests {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int MAY_FAIL = UnauthenticatedPeers.FAILURES;
    private static final int A_SECOND = UnauthenticatedPeers.FAILURES_PER_SECOND;

    private final UnauthenticatedPeers strangers = new UnauthenticatedPeers();

    private final List<UnauthenticatedPeers.PendingPeer> closed = new ArrayList<>();

    private UnauthenticatedPeers.PendingPeer from(String address) {
        return new UnauthenticatedPeers.PendingPeer() {
            @Override
            public String address() {
                return address;
            }

            @Override
            public long openedNanos() {
                return 0;
            }

            @Override
            public void close() {
                closed.add(this);
            }
        };
    }

    private int failUntilNotLetIn(String address, long nowNanos) {
        for (int failed = 0; ; failed++) {
            UnauthenticatedPeers.PendingPeer stranger = from(address);
            if (!strangers.admit(stranger, nowNanos)) {
                return failed;
            }
            strangers.refused(stranger, "no certificate", false, nowNanos);
            strangers.forget(stranger);
        }
    }

    @Test
    void anAddressThatFailedOftenIsLetInSeldomAndOthersAsBefore() {
        assertThat(failUntilNotLetIn("10.0.0.1", 0)).isEqualTo(MAY_FAIL);
        assertThat(failUntilNotLetIn("10.0.0.1", SECOND)).isEqualTo(A_SECOND);
        assertThat(strangers.admit(from("10.0.0.2"), SECOND)).isTrue();
    }

    @Test
    void whatTestersBehindARelaySayIsNoFailureOfItsAddress() {
        UnauthenticatedPeers.PendingPeer relay = from("10.0.0.1");
        assertThat(strangers.admit(relay, 0)).isTrue();
        strangers.forget(relay);
        for (int i = 0; i < 10 * MAY_FAIL; i++) {
            strangers.tell(relay, "expected this run's token, got a different one");
        }
        assertThat(strangers.admit(from("10.0.0.1"), 0)).isTrue();
    }

    /** As many loops of {@code nc} do, from the address that a tester has too: the other end of a tunnel, say. */
    @Test
    void whoSendsGarbageAllTheTimeKeepsNobodyOutWhoSharesItsAddress() {
        for (int ms = 0; ms < 60_000; ms++) {
            long now = TimeUnit.MILLISECONDS.toNanos(ms);
            UnauthenticatedPeers.PendingPeer garbage = from("127.0.0.1");
            if (strangers.admit(garbage, now)) {
                strangers.refused(garbage, "the TLS handshake failed: not an SSL/TLS record", true, now);
                strangers.forget(garbage);
            }
            if (ms % 100 == 0) {
                UnauthenticatedPeers.PendingPeer tester = from("127.0.0.1");
                assertThat(strangers.admit(tester, now)).as("at %d ms", ms).isTrue();
                strangers.forget(tester);
            }
        }
    }

    @Test
    void aRefusedAttemptCostsNothingSoThatOthersAreLetInAsSoonAsThereIsRoom() {
        failUntilNotLetIn("10.0.0.1", 0);
        for (int attempt = 0; attempt < 10_000; attempt++) {
            assertThat(strangers.admit(from("10.0.0.1"), 0)).isFalse();
        }
        assertThat(strangers.admit(from("10.0.0.1"), SECOND / 100)).isTrue();
    }

    @Test
    void whoComesLastIsLetInAndTheOldestOfTheLargestCrowdGoes() {
        UnauthenticatedPeers.PendingPeer elsewhere = from("10.0.0.2");
        assertThat(strangers.admit(elsewhere, 0)).isTrue();
        List<UnauthenticatedPeers.PendingPeer> flood = new ArrayList<>();
        for (int i = 0; i < UnauthenticatedPeers.MOST + 50; i++) {
            flood.add(from("10.0.0.1"));
            assertThat(strangers.admit(flood.get(i), 0)).isTrue();
        }
        UnauthenticatedPeers.PendingPeer late = from("10.0.0.3");
        assertThat(strangers.admit(late, 0)).isTrue();
        assertThat(closed).containsExactlyElementsOf(flood.subList(0, 52)).doesNotContain(elsewhere, late);
    }
}
