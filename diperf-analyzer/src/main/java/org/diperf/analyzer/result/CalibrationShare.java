package org.diperf.analyzer.result;

import java.util.Comparator;
import java.util.List;
import org.diperf.analyzer.result.Summary.Window;
import org.diperf.core.run.CalibrationRecord;
import org.jspecify.annotations.Nullable;

/**
 * How near testers came to what their machine had been calibrated to, over the measured part of the run: of the hosts with a
 * calibration the one that came nearest.
 *
 * @param host as testers name it
 * @param rate calls per second that a tester there was calibrated to
 * @param callsPerSecond that its testers made together
 * @param share of the one in the other
 * @param calibratedAt ISO 8601 in UTC
 * @param doubt why the calibration may be too low; {@code null}: no reason is known
 */
public record CalibrationShare(
        String host,
        double rate,
        double callsPerSecond,
        double share,
        String calibratedAt,
        @Nullable String doubt) {

    /**
     * Sets the calls of a run against the calibrations of its hosts. Those of the measured part are shared out among hosts as those
     * of the whole run are.
     *
     * @return {@code null} where there is not a calibration, or nothing was measured
     */
    public static @Nullable CalibrationShare of(
            @Nullable List<CalibrationRecord> calibrations, List<TesterRow> testers, @Nullable Window measured) {
        double seconds = measured == null ? 0 : measured.toSeconds() - measured.fromSeconds();
        long all = testers.stream().mapToLong(TesterRow::calls).sum();
        if (calibrations == null || measured == null || seconds <= 0 || all == 0) {
            return null;
        }
        double perSecond = (measured.calls().ok() + measured.calls().failed()) / seconds;
        return calibrations.stream()
                .filter(calibration -> calibration.perSecond() > 0)
                .map(calibration -> of(calibration, perSecond * calls(testers, calibration.host()) / all))
                .max(Comparator.comparingDouble(CalibrationShare::share))
                .orElse(null);
    }

    private static CalibrationShare of(CalibrationRecord calibration, double perSecond) {
        return new CalibrationShare(
                calibration.host(),
                calibration.perSecond(),
                perSecond,
                perSecond / calibration.perSecond(),
                calibration.at(),
                calibration.doubt());
    }

    private static double calls(List<TesterRow> testers, String host) {
        return testers.stream()
                .filter(tester -> tester.host().equals(host))
                .mapToLong(TesterRow::calls)
                .sum();
    }
}
