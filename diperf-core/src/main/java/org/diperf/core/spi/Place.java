package org.diperf.core.spi;

/**
 * Where to run a tester.
 *
 * @param tester its number, from 1; each number is used once
 * @param node name of the {@link Node}; empty if the testbed chooses
 */
public record Place(int tester, String node) {

    /** Leaves the choice of the node to the testbed. */
    public static Place anywhere(int tester) {
        return new Place(tester, "");
    }
}
