package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class StrangersTests {

    private static final long SECOND = TimeUnit.SECONDS.toNanos(1);
    private static final int MAY_FAIL = 200;
    private static final int A_SECOND = 50;

    private final Strangers strangers = new Strangers();

    private static Strangers.Stranger from(String address) {
        return new Strangers.Stranger() {
            @Override
            public String address() {
                return address;
            }

            @Override
            public long openedNanos() {
                return 0;
            }

            @Override
            public void close() {}
        };
    }

    private int failUntilNotLetIn(String address, long nowNanos) {
        for (int failed = 0; ; failed++) {
            Strangers.Stranger stranger = from(address);
            if (!strangers.admit(stranger, nowNanos)) {
                return failed;
            }
            strangers.refused(stranger, "no certificate", nowNanos);
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
        Strangers.Stranger relay = from("10.0.0.1");
        assertThat(strangers.admit(relay, 0)).isTrue();
        strangers.forget(relay);
        for (int i = 0; i < 10 * MAY_FAIL; i++) {
            strangers.tell(relay, "wanted this run's token, found another one");
        }
        assertThat(strangers.admit(from("10.0.0.1"), 0)).isTrue();
    }
}
