package org.diperf.analyzer.result;

import java.util.List;
import org.diperf.analyzer.result.Summary.GroupSummary;

/**
 * The parts of a run next to one another.
 *
 * @param by what they are told apart by: {@code group}, {@code host}, {@code tester}, {@code request} or a label
 * @param parts at least one
 */
public record Breakdown(String by, List<Part> parts) {

    public Breakdown {
        parts = List.copyOf(parts);
    }

    /**
     * One part.
     *
     * @param name of the group, host, label's value, ...
     * @param summary its numbers
     * @param series in the same quanta as that of the run
     */
    public record Part(String name, GroupSummary summary, Series series) {}
}
