package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.diperf.core.contract.CallProbe;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What is told of a call that was redirected. */
@Timeout(20)
class RedirectChainTests {

    private static final Url START = Url.of("http://a.example/");

    private final long[] nowNanos = {1_000};
    private final RedirectChain trail = new RedirectChain(() -> nowNanos[0], new Memory(1 << 20));
    private final Exchange exchange =
            Exchange.of(Parameters.read(new HttpPlugin().parameters(), Map.of("follow", 5), 42));

    private void begin() {
        trail.begin(new CallProbe(0, 0, START, 0), exchange, HttpTarget.of(START), "/");
    }

    private void answered(long connectNanos, long tlsNanos) {
        trail.answered(exchange, new BufferedResponse(false, new Memory(4 << 20)), connectNanos, tlsNanos);
    }

    @Test
    void whatConnectionsTookIsSummedAndWhatThereWasNotStaysUntold() {
        begin();
        answered(-1, -1);
        assertThat(trail.connectNanos()).isEqualTo(-1);
        trail.follow(exchange, 302, HttpTarget.of(Url.of("https://b.example/")));
        answered(30, 500);
        trail.follow(exchange, 302, HttpTarget.of(Url.of("http://c.example/")));
        answered(12, -1);
        assertThat(trail.connectNanos()).isEqualTo(42);
        assertThat(trail.tlsNanos()).isEqualTo(500);
        begin();
        assertThat(trail.connectNanos()).isEqualTo(-1);
        assertThat(trail.tlsNanos()).isEqualTo(-1);
    }

    @Test
    void theTimeOfRedirectsEndsWithTheLastOne() {
        begin();
        nowNanos[0] = 1_100;
        trail.follow(exchange, 302, HttpTarget.of(START));
        nowNanos[0] = 1_250;
        trail.follow(exchange, 302, HttpTarget.of(START));
        nowNanos[0] = 9_000;
        assertThat(trail.redirectNanos()).isEqualTo(250);
        assertThat(trail.hops()).isEqualTo(2);
    }

    @Test
    void aCallThatCameBackToItsFirstServerStillBringsNoCredentials() {
        begin();
        assertThat(trail.follow(exchange, 302, HttpTarget.of(Url.of("http://A.example/x")))
                        .crossed())
                .isFalse();
        assertThat(trail.follow(exchange, 302, HttpTarget.of(Url.of("http://a.example:8080/")))
                        .crossed())
                .isTrue();
        assertThat(trail.follow(exchange, 302, HttpTarget.of(START)).crossed()).isTrue();
    }
}
