package org.diperf.controller.fleet;

import java.util.Map;
import org.diperf.core.spi.Node;
import org.jspecify.annotations.Nullable;

/**
 * A tester that shares the load.
 *
 * @param tester its number
 * @param slot which share of the plan it has, from 1
 * @param node where it runs; {@code null} where the testbed does not tell
 */
public record Member(int tester, int slot, @Nullable Node node) {

    /** Returns the labels of its node; none where there is no node. */
    public Map<String, String> labels() {
        return node == null ? Map.of() : node.labels();
    }
}
