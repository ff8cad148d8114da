package org.diperf.analyzer.figure;

import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Series;
import org.diperf.analyzer.text.RateUnit;
import org.diperf.analyzer.text.Words;

/**
 * A run as its figures see it, worked out once for all of them. Arrays are as long as the series, and nobody changes them.
 *
 * @param series of the whole run
 * @param seconds middles of the quanta, after the start of the run
 * @param load active clients, or calls in flight of open load
 * @param loadName which of the two
 * @param throughput ok calls in the unit of the run
 * @param unit of rates
 * @param subtitle experiment, load and targets
 */
record RunView(
        Analysis analysis,
        Series series,
        double[] seconds,
        double[] load,
        String loadName,
        double[] throughput,
        RateUnit unit,
        String subtitle) {

    static RunView of(Analysis analysis) {
        Series series = analysis.series();
        boolean open = Words.isOpen(analysis);
        RateUnit unit = RateUnit.of(analysis.run());
        return new RunView(
                analysis,
                series,
                middles(series),
                open ? series.inFlight() : series.activeClients(),
                open ? "calls in flight" : "active clients",
                Points.map(series.throughput(), value -> value * unit.factor()),
                unit,
                Words.clean(analysis.run().experiment()) + " · " + Words.load(analysis.run()) + " · "
                        + Words.targets(analysis.run()));
    }

    /** Gives the middles of the quanta of a series, after the start of its run. */
    static double[] middles(Series series) {
        double[] seconds = new double[series.size()];
        for (int i = 0; i < seconds.length; i++) {
            seconds[i] = series.middleSeconds(i);
        }
        return seconds;
    }

    /** Labels an axis of the load. */
    String loadLabel() {
        return "load (" + loadName + ")";
    }

    /** Labels an axis or a line of rates of calls. */
    String rateLabel(String what) {
        return what + " (calls" + unit.symbol() + ")";
    }
}
