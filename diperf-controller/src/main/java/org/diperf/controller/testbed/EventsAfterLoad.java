package org.diperf.controller.testbed;

import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.TestbedPlugin;

/** What a testbed would do by itself when the load is over already. Stateless. */
public final class EventsAfterLoad {

    private EventsAfterLoad() {}

    /** Says of each such thing that it will not happen, where the length of the load is known. */
    public static List<String> of(Experiment experiment, TestbedPlugin testbed) {
        OptionalLong longest = experiment.load().longestNanos();
        if (longest.isEmpty()) {
            return List.of();
        }
        Duration end = Duration.ofNanos(longest.getAsLong());
        Parameters with =
                Parameters.read(testbed.parameters(), experiment.testbed().with(), experiment.seed());
        return testbed.planned(with).stream()
                .filter(planned -> planned.after().compareTo(end) >= 0)
                .map(planned -> "'" + planned.what() + "' at " + Quantity.format(planned.after())
                        + " will have no effect: the load ends at " + Quantity.format(end) + " at the latest")
                .toList();
    }
}
