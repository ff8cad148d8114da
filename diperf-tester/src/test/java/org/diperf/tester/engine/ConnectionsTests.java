package org.diperf.tester.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;

class ConnectionsTests extends ConnectionsContract {

    static Stream<Arguments> plugins() {
        return Stream.of(Arguments.of("http", ""), Arguments.of("tcp", ""));
    }

    @Test
    void aStageThatKeepsItsClientsKeepsTheirConnections() throws Exception {
        run("http", Map.of(), hold(10), (run, server) -> {
            await(server, () -> server.open() == 10);
            run.next(hold(6));
            await(server, () -> server.open() == 6);
            long before = server.received();
            await(server, () -> server.received() > before + 100);
            assertThat(server.counts()).hasSize(14);
        });
    }
}
