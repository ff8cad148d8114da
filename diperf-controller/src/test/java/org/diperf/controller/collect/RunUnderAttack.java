package org.diperf.controller.collect;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.controller.relay.Relay;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.wire.Ticket;

/** A run of which two testers are at work, one of them behind a relay, while somebody does what he should not. */
final class RunUnderAttack implements AutoCloseable {

    static final InetAddress HERE = InetAddress.getLoopbackAddress();

    final MiniCluster cluster;
    final Relay relay;
    private final MiniCluster.Running direct;
    private final MiniCluster.Running relayed;
    private int rounds;

    /** @param testers that may join, two of which do */
    RunUnderAttack(Path folder, int testers) throws Exception {
        cluster = new MiniCluster(folder, testers, NanoClock.SYSTEM);
        relay = new Relay(
                Ticket.parse(cluster.collector.tickets().relay(1, 1)),
                new InetSocketAddress(HERE, 0),
                NanoClock.SYSTEM);
        cluster.collector.relay(1).get(10, TimeUnit.SECONDS);
        cluster.collector.assign(1, MiniCluster.assignment(2));
        cluster.collector.assign(2, MiniCluster.assignment(2));
        direct = cluster.tester(1, NanoClock.SYSTEM);
        cluster.events.await("ready 1");
        relayed = cluster.tester(
                Ticket.parse(cluster.collector
                        .tickets()
                        .tester(2, List.of("127.0.0.1"), relay.address().getPort())),
                new FakeEngine(),
                NanoClock.SYSTEM,
                List.of());
        cluster.events.await("ready 2");
        cluster.start(TimeUnit.MILLISECONDS.toNanos(200));
        direct.engine().started.get(10, TimeUnit.SECONDS);
        relayed.engine().started.get(10, TimeUnit.SECONDS);
    }

    /** Lists the ports at which somebody can knock: the controller's and the relay's. */
    List<Integer> ports() {
        return List.of(cluster.collector.address().getPort(), relay.address().getPort());
    }

    /** Has both testers send a block, which must become durable; neither may have been lost or stopped. */
    void isUnharmed() throws Exception {
        rounds++;
        direct.engine().measure(rounds);
        relayed.engine().measure(rounds);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (blocks().size() < 2 * rounds && System.nanoTime() < deadline) {
            cluster.collector.awaitDurable(TimeUnit.SECONDS.toNanos(1));
        }
        assertThat(blocks()).hasSize(2 * rounds).doesNotHaveDuplicates();
        assertThat(cluster.events.all()).noneMatch(event -> event.matches("lost [12] .*"));
        assertThat(direct.engine().stopped).isNotDone();
        assertThat(relayed.engine().stopped).isNotDone();
    }

    private List<String> blocks() throws Exception {
        return cluster.blocks().stream()
                .filter(block -> block.startsWith("1/") || block.startsWith("2/") || block.startsWith("damaged"))
                .toList();
    }

    /** Lists the testers that have joined. */
    List<String> joined() {
        return cluster.events.all().stream()
                .filter(event -> event.startsWith("joined"))
                .toList();
    }

    @Override
    public void close() throws Exception {
        relay.close();
        cluster.close();
    }
}
