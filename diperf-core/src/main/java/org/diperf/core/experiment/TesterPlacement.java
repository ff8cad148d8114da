package org.diperf.core.experiment;

import java.util.List;
import java.util.Map;
import org.diperf.core.plan.ClientNumbering.Placement;

/**
 * How the clients of a load are spread over testers.
 *
 * @param placement whether they are dealt in turn or fill one tester after another
 * @param order testers whose node has the first of these labels come first, then those with the second, those with none
 *     last; empty: by number
 */
public record TesterPlacement(Placement placement, List<Label> order) {

    /** Round-robin, over the testers as they are numbered. */
    public static final TesterPlacement DEFAULT = new TesterPlacement(Placement.ROUND_ROBIN, List.of());

    /** A label of a node, such as {@code site=wan}. */
    public record Label(String name, String value) {

        /** Returns it as written in the file. */
        @Override
        public String toString() {
            return name + "=" + value;
        }
    }

    public TesterPlacement {
        order = List.copyOf(order);
    }

    /** Ranks a node by its labels, from 0, the first one. */
    public int rank(Map<String, String> labels) {
        for (int i = 0; i < order.size(); i++) {
            if (order.get(i).value().equals(labels.get(order.get(i).name()))) {
                return i;
            }
        }
        return order.size();
    }
}
