package org.diperf.analyzer.result;

/**
 * One tester; {@code NaN} where something was not measured.
 *
 * @param tester from 1
 * @param host its name for the machine
 * @param clients that it ran
 * @param calls ended, ok or failed
 * @param ok of these
 * @param offsetMillis global time minus its clock at the start of the run
 * @param driftPpm rate of its clock against global time
 * @param errorBoundMicros hard bound on the error of its samples' global times, the largest
 * @param expectedErrorMicros expected error of these
 * @param rttMillis median network round trip to the target
 * @param startSkewMicros its actual start minus the global start instant
 * @param lost whether it was lost
 * @param watch what it saw of itself
 */
public record TesterRow(
        int tester,
        String host,
        int clients,
        long calls,
        long ok,
        double offsetMillis,
        double driftPpm,
        double errorBoundMicros,
        double expectedErrorMicros,
        double rttMillis,
        double startSkewMicros,
        boolean lost,
        TesterHealth watch) {}
