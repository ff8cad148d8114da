package org.diperf.core.plan;

import java.util.List;
import org.diperf.core.spi.Url;

/**
 * The services under test, and which calls go where.
 *
 * @param each the services, at least one
 * @param assign how units are mapped to targets
 * @param per what a unit is
 */
public record Targets(List<Url> each, Assign assign, Per per) {

    /** How units are mapped to targets. */
    public enum Assign {
        /** Unit i goes to target i mod m. */
        ROUND_ROBIN,
        /** Unit j goes to target j; there are as many of one as of the other. */
        ONE_TO_ONE,
        /** Call k of client i goes to target (i + k) mod m. */
        ALL_TO_ALL
    }

    /** What is mapped. */
    public enum Per {
        CLIENT,
        TESTER,
        HOST
    }

    public Targets {
        each = List.copyOf(each);
        if (each.isEmpty()) {
            throw new IllegalArgumentException("Experiment: expected at least one target, got none");
        }
    }

    /** Makes the usual case: all calls go to one place. */
    public static Targets one(Url target) {
        return new Targets(List.of(target), Assign.ROUND_ROBIN, Per.CLIENT);
    }

    /**
     * Returns the place in {@link #each} of the target of a call.
     *
     * @param client in the whole run, from 0
     * @param tester place among the testers of the whole run, from 1
     * @param host place of its machine among those of the run, from 0
     * @param call number of the client's call, from 0
     */
    public int indexOf(int client, int tester, int host, long call) {
        int unit = switch (per) {
            case CLIENT -> client;
            case TESTER -> tester - 1;
            case HOST -> host;
        };
        long index = assign == Assign.ALL_TO_ALL ? client + call : unit;
        return (int) (index % each.size());
    }
}
