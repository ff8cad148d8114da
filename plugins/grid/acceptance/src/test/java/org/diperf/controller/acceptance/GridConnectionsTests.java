package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.stream.Stream;
import org.diperf.tester.engine.ConnectionsContract;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.provider.Arguments;

class GridConnectionsTests extends ConnectionsContract {

    static Stream<Arguments> plugins() {
        return Stream.of(Arguments.of("gridftp", "/file"), Arguments.of("mds", ""));
    }

    @Test
    void aSharedConnectionIsClosedWithItsLastUser() throws Exception {
        run("mds", Map.of("connection", "shared"), hold(20), (run, server) -> {
            await(server, () -> server.open() == LOOPS);
            run.next(hold(1));
            await(server, () -> server.open() == 1);
            run.next(hold(0));
            await(server, () -> server.open() == 0);
            run.next(hold(20));
            await(server, () -> server.open() == LOOPS);
            assertThat(server.counts()).containsExactly(1, 2, 1, 0, 1, 2);
        });
    }
}
