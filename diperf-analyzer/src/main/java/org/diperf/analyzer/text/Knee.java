package org.diperf.analyzer.text;

import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.RampKnee;
import org.diperf.analyzer.result.Summary.SaturationSummary;

/** Where throughput stopped growing while the clients of a ramp grew ({@link RampKnee}). */
final class Knee {

    private Knee() {}

    /** Gives the number of clients, 0 where nothing can be said. */
    static int clients(Analysis analysis) {
        SaturationSummary ramp = RampKnee.of(analysis.run(), analysis.series(), analysis.intervals());
        Double clients = ramp == null ? null : ramp.clients();
        return clients == null ? 0 : (int) Math.round(clients);
    }
}
