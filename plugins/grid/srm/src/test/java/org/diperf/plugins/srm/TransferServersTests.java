package org.diperf.plugins.srm;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import org.diperf.plugins.lib.gridftp.control.Server;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(10)
class TransferServersTests {

    private static final String TURL = "ftp://pool.example.org:2811/data/f1";
    private static final InetSocketAddress UNKNOWN = InetSocketAddress.createUnresolved("pool.example.org", 2811);
    private static final InetSocketAddress KNOWN = new InetSocketAddress("127.0.0.1", 2811);

    private final Deque<InetSocketAddress> answers = new ArrayDeque<>();
    private final TransferServers servers = new TransferServers(named -> {
        assertThat(named).isEqualTo(UNKNOWN);
        return Objects.requireNonNull(answers.poll(), "looked up more often than the test expects");
    });

    @Test
    void aHostThatIsKnownIsLookedUpOnce() {
        answers.add(KNOWN);
        for (int i = 0; i < 3; i++) {
            Server found = servers.find(TURL).join();
            assertThat(found.address()).isEqualTo(KNOWN);
            assertThat(found.path()).isEqualTo("/data/f1");
        }
    }

    @Test
    void aHostThatIsUnknownIsLookedUpAgain() {
        answers.addAll(List.of(UNKNOWN, UNKNOWN, KNOWN));
        assertThat(servers.find(TURL).join().address().isUnresolved()).isTrue();
        assertThat(servers.find(TURL).join().address().isUnresolved()).isTrue();
        assertThat(servers.find(TURL).join().address()).isEqualTo(KNOWN);
        assertThat(servers.find(TURL).join().address()).isEqualTo(KNOWN);
    }
}
