package org.diperf.analyzer.result;

import com.fasterxml.jackson.annotation.JsonIgnore;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Little's law as a check of what was measured (Little, <i>A proof for the queuing formula L = λW</i>, 1961): in closed load the
 * clients are throughput times (response + think time), in open load the calls in flight throughput times service time,
 * each over calls however they ended. More than 2 % between both sides, beyond what the edges of the part and the scatter of think times
 * can do, is a fault of the measurement.
 *
 * @param counted clients that were active, by the plan, or calls in flight, by time
 * @param product throughput times response (open load: service) and think time
 * @param perSecond calls that ended, well or not
 * @param timeMillis their mean response time, in open load their mean service time
 * @param thinkMillis mean think time of the plan; {@code null} in open load
 * @param differencePercent product over counted, less 100 %
 * @param allowedPercent either way
 * @param holds whether the difference is allowed
 */
public record LittlesLaw(
        double counted,
        double product,
        double perSecond,
        double timeMillis,
        @Nullable Double thinkMillis,
        double differencePercent,
        double allowedPercent,
        boolean holds) {

    /** Names the figures of a violation. */
    @JsonIgnore
    public String words() {
        return thinkMillis == null
                ? String.format(
                        Locale.ROOT,
                        "%.4g calls were in flight, but %.4g calls/s of %.4g ms each make %.4g (%+.1f %%, %.1f %% allowed)",
                        counted,
                        perSecond,
                        timeMillis,
                        product,
                        differencePercent,
                        allowedPercent)
                : String.format(
                        Locale.ROOT,
                        "%.0f clients were active, but %.4g calls/s of %.4g ms and %.4g ms of thinking make %.4g"
                                + " (%+.1f %%, %.1f %% allowed)",
                        counted,
                        perSecond,
                        timeMillis,
                        thinkMillis,
                        product,
                        differencePercent,
                        allowedPercent);
    }
}
