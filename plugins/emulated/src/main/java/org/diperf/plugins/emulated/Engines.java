package org.diperf.plugins.emulated;

import java.io.IOException;
import java.util.List;
import org.diperf.core.spi.Parameters.Unusable;
import org.diperf.plugins.emulated.netem.NetemCommands;
import org.diperf.plugins.emulated.topology.Topology;
import org.diperf.plugins.emulated.virtual.VirtualTime;

/** What can carry packets, by the words of the experiment file. Stateless. */
final class Engines {

    /** Netem where this machine has it and it can carry what is declared, else tun; never in virtual time. */
    static final String AUTO = "auto";

    static final String TUN = "tun";
    static final String NETEM = "netem";
    /** In virtual time, netem where it can carry what is declared, else tun. */
    static final String VIRTUAL = "virtual";

    static final String VIRTUAL_TUN = "virtual-tun";
    static final List<String> ALL = List.of(AUTO, TUN, NETEM, VIRTUAL, VIRTUAL_TUN);

    private Engines() {}

    /** Refuses an engine that can carry what is declared nowhere. */
    static void check(NetworkDeclaration declared) {
        String refusal = declared.engine().equals(NETEM) ? refusalOfNetem(declared) : "";
        if (!refusal.isEmpty()) {
            throw new Unusable(Keys.ENGINE, refusal + "; use the engine tun");
        }
    }

    /** Returns whether time is virtual with an engine. */
    static boolean isVirtual(String engine) {
        return engine.equals(VIRTUAL) || engine.equals(VIRTUAL_TUN);
    }

    /** Returns what carries the packets: {@link #TUN} or {@link #NETEM}. */
    static String carrier(NetworkDeclaration declared) throws InterruptedException {
        return whyNotNetem(declared).isEmpty() ? NETEM : TUN;
    }

    /** Says why netem does not carry the packets; empty: it does. */
    static String whyNotNetem(NetworkDeclaration declared) throws InterruptedException {
        String refusal = whyNotNetem(declared, true);
        boolean isToBeTried = refusal.isEmpty() && declared.engine().equals(AUTO);
        return isToBeTried ? whyNotNetem(declared, KernelCarrier.missing().isEmpty()) : refusal;
    }

    /**
     * Says the same.
     *
     * @param isHere whether this machine has netem
     */
    static String whyNotNetem(NetworkDeclaration declared, boolean isHere) {
        return switch (declared.engine()) {
            case NETEM -> "";
            case TUN, VIRTUAL_TUN -> "the file specifies tun";
            // In virtual time it is part of the kernel.
            case VIRTUAL -> refusalOfNetem(declared);
            default -> isHere ? refusalOfNetem(declared) : "netem cannot be used on this machine";
        };
    }

    private static String refusalOfNetem(NetworkDeclaration declared) {
        if (!declared.routing().isStatic()) {
            return "netem supports only static routing (testbed.routing)";
        }
        if (!declared.changes().isEmpty()) {
            return "netem cannot change links while the load runs (testbed.events)";
        }
        return declared.controller().isEmpty()
                ? NetemCommands.refusal(declared.topology())
                : "netem cannot have the controller as a host (control: in-band)";
    }

    /** Says what is missing on this machine to make what is declared; empty: nothing. */
    static String missing(NetworkDeclaration declared) throws InterruptedException {
        String router = BirdProcesses.missing(declared.routing());
        if (!router.isEmpty()) {
            return router;
        }
        if (isVirtual(declared.engine()) && !VirtualTime.isHere()) {
            return VirtualTime.missing();
        }
        if (!carrier(declared).equals(NETEM)) {
            return Requirements.here();
        }
        String missing = Requirements.rights();
        return missing.isEmpty() ? KernelCarrier.missing() : missing;
    }

    /** Starts an engine in a lab without hosts. */
    static Carrier start(NetworkDeclaration declared, Lab lab, Topology topology, String java)
            throws IOException, InterruptedException {
        return carrier(declared).equals(NETEM)
                ? new KernelCarrier(lab, topology)
                : EngineProcess.start(lab, topology, declared.routing().wiring(), java);
    }
}
