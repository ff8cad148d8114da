package org.diperf.analyzer.load;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.diperf.analyzer.load.PlannedLoad.Part;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.jspecify.annotations.Nullable;

/**
 * What {@code measured} is taken over, as far as it is known before the samples are read.
 *
 * @param from ns after the start of the run
 * @param to the first instant behind it; {@link Long#MAX_VALUE}: the end of the run
 * @param isPeak whether it is exactly the peak
 * @param warnings why it is not what was asked for, but for a peak that is not there
 */
public record Windows(long from, long to, boolean isPeak, List<Warning> warnings) {

    /** @param expectedEnd of the run, as planned or as cut short */
    public static Windows of(MeasureRecord measure, @Nullable Part peak, long expectedEnd) {
        List<Warning> warnings = new ArrayList<>();
        long from = 0;
        long to = Long.MAX_VALUE;
        switch (measure.window()) {
            case "peak" -> {
                if (peak != null) {
                    from = peak.from();
                    to = peak.to();
                }
            }
            case "range" -> {
                from = measure.fromNanos();
                to = measure.toNanos();
            }
            default -> {
                // the whole run
            }
        }
        long begin = from + measure.skipNanos();
        if (begin >= Math.min(to, expectedEnd)) {
            warnings.add(Warning.note(
                    Subject.LOAD,
                    String.format(
                            Locale.ROOT,
                            "nothing would be measured from %.3f s to %.3f s of a run of %.3f s, so the whole run is "
                                    + "measured",
                            begin / 1e9,
                            Math.min(to, expectedEnd) / 1e9,
                            expectedEnd / 1e9)));
            return new Windows(0, Long.MAX_VALUE, false, warnings);
        }
        return new Windows(begin, to, peak != null && begin == peak.from() && to == peak.to(), warnings);
    }

    /** Returns whether it is the whole run. */
    public boolean isWhole() {
        return from == 0 && to == Long.MAX_VALUE;
    }
}
