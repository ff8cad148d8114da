package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.List;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.plan.OpenLoad;
import org.diperf.core.plan.OpenLoad.Arrivals;

/** {@code load: {open: {rate: 1000/s, for: 60s}}}: calls that arrive whether or not earlier ones ended. */
final class OpenLoadForm {

    /** Few services hold more connections than this, as they are installed. */
    private static final double USUAL_IN_FLIGHT = 1_000;

    /** A service that is so far behind does not keep up, and more calls in flight make it no better. */
    private static final double BEHIND_SECONDS = 1;

    private static final double MAX_DEFAULT_IN_FLIGHT = 10_000;
    static final String DEFAULT_IN_FLIGHT =
            "highest rate x timeout, but at most 1,000 or the calls of 1s, whichever is more, and never over 10,000";

    private static final Key<Double> RATE = Key.required("rate", Quantities.rate(true), "arrival rate after the ramp");
    private static final Key<Arrivals> ARRIVALS = Key.withDefault(
            "arrivals",
            Scalar.oneOf(Arrivals.class),
            Arrivals.CONSTANT,
            "constant: evenly spaced; poisson: a Poisson process");
    private static final Key<Duration> RAMP = Key.withDefault(
            "ramp",
            Quantities.duration(false),
            Duration.ZERO,
            "time over which the rate grows from 0; comes before 'for'");
    private static final Key<Duration> FOR = Key.required("for", Quantities.duration(true), "time at the full rate");
    private static final Key<Long> MAX_IN_FLIGHT = Key.optional(
            "max-in-flight",
            Scalar.whole("calls", 1, LoadForms.MAX_CLIENTS),
            "maximum number of calls in flight; arrivals above it are dropped and counted; default: "
                    + DEFAULT_IN_FLIGHT);

    static final Key<FormValues> OPEN = Key.required(
            "open",
            Fields.of(
                            "an open load",
                            RATE,
                            ARRIVALS,
                            RAMP,
                            FOR,
                            MAX_IN_FLIGHT,
                            LoadForms.TIMEOUT,
                            LoadForms.INNER_ON_FAILURE)
                    .hinting(LoadForms.besideHints("open", List.of())),
            "calls that arrive whether or not earlier ones have ended");

    private OpenLoadForm() {}

    static Form<Integer, LoadForms.Offered> form() {
        return LoadForms.form("a load", List.of(OPEN), OpenLoadForm::load);
    }

    private static LoadSettings load(FormValues load, int testers) {
        FormValues open = LoadForms.inner(load, OPEN);
        double rate = open.get(RATE);
        LoadForms.isTooLong(open, RAMP, open.get(RAMP), 1);
        LoadForms.isTooLong(open, FOR, open.get(FOR), 1);
        return new LoadSettings.Single(new OpenLoad(
                0,
                rate,
                open.get(ARRIVALS),
                open.get(RAMP).toNanos(),
                open.get(FOR).toNanos(),
                maxInFlight(open, MAX_IN_FLIGHT, rate, testers),
                LoadForms.onFailureOfArrivals(load),
                LoadForms.timeoutNanos(open)));
    }

    /** Returns how many calls may be under way; where the file does not say it, as many as the timeout lets come together. */
    static int maxInFlight(FormValues given, Key<Long> key, double rate, int testers) {
        double sane = Math.min(MAX_DEFAULT_IN_FLIGHT, Math.max(USUAL_IN_FLIGHT, rate * BEHIND_SECONDS));
        double together = Math.ceil(Math.min(sane, rate * LoadForms.timeoutNanos(given) / 1e9));
        // Each tester needs one, or its arrivals would all be dropped.
        return (int) (long) given.getOr(key, Math.max(Math.max(1, testers), (long) together));
    }
}
