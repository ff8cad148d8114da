package org.diperf.plugins.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.HttpTarget;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Which connections to servers that are no targets are kept. */
@Timeout(20)
class RedirectConnectionsTests {

    private final List<String> closed = new ArrayList<>();
    private final RedirectConnections<String> elsewhere = new RedirectConnections<>(closed::add);
    private int made;

    private String to(String url) throws IOException {
        return elsewhere.of(HttpTarget.of(Url.of(url)), () -> "#" + made++);
    }

    @Test
    void aConnectionIsOfOneSchemeHostAndPort() throws IOException {
        assertThat(to("http://a.example/x")).isEqualTo("#0");
        assertThat(to("http://A.example:80/y")).isEqualTo("#0");
        assertThat(to("https://a.example:80/")).isEqualTo("#1");
        assertThat(to("http://a.example:81/")).isEqualTo("#2");
        assertThat(to("http://b.example/")).isEqualTo("#3");
    }

    @Test
    void eightAreKeptAndTheOneUsedLongestAgoIsClosed() throws IOException {
        for (int i = 0; i < 8; i++) {
            to("http://" + i + ".example/");
        }
        assertThat(closed).isEmpty();
        to("http://0.example/");
        to("http://8.example/");
        assertThat(closed).containsExactly("#1");
        assertThat(to("http://0.example/")).isEqualTo("#0");
        elsewhere.close();
        assertThat(closed).containsExactlyInAnyOrder("#0", "#1", "#2", "#3", "#4", "#5", "#6", "#7", "#8");
    }
}
