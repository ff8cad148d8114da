package org.diperf.plugins.emulated.engine;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class EngineHeapTests {

    private static final int HOSTS = 1_000;

    /** Makes the largest network that can be declared. */
    public static void main(String[] arguments) {
        Direction direction = new Direction(0, 1_000_000, 0, Queue.DEFAULT, Loss.NONE);
        List<EmulatedHost> hosts = new ArrayList<>();
        List<Link> links = new ArrayList<>();
        links.add(new Link("bone", "r0", "r1", List.of(direction), List.of(direction)));
        for (int i = 0; i < HOSTS; i++) {
            String name = "h" + i;
            hosts.add(new EmulatedHost(name, "", 0x0a630001 + i));
            links.add(new Link(name, name, "r" + i % 2, List.of(direction), List.of(direction)));
        }
        Network network = new Network(
                new Topology(1, hosts, List.of("r0", "r1"), links), new PacketPool(PacketPool.LARGE), packet -> {});
        System.out.println(network.pipes().size() + " directions of links");
    }

    @Test
    void theLargestNetworkTakesHalfOfTheHeapWithWhichAnEngineBeginsAtMost() throws Exception {
        Process process = new ProcessBuilder(
                        System.getProperty("java.home") + "/bin/java",
                        "-XX:+UseSerialGC",
                        "-Xmx32m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        EngineHeapTests.class.getName())
                .redirectErrorStream(true)
                .start();
        String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        assertThat(said.strip()).isEqualTo("2002 directions of links");
    }
}
