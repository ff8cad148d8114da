package org.diperf.plugins.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.contract.ClientPluginContract;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TimeContractTests extends ClientPluginContract {

    private static final Parameters NONE = Parameters.read(List.of(), Map.of(), 1);

    private final List<AutoCloseable> servers = new ArrayList<>();

    @AfterEach
    void closeServers() throws Exception {
        for (AutoCloseable server : servers) {
            server.close();
        }
    }

    @Override
    protected ClientPlugin plugin() {
        return new TimePlugin();
    }

    @Override
    protected Url goodTarget() throws Exception {
        TimeStandIn server = new TimeStandIn();
        servers.add(server);
        return server.target();
    }

    @Override
    protected Url failingTarget() throws Exception {
        TimeStandIn server = new TimeStandIn();
        Url target = server.target();
        server.close();
        return target;
    }

    @Override
    protected Url silentTarget() throws Exception {
        DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        servers.add(silent);
        return Url.of("time://127.0.0.1:" + silent.getLocalPort());
    }

    @Test
    void theProbeTellsAServerFromSilenceAndFromNobody() throws Exception {
        TimePlugin plugin = new TimePlugin();
        Url good = goodTarget();
        assertThatCode(() -> plugin.probe(good, NONE, Duration.ofSeconds(10))).doesNotThrowAnyException();
        Url silent = silentTarget();
        assertThatThrownBy(() -> plugin.probe(silent, NONE, Duration.ofMillis(50)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(silent.authority() + " did not answer over UDP within");
        Url nobody = failingTarget();
        assertThatThrownBy(() -> plugin.probe(nobody, NONE, Duration.ofSeconds(10)))
                .isInstanceOf(IOException.class)
                .hasMessageContaining(nobody.authority());
    }

    @Test
    void aTargetWithoutAPortIsRefusedWithAHint() {
        assertThatThrownBy(() -> new TimePlugin().check(Url.of("time://host"), NONE))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("time://HOST:PORT")
                .hasMessageContaining("diperf time-server");
    }

    @Test
    void theStandInAnswersTheSameQuestion() {
        byte[] answer = TimeRequest.answer(TimeRequest.of(7), 1, 2);
        assertThat(TimeRequest.isAnswer(java.nio.ByteBuffer.wrap(answer), answer.length))
                .isTrue();
        assertThat(TimeRequest.sequence(java.nio.ByteBuffer.wrap(answer))).isEqualTo(7);
    }
}
