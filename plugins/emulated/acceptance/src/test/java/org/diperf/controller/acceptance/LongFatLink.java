package org.diperf.controller.acceptance;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.diperf.core.ports.FreePorts;

/** What four flows of TCP get of a link that is as long as it is fast; for virtual time, where no processor is too slow for it. */
final class LongFatLink {

    /** Printed before the payload, in Gbit/s. */
    static final String PAYLOAD = "payload: ";

    private static final int FLOWS = 4;
    /** Until windows have grown to some 9 MB each. */
    private static final int OMIT_MILLIS = 1_000;

    private static final int SPAN_MILLIS = 1_000;
    private static final String WINDOWS = "4096 262144 67108864";

    private LongFatLink() {}

    public static void main(String[] arguments) throws Exception {
        // Networks that are made take these over.
        for (String which : List.of("tcp_rmem", "tcp_wmem")) {
            Files.writeString(Path.of("/proc/sys/net/ipv4", which), WINDOWS);
        }
        Map<String, Object> link =
                Map.of("between", List.of("source", "sink"), "rate", "10Gbit/s", "latency", "15ms", "queue", 40_000L);
        Map<String, Object> keys = Map.of(
                "hosts", Map.of("source", Map.of(), "sink", Map.of("address", "10.99.0.77")), "links", List.of(link));
        try (EmulatedNetwork network = new EmulatedNetwork(Files.createTempDirectory("long-fat"), arguments[0], keys)) {
            int port = FreePorts.take();
            EmulatedNetwork.Wire sink = network.startReady("sink", "sink", port, FLOWS, OMIT_MILLIS, SPAN_MILLIS);
            EmulatedNetwork.Wire source = network.start("source", "flow", "10.99.0.77", port, FLOWS);
            System.out.println(PAYLOAD + Double.parseDouble(sink.printed().get(0)) / 1e9);
            source.end();
        }
    }
}
