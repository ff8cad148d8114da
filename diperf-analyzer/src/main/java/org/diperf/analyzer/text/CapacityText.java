package org.diperf.analyzer.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.analyzer.model.FittedModel;
import org.diperf.analyzer.model.LoadModel;
import org.diperf.analyzer.model.Saturation;
import org.diperf.analyzer.result.Analysis;
import org.diperf.analyzer.result.Capacity;

/** What levels say of a service's capacity, in words. */
public final class CapacityText {

    private CapacityText() {}

    /** Says where the knee is; empty where the run cannot be asked. */
    public static String knee(Analysis analysis) {
        Saturation saturation = analysis.capacity().saturation();
        if (saturation == null) {
            return "";
        }
        if (!saturation.reached()) {
            return switch (saturation.doubt()) {
                case FEW_LEVELS ->
                    "It is not known whether there is a knee: that needs " + Saturation.FEWEST_LEVELS
                            + " or more levels, but the run has "
                            + analysis.capacity().points().size() + ".";
                case SHORT_LEVELS ->
                    "It is not known whether there is a knee: throughput within a level varies too much, or was "
                            + "measured too briefly; hold each level longer.";
                case NONE -> "The knee was not reached: no level lies clearly beyond it.";
            };
        }
        String where = String.format(
                Locale.ROOT,
                "%.3g clients (95 %%: %.3g to %.3g)",
                saturation.clients(),
                saturation.low(),
                saturation.high());
        String said = "The knee is at " + where + ", with "
                + RateUnit.of(analysis.run()).calls(saturation.perSecond());
        return saturation.agreed()
                ? said + "."
                : said
                        + String.format(
                                Locale.ROOT,
                                "; the bend of the curve gives %.3g, its asymptotes %.3g: they do not agree.",
                                saturation.byBend(),
                                saturation.byBounds());
    }

    /** Says which model foretells best and how well; empty where there is none. */
    public static String model(Analysis analysis) {
        return analysis.capacity().best().map(CapacityText::best).orElse("");
    }

    private static String best(FittedModel best) {
        return String.format(
                Locale.ROOT,
                "Best model: %s, %s; it predicts levels that it was not fitted to with a mean error of %.1f %%"
                        + " in throughput"
                        + " and %.1f %% in response time.",
                name(best.model()),
                parameters(best.model()),
                100 * best.throughputError(),
                100 * best.responseError());
    }

    /** Names a model as people do. */
    public static String name(LoadModel model) {
        return switch (model.name()) {
            case "closed-mva" -> "closed queueing network";
            case "universal-scalability" -> "universal scalability law";
            default -> "queue M/M/c";
        };
    }

    /** Writes a model's parameters on one line. */
    public static String parameters(LoadModel model) {
        List<String> words = new ArrayList<>();
        for (Map.Entry<String, Double> parameter : model.parameters().entrySet()) {
            String name = parameter.getKey();
            boolean millis = name.endsWith("Millis");
            String value = String.format(Locale.ROOT, "%.4g", parameter.getValue());
            words.add((millis ? name.substring(0, name.length() - 6) : name.replace("PerSecond", "")) + " "
                    + (name.equals("servers") ? Numbers.count(Math.round(parameter.getValue())) : value)
                    + (millis ? " ms" : name.endsWith("PerSecond") ? "/s" : ""));
        }
        return String.join(", ", words);
    }

    /** Returns one row a model: name, parameters, held-out errors, knee. */
    public static List<List<String>> rows(Capacity capacity) {
        List<List<String>> rows = new ArrayList<>();
        for (FittedModel fitted : capacity.models()) {
            double knee = fitted.model().knee();
            rows.add(List.of(
                    name(fitted.model()),
                    parameters(fitted.model()),
                    String.format(Locale.ROOT, "%.1f %%", 100 * fitted.throughputError()),
                    String.format(Locale.ROOT, "%.1f %%", 100 * fitted.responseError()),
                    Double.isInfinite(knee)
                            ? "none"
                            : String.format(Locale.ROOT, "%.4g %s", knee, capacity.closed() ? "clients" : "calls/s")));
        }
        return rows;
    }
}
