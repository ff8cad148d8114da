package org.diperf.analyzer.result;

/**
 * Signs that the load generator was the limit: of each quantum the worst of all testers, 0 where none was seen. Arrays are as
 * long as the series of the run.
 *
 * @param hiccupMillis longest time in which a tester stood still
 * @param gcPercent share of the time in which garbage was collected
 * @param starvedPercent share of the time in which threads that start calls wanted to run and waited for a processor
 * @param stealPercent share of the host's processor time that the hypervisor gave to others
 * @param heldPercent share of the time in which samples could not be passed on
 */
public record GeneratorSymptoms(
        double[] hiccupMillis,
        double[] gcPercent,
        double[] starvedPercent,
        double[] stealPercent,
        double[] heldPercent) {

    /** Of a run whose testers saw nothing. */
    public static final GeneratorSymptoms NONE =
            new GeneratorSymptoms(new double[0], new double[0], new double[0], new double[0], new double[0]);
}
