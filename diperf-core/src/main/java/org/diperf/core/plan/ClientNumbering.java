package org.diperf.core.plan;

/**
 * The numbers of a plan's clients, and which tester runs which. A run has one plan, or one for each group of
 * testers; the numbers of clients, testers and stages are the whole run's.
 *
 * @param placement how clients are spread over testers
 * @param clients the most that a stage may have, at least 1; what {@link Placement#FILL} shares out, so that a client
 *     stays where it is from stage to stage
 * @param firstClient number of the first client, at least 0: the number of clients in earlier groups
 * @param firstSlot number of testers in earlier groups, at least 0
 */
public record ClientNumbering(Placement placement, int clients, int firstClient, int firstSlot) {

    /** How clients are spread over testers. */
    public enum Placement {
        /** Client i is on tester i mod T. */
        ROUND_ROBIN,
        /** The first clients are on the first tester, the next ones on the second, equally many on each. */
        FILL
    }

    /** Client i is on tester i mod T, and the clients begin with 0. */
    public static final ClientNumbering DEFAULT = new ClientNumbering(Placement.ROUND_ROBIN, 1, 0, 0);

    public ClientNumbering {
        if (clients < 1 || firstClient < 0 || firstSlot < 0) {
            throw new IllegalArgumentException("Numbering: expected clients >= 1 and first numbers >= 0, got clients="
                    + clients + ", first client " + firstClient + ", testers before " + firstSlot);
        }
    }

    /** Counts the clients on the testers before one. */
    private int before(int slot, int testers) {
        return (int) ((long) (slot - 1) * (clients / testers)) + Math.min(slot - 1, clients % testers);
    }

    /**
     * Names the tester of a client.
     *
     * @param client number in the whole run, at least {@code firstClient}
     * @param testers of the plan
     * @return its slot, from 1
     */
    public int slotOf(int client, int testers) {
        int index = client - firstClient;
        if (placement == Placement.ROUND_ROBIN) {
            return index % testers + 1;
        }
        int share = clients / testers;
        int larger = clients % testers;
        int inLarger = larger * (share + 1);
        return index < inLarger ? index / (share + 1) + 1 : larger + (index - inLarger) / Math.max(1, share) + 1;
    }

    /**
     * Returns the clients that a slot may report calls of.
     *
     * @param slot from 1
     * @param most clients that any stage has
     */
    public TesterClients own(int slot, int testers, int most) {
        int stride = placement == Placement.ROUND_ROBIN ? testers : 1;
        return new TesterClients(clientAt(slot, testers, 0), stride, clientsOf(slot, testers, Math.max(clients, most)));
    }

    /** Counts the clients of a slot in a stage with so many clients. */
    public int clientsOf(int slot, int testers, int ofStage) {
        if (placement == Placement.ROUND_ROBIN) {
            return ofStage / testers + (slot - 1 < ofStage % testers ? 1 : 0);
        }
        int first = before(slot, testers);
        return Math.max(0, Math.min(ofStage, before(slot + 1, testers)) - first);
    }

    int clientAt(int slot, int testers, int place) {
        return firstClient
                + (placement == Placement.ROUND_ROBIN ? place * testers + slot - 1 : before(slot, testers) + place);
    }
}
