package org.diperf.plugins.emulated.annex;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.core.spi.Annex.Remark;
import org.diperf.plugins.emulated.annex.NetworkUsage.Carried;

/**
 * Judges whether the network was the one that is declared. It was not if it delivered packets late by more than a tenth of the shortest
 * round trip (p99), or lost some that no link had to lose.
 */
final class NetworkFindings {

    private static final double MAX_LATE = 0.1;
    private static final double MILLI = 1e6;
    private static final String REMEDY =
            "reduce the load or use fewer hosts, keep other programs off this machine, or use one with more "
                    + "processors";

    private NetworkFindings() {}

    static List<Remark> of(NetworkUsage network) {
        Carried carried = network.carried();
        if (carried == null) {
            return List.of();
        }
        List<Remark> found = new ArrayList<>();
        long late = carried.lateness().p99Nanos();
        long roundTrip = network.shortestRoundTripNanos();
        if (roundTrip > 0 && late > MAX_LATE * roundTrip) {
            String what = carried.probes() == null ? "packets" : "its probes";
            found.add(new Remark(
                    true,
                    "the emulated network delivered " + what + " late, by " + millis(late)
                            + " (p99), which is more than a tenth of the shortest round-trip time of "
                            + millis(roundTrip) + "; response times include this: " + REMEDY));
        }
        Long dropped = carried.droppedBefore();
        if (dropped == null) {
            found.add(new Remark(
                    false,
                    "it is not known whether hosts in the emulated network had to drop packets before its engine "
                            + "could read them, because the count could not be read after the load"));
        } else if (dropped > 0) {
            found.add(new Remark(
                    true,
                    packets(dropped)
                            + " from hosts in the emulated network had to be dropped before its engine could read "
                            + "them, "
                            + "although no link is configured to do so: " + REMEDY));
        }
        if (carried.refused() > 0) {
            found.add(new Remark(
                    true,
                    packets(carried.refused())
                            + " in the emulated network could not be delivered to their hosts, or were dropped "
                            + "because of insufficient memory, although no link is configured to do so: give this "
                            + "machine more memory, or "
                            + REMEDY));
        }
        return found;
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.2f ms", nanos / MILLI);
    }

    private static String packets(long count) {
        return count + (count == 1 ? " packet" : " packets");
    }
}
