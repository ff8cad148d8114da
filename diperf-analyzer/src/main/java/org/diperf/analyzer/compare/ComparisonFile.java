package org.diperf.analyzer.compare;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import org.diperf.core.folder.AtomicFile;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Writes {@code comparison.json}. What cannot be told is absent. */
public final class ComparisonFile {

    /** Name and version of the format. */
    public static final String FORMAT = "diperf-comparison/1";

    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();
    private static final double DECIMALS = 1e9;

    private ComparisonFile() {}

    /** Writes the file; one of this name is replaced. */
    public static void write(Comparison comparison, Path file) throws IOException {
        AtomicFile.write(file, json(comparison) + "\n");
    }

    static String json(Comparison comparison) throws IOException {
        try {
            return MAPPER.writeValueAsString(tree(comparison));
        } catch (JacksonException e) {
            throw new IOException("Could not write the comparison: " + e.getOriginalMessage(), e);
        }
    }

    /** Returns what the file says, as JSON: names with values. */
    public static Object tree(Comparison comparison) {
        ObjectNode root = MAPPER.createObjectNode();
        root.put("format", FORMAT);
        root.put("finding", ComparisonText.finding(comparison));
        root.put("verdict", comparison.verdict().word());
        lines(root.putArray("obstacles"), comparison.reasons());
        lines(root.putArray("notes"), comparison.allNotes());
        Settings settings = comparison.settings();
        ObjectNode asked = root.putObject("settings");
        asked.put("smallestEffect", settings.smallestEffect());
        asked.put("confidence", settings.confidence());
        asked.put("alpha", settings.alpha());
        asked.put("resamples", settings.resamples());
        asked.put("seed", settings.seed());
        ArrayNode sides = root.putArray("sides");
        for (Side side : comparison.sides()) {
            ObjectNode node = sides.addObject();
            node.put("name", side.name());
            lines(
                    node.putArray("runs"),
                    side.runs().stream().map(MeasuredRun::name).toList());
            lines(node.putArray("leftOut"), side.leftOut());
        }
        ArrayNode contrasts = root.putArray("contrasts");
        comparison.contrasts().forEach(contrast -> contrast(contrasts.addObject(), contrast, settings));
        return root;
    }

    private static void contrast(ObjectNode node, Contrast contrast, Settings settings) {
        node.put("a", contrast.a().name());
        node.put("b", contrast.b().name());
        node.put("finding", ComparisonText.finding(contrast, settings));
        node.put("method", ComparisonText.method(contrast));
        ArrayNode metrics = node.putArray("metrics");
        for (MetricResult result : contrast.results()) {
            if (!result.isSeen()) {
                continue;
            }
            ObjectNode row = metrics.addObject();
            row.put("metric", result.metric().path());
            number(row, "a", result.valueA());
            number(row, "b", result.valueB());
            number(row, "change", result.change());
            number(row, "low", result.low());
            number(row, "high", result.high());
            number(row, "p", result.p());
            number(row, "pHolm", result.pHolm());
            number(row, "hodgesLehmann", result.hodgesLehmann());
            number(row, "cliffsDelta", result.cliffsDelta());
            row.put("units", result.units());
            row.put("unitsA", result.unitsA());
            row.put("unitsB", result.unitsB());
            row.put("finding", word(result.finding()));
            if (result.hasInterval()) {
                contrast.runsToTell(result, Settings.widestInterval(settings.smallestEffect()))
                        .ifPresent(runs -> row.put("runsToTell", runs));
            }
        }
        ArrayNode rules = node.putArray("rules");
        for (RuleResult rule : contrast.rules()) {
            ObjectNode row = rules.addObject();
            row.put("rule", rule.rule().text());
            number(row, "pHolm", rule.pHolm());
            row.put("outcome", word(rule.outcome()));
        }
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    private static void number(ObjectNode node, String name, double value) {
        if (Double.isFinite(value)) {
            node.put(name, Math.abs(value) < 1e6 ? Math.round(value * DECIMALS) / DECIMALS : value);
        }
    }

    private static void lines(ArrayNode array, List<String> lines) {
        lines.forEach(array::add);
    }
}
