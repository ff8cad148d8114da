package org.diperf.controller.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.analyzer.profile.PlanNode;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.dataformat.yaml.YAMLMapper;

/**
 * The machines that a service might run on: a list of {@code {host, cores, speed, bandwidth, count}} in YAML or JSON, or what {@code
 * diperf nodes --json} printed.
 */
final class PlanNodesFile {

    private static final Set<String> KNOWN = Set.of("host", "cores", "speed", "bandwidth", "count");
    private static final Pattern BITS = Pattern.compile("([0-9]+(?:\\.[0-9]+)?)\\s*([kMG]?)bit/s");
    private static final int MOST = 100_000;

    private PlanNodesFile() {}

    /**
     * Reads the file.
     *
     * @throws UsageException when it is none
     */
    static List<PlanNode> read(Path file) throws UsageException, IOException {
        JsonNode tree;
        try {
            tree = new YAMLMapper().readTree(Files.readAllBytes(file));
        } catch (JacksonException e) {
            throw new UsageException(
                    file + ": expected a list of nodes in YAML or JSON, got: " + e.getOriginalMessage());
        }
        JsonNode list = tree.isObject() ? tree.path("nodes") : tree;
        if (!list.isArray() || list.isEmpty()) {
            throw new UsageException(file + ": expected a list of nodes, e.g. [ { host: a, cores: 8 } ], got "
                    + (list.isArray() ? "an empty one" : "none"));
        }
        List<PlanNode> nodes = new ArrayList<>();
        for (int i = 0; i < list.size(); i++) {
            try {
                add(list.get(i), nodes);
            } catch (IllegalArgumentException e) {
                throw new UsageException(file + ", node " + (i + 1) + ": " + e.getMessage());
            }
            if (nodes.size() > MOST) {
                throw new UsageException(file + ": expected at most " + MOST + " nodes, got more");
            }
        }
        return nodes;
    }

    private static void add(JsonNode given, List<PlanNode> nodes) {
        JsonNode measures = given.path("measures");
        if (measures.isObject()) {
            nodes.add(new PlanNode(
                    given.path("name").asString(""),
                    measures.path("cores").asDouble(Double.NaN),
                    1,
                    measures.path("bandwidth").asDouble(Double.NaN) * 8));
            return;
        }
        for (String name : given.propertyNames()) {
            if (!KNOWN.contains(name)) {
                throw new IllegalArgumentException(
                        "expected host, cores, speed, bandwidth or count, got '" + name + "'");
            }
        }
        String host = given.path("host").asString("");
        if (host.isEmpty()) {
            throw new IllegalArgumentException("expected a host, got none");
        }
        double cores = number(given, "cores", Double.NaN);
        double speed = number(given, "speed", 1);
        double count = number(given, "count", 1);
        if (count < 1 || count > MOST || count != Math.rint(count)) {
            throw new IllegalArgumentException("count: expected 1 to " + MOST + ", got " + given.path("count"));
        }
        double bits = Double.NaN;
        if (given.has("bandwidth")) {
            Matcher matcher = BITS.matcher(given.path("bandwidth").asString(""));
            if (!matcher.matches()) {
                throw new IllegalArgumentException("bandwidth: expected a value like 1Gbit/s, got '"
                        + given.path("bandwidth").asString("") + "'");
            }
            double unit = switch (matcher.group(2)) {
                case "k" -> 1e3;
                case "M" -> 1e6;
                case "G" -> 1e9;
                default -> 1;
            };
            bits = Double.parseDouble(matcher.group(1)) * unit;
        }
        for (int i = 1; i <= count; i++) {
            nodes.add(new PlanNode(count == 1 ? host : host + "-" + i, cores, speed, bits));
        }
    }

    private static double number(JsonNode given, String name, double otherwise) {
        if (!given.has(name)) {
            return otherwise;
        }
        if (!given.path(name).isNumber()) {
            throw new IllegalArgumentException(name + ": expected a number, got " + given.path(name));
        }
        return given.path(name).asDouble();
    }
}
