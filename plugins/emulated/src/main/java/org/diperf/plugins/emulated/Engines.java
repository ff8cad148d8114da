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

    /** Refuses an engine that can carry what is declared nowhere. */
    static void check(Declared declared) {
        String refusal = declared.engine().equals(NETEM) ? refusalOfNetem(declared) : "";
        if (!refusal.isEmpty()) {
            throw new Unusable(Keys.ENGINE, refusal + "; the engine tun can");
        }
    }

    private static String refusalOfNetem(Declared declared) {
        if (!declared.changes().isEmpty()) {
            return "netem cannot change links while the load runs (testbed.events)";
        }
        return declared.controller().isEmpty()
                ? NetemCommands.refusal(declared.topology())
                : "netem cannot have the controller as a host (control: in-band)";
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
