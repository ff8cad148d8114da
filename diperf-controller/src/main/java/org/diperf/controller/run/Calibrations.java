package org.diperf.controller.run;

import java.util.List;
import org.diperf.core.run.CalibrationRecord;
import org.diperf.core.wire.TesterFacts;

/** Knows what testers were calibrated to. Asked on the run's thread. */
@FunctionalInterface
public interface Calibrations {

    /** Knows nothing. */
    Calibrations NONE = (testers, client) -> List.of();

    /**
     * Looks up the calibrations that fit the machines of testers.
     *
     * @param testers what they say of their machines
     * @param client id of the client plugin
     * @return at most one a host
     */
    List<CalibrationRecord> of(List<TesterFacts> testers, String client);
}
