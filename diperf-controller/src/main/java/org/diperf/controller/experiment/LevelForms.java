package org.diperf.controller.experiment;

import java.time.Duration;
import java.util.List;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.expression.Expression;
import org.jspecify.annotations.Nullable;

/** Values that are held one after another: {@code load: {levels: ...}} and {@code load: {search: ...}}. */
final class LevelForms {

    private static final String BY_CLIENTS = "clients";
    private static final String BY_RATE = "rate";

    private static final Key<Quantities.Settle> SETTLE = Key.withDefault(
            "settle",
            Quantities.settle(),
            Quantities.Settle.AUTOMATICALLY,
            "time to wait for a level to settle before it is measured; auto: until it shows no trend");

    private static final Key<List<Long>> CLIENTS = Key.optional(
            BY_CLIENTS,
            new Shapes.ListOf<>(
                    "a list of at least one number of clients", Scalar.whole("clients", 1, LoadForms.MAX_CLIENTS), 1),
            "numbers of clients");
    private static final Key<List<Double>> RATES = Key.optional(
            BY_RATE, new Shapes.ListOf<>("a list of at least one rate", Quantities.rate(true), 1), "arrival rates");
    private static final Key<Duration> HOLD =
            Key.required("hold", Quantities.duration(true), "measurement time for each level");

    static final Key<FormValues> LEVELS = Key.required(
            "levels",
            fields("levels", List.of(CLIENTS, RATES, HOLD, SETTLE))
                    .needing(BY_CLIENTS, BY_RATE)
                    .hinting(LoadForms.besideHints("levels", List.of())),
            "levels that are held one after another");

    private static final Key<Quantities.Span> RATE_SPAN =
            Key.optional(BY_RATE, Quantities.rates(), "lowest and highest rate");
    private static final Key<Quantities.Span> CLIENT_SPAN = Key.optional(
            BY_CLIENTS, Quantities.counts("clients", LoadForms.MAX_CLIENTS), "lowest and highest number of clients");
    private static final Key<List<Expression>> WHILE = Key.required(
            "while",
            new Shapes.ListOf<>(
                    "a list of at least one condition such as response.p99 < 100ms", Quantities.condition(), 1),
            "conditions that must all hold");
    private static final Key<Duration> SEARCH_HOLD = Key.withDefault(
            "hold", Quantities.duration(true), Duration.ofSeconds(10), "measurement time for each value");
    private static final Key<Double> PRECISION = Key.withDefault(
            "precision",
            Quantities.share(),
            0.05,
            "width of the answer's 95 % interval, as a share, at which the search ends");

    static final Key<FormValues> SEARCH = Key.required(
            "search",
            fields("a search", List.of(RATE_SPAN, CLIENT_SPAN, WHILE, SEARCH_HOLD, SETTLE, PRECISION))
                    .needing(BY_RATE, BY_CLIENTS)
                    .hinting(LoadForms.besideHints("search", List.of())),
            "find the highest value at which all conditions hold");

    private LevelForms() {}

    private static Fields fields(String expected, List<Key<?>> own) {
        return Fields.of(expected).and(own).and(LoadTemplateKeys.keys()).and(List.of(LoadForms.INNER_ON_FAILURE));
    }

    static Form<Integer, LoadForms.Offered> levels() {
        return LoadForms.form("a load", List.of(LEVELS), LevelForms::levels);
    }

    static Form<Integer, LoadForms.Offered> search() {
        return LoadForms.form("a load", List.of(SEARCH), LevelForms::search);
    }

    private static @Nullable LoadSettings levels(FormValues load, int testers) {
        FormValues levels = LoadForms.inner(load, LEVELS);
        List<Long> clients = levels.find(CLIENTS);
        List<Double> rates = levels.find(RATES);
        checkOne(load, LEVELS, clients != null && rates != null);
        List<Double> values = clients != null
                ? clients.stream().map(Long::doubleValue).toList()
                : rates != null ? rates : List.<Double>of();
        double highest = values.stream().mapToDouble(Double::doubleValue).max().orElse(0);
        var template =
                LoadTemplateKeys.template(load, levels, clients != null ? BY_CLIENTS : BY_RATE, highest, testers);
        LoadForms.isTooLong(levels, HOLD, levels.get(HOLD), 2L * values.size());
        return template == null ? null : new LoadSettings.Levels(template, values, levels.get(HOLD), settle(levels));
    }

    private static @Nullable LoadSettings search(FormValues load, int testers) {
        FormValues search = LoadForms.inner(load, SEARCH);
        Quantities.Span clients = search.find(CLIENT_SPAN);
        Quantities.Span rates = search.find(RATE_SPAN);
        checkOne(load, SEARCH, clients != null && rates != null);
        Quantities.Span span = clients != null ? clients : search.get(RATE_SPAN);
        if (clients != null && clients.from() < testers) {
            search.problem(
                    CLIENT_SPAN,
                    "expected to start with at least as many clients as testers (" + testers + "), got "
                            + (long) clients.from());
        }
        var template =
                LoadTemplateKeys.template(load, search, clients != null ? BY_CLIENTS : BY_RATE, span.to(), testers);
        LoadForms.isTooLong(search, SEARCH_HOLD, search.get(SEARCH_HOLD), 100);
        List<String> conditions =
                search.get(WHILE).stream().map(Expression::toString).toList();
        return template == null
                ? null
                : new LoadSettings.Search(
                        template,
                        span.from(),
                        span.to(),
                        conditions,
                        search.get(SEARCH_HOLD),
                        settle(search),
                        search.get(PRECISION));
    }

    private static void checkOne(FormValues load, Key<FormValues> model, boolean both) {
        if (both) {
            load.problem(model, "expected either 'clients' or 'rate', got both; drop one");
        }
    }

    private static @Nullable Duration settle(FormValues given) {
        Duration fixed = given.get(SETTLE).fixed();
        if (fixed != null) {
            LoadForms.isTooLong(given, SETTLE, fixed, 100);
        }
        return fixed;
    }
}
