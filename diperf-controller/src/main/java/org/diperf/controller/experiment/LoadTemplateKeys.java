package org.diperf.controller.experiment;

import java.util.ArrayList;
import java.util.List;
import org.diperf.core.experiment.LoadTemplate;
import org.diperf.core.plan.OpenLoad.Arrivals;
import org.jspecify.annotations.Nullable;

/** What belongs to a load of which only the number is not known: of clients, or of calls a second. */
final class LoadTemplateKeys {

    private static final Key<Arrivals> ARRIVALS = Key.optional(
            "arrivals",
            Scalar.oneOf(Arrivals.class),
            "constant: evenly spaced; poisson: a Poisson process; default: constant");
    private static final Key<Long> MAX_IN_FLIGHT = Key.optional(
            "max-in-flight",
            Scalar.whole("calls", 1, LoadForms.MAX_CLIENTS),
            "maximum number of calls in flight; default: " + OpenLoadForm.DEFAULT_IN_FLIGHT);

    private static final List<Key<?>> OF_RATES = List.of(ARRIVALS, MAX_IN_FLIGHT);

    private LoadTemplateKeys() {}

    static List<Key<?>> keys() {
        List<Key<?>> keys = new ArrayList<>(ThinkTimeKeys.ALL);
        keys.addAll(OF_RATES);
        keys.add(LoadForms.TIMEOUT);
        return keys;
    }

    /**
     * Makes it, and writes out its defaults.
     *
     * @param load that has what is common to all loads
     * @param given that has these keys: the same, or a mapping within it
     * @param of {@code clients} or {@code rate}
     * @param highest value that the number takes
     */
    static @Nullable LoadTemplate template(FormValues load, FormValues given, String of, double highest, int testers) {
        boolean closed = of.equals("clients");
        for (Key<?> other : closed ? OF_RATES : ThinkTimeKeys.ALL) {
            if (given.has(other)) {
                given.problem(
                        other,
                        "cannot be combined with '" + of + "', only with " + (closed ? "'rate'" : "'clients'")
                                + "; remove it");
            }
        }
        if (closed) {
            return new LoadTemplate.Clients(
                    ThinkTimeKeys.think(given), load.get(LoadForms.ON_FAILURE), LoadForms.timeoutNanos(given));
        }
        return new LoadTemplate.Rate(
                given.getOr(ARRIVALS, Arrivals.CONSTANT),
                OpenLoadForm.maxInFlight(given, MAX_IN_FLIGHT, highest, testers),
                LoadForms.onFailureOfArrivals(load),
                LoadForms.timeoutNanos(given));
    }
}
