package org.diperf.plugins.emulated;

import java.io.IOException;
import java.util.List;
import org.diperf.core.spi.Parameters.Unusable;
import org.diperf.plugins.emulated.netem.NetemCommands;
import org.diperf.plugins.emulated.topology.Topology;

/** What can carry packets, by the words of the experiment file. Stateless. */
final class Engines {

    static final String AUTO = "auto";
    static final String TUN = "tun";
    static final String NETEM = "netem";
    static final List<String> ALL = List.of(AUTO, TUN, NETEM);

    private Engines() {}

    /** Refuses an engine that cannot carry a topology anywhere. */
    static void check(String engine, Topology topology) {
        String refusal = engine.equals(NETEM) ? NetemCommands.refusal(topology) : "";
        if (!refusal.isEmpty()) {
            throw new Unusable(Keys.ENGINE, refusal + "; the engine tun can");
        }
    }

    /** Says what an engine lacks on this machine; empty: nothing. */
    static String missing(String engine) throws InterruptedException {
        if (!engine.equals(NETEM)) {
            return Missing.here();
        }
        String missing = Missing.rights();
        return missing.isEmpty() ? KernelCarrier.missing() : missing;
    }

    /** Starts an engine in a lab without hosts. */
    static Carrier start(String engine, Lab lab, Topology topology, String java) throws IOException {
        return engine.equals(NETEM) ? new KernelCarrier(lab, topology) : EngineProcess.start(lab, topology, java);
    }
}
