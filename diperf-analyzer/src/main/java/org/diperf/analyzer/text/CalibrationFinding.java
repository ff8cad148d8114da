package org.diperf.analyzer.text;

import org.diperf.analyzer.result.CalibrationShare;
import org.diperf.analyzer.result.Summary;
import org.diperf.analyzer.result.Summary.GeneratorSummary;
import org.jspecify.annotations.Nullable;

/** Says how near to their machine's calibration testers came. */
public final class CalibrationFinding {

    private CalibrationFinding() {}

    /** Says it in a line; {@code null} where no calibration is known. */
    public static @Nullable String line(Summary summary) {
        GeneratorSummary generator = summary.generator();
        CalibrationShare nearest = generator == null ? null : generator.calibration();
        if (nearest == null) {
            return null;
        }
        String doubt = nearest.doubt();
        return Numbers.brief(nearest.callsPerSecond()) + " calls/s, " + Numbers.share(nearest.share()) + " of the "
                + Numbers.count(Math.round(nearest.rate())) + " that a tester on " + RunText.clean(nearest.host())
                + " reached in calibration" + (doubt == null ? "" : " (" + RunText.clean(doubt) + ")");
    }
}
