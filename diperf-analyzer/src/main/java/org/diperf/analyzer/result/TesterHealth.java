package org.diperf.analyzer.result;

/**
 * What a tester saw of itself over the measured part of the run; {@code NaN} where something was not measured.
 *
 * @param cpuPercent its process's CPU, of one core; mean
 * @param hiccupMaxMillis longest time in which it stood still
 * @param stalledMillis sum of all times of more than 10 ms in which it stood still
 * @param gcPercent share of the time in which it collected garbage; mean
 * @param gcPauseMaxMillis longest collection
 * @param runQueuePercent share of the time that a thread that starts calls waited for a processor; mean
 * @param starvedPercent share of the time in which these threads had something to do that they waited for one; mean
 * @param descriptorsMax open descriptors, the most
 * @param descriptorLimit that it may have
 * @param hostCpu cores of its host that were busy; mean
 * @param stealPercent share of its host's processor time that the hypervisor gave to others; mean
 * @param retransmits TCP segments that its host sent again, per second; mean
 */
public record TesterHealth(
        double cpuPercent,
        double hiccupMaxMillis,
        double stalledMillis,
        double gcPercent,
        double gcPauseMaxMillis,
        double runQueuePercent,
        double starvedPercent,
        double descriptorsMax,
        double descriptorLimit,
        double hostCpu,
        double stealPercent,
        double retransmits) {

    /** Stands for a tester that said nothing. */
    public static final TesterHealth NOTHING = new TesterHealth(
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN,
            Double.NaN);
}
