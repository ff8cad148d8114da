package org.diperf.controller.experiment;

import java.time.Duration;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.Measure;
import org.diperf.core.plan.ClosedLoad;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.spi.Quantity;

/** The section {@code measure}: its keys, and the part of the run that they give. */
final class MeasureKeys {

    private static final Key<Quantities.Window> WINDOW = Key.withDefault(
            "window",
            Quantities.window(),
            new Quantities.Window(Measure.Window.PEAK, Duration.ZERO, Duration.ZERO),
            "whole: the whole run; peak: while all clients run or, in open load, at the full rate; or"
                    + " FROM..TO after the start");
    private static final Key<Quantities.Settle> SKIP = Key.withDefault(
            "skip",
            Quantities.settle(),
            new Quantities.Settle(Duration.ZERO),
            "time to skip at the start of the window; auto: while the load generator is warming up");

    static final Fields FIELDS = Fields.of("what to measure", WINDOW, SKIP);

    private MeasureKeys() {}

    static Measure measure(FormValues given, LoadSettings load) {
        Quantities.Window window = given.get(WINDOW);
        Duration skip = given.get(SKIP).fixed();
        if (load.longestNanos().isPresent()) {
            check(given, load, load.longestNanos().getAsLong(), skip == null ? 0 : skip.toNanos());
        }
        return new Measure(window.kind(), window.from(), window.to(), skip);
    }

    private static void check(FormValues given, LoadSettings load, long lengthNanos, long skipNanos) {
        Quantities.Window window = given.get(WINDOW);
        if (window.kind() == Measure.Window.RANGE && window.to().toNanos() > lengthNanos) {
            given.problem(
                    WINDOW,
                    "expected a window within the run of " + words(lengthNanos) + ", got one that ends at "
                            + words(window.to().toNanos()));
            return;
        }
        long widthNanos = switch (window.kind()) {
            case WHOLE -> lengthNanos;
            case RANGE -> window.to().minus(window.from()).toNanos();
            case PEAK -> peakNanos(load);
        };
        // A closed load may have no peak at all; that is said by `check` and in the report.
        if (widthNanos > 0 && skipNanos >= widthNanos) {
            given.problem(
                    SKIP,
                    "expected less than the window of " + words(widthNanos) + ", got " + words(skipNanos)
                            + ", which leaves nothing to measure");
        }
    }

    /** Returns the planned time while all clients run, or of the full rate; at most 0 where there is none or nobody knows. */
    private static long peakNanos(LoadSettings load) {
        if (!(load instanceof LoadSettings.Single single)) {
            return 0;
        }
        return single.load() instanceof ClosedLoad closed
                ? closed.clientEndNanos(0) - closed.clientStartNanos(closed.clients() - 1)
                : ((OpenLoad) single.load()).forNanos();
    }

    private static String words(long nanos) {
        return Quantity.format(Duration.ofNanos(nanos));
    }
}
