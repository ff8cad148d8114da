package org.diperf.controller.experiment;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Parameter;

/**
 * Writes a first experiment file for a client: what a small run needs, and commented out what else there is, each key
 * with its explanation. The client's part follows its declared parameters, so a new plugin needs no more than these.
 */
public final class StarterFile {

    private static final int COMMENT_COLUMN = 42;
    private static final int WIDTH = 118;
    private static final int MIN_COMMENT = 36;

    private final StringBuilder out = new StringBuilder();
    private final ClientPlugin client;

    private StarterFile(ClientPlugin client) {
        this.client = client;
    }

    /**
     * Writes the file.
     *
     * @param client that makes the calls
     * @param target the service under test
     * @param file name of the file to write, as a command would name it
     */
    public static String text(ClientPlugin client, String target, String file) {
        StarterFile starter = new StarterFile(client);
        starter.head(file);
        starter.on("name: " + YamlWriter.scalar(ExperimentBuilder.nameFrom(file)), "results go to runs/NAME-TIME");
        starter.off("", "labels: { build: 1a2b }", "any labels; they are copied into the results");
        starter.off("", "seed: 42", "determines every random choice; default: a new seed, which is recorded");
        starter.blank();
        starter.on("target: " + YamlWriter.scalar(target), "the service under test");
        starter.blank();
        starter.client();
        starter.blank();
        starter.off(
                "",
                "service: { start: \"./server --port 8080\" }",
                "starts the service before the run and stops it afterwards");
        starter.blank();
        starter.testbed();
        starter.blank();
        starter.closed();
        starter.open();
        starter.blank();
        starter.judgement();
        return starter.out.toString();
    }

    private void head(String file) {
        String check = "#   diperf check " + file;
        String run = "#   diperf run " + file;
        String more = run + " --set load.clients=50";
        int column = more.length() + 3;
        on("# A DiPerF experiment: the service under test, its load, and the conditions that must hold.", "");
        on("#", "");
        on(check + " ".repeat(column - check.length()) + "what a run would do, without load", "");
        on(run + " ".repeat(column - run.length()) + "a table, a verdict, and runs/latest/report.html", "");
        on(more + "   override any key for one run", "");
        on("#", "");
        on("# A key after '# ' is disabled. All keys: diperf schema.", "");
        blank();
    }

    private void client() {
        on("client:", "what makes the calls");
        on("  plugin: " + client.id(), client.summary());
        List<Parameter> parameters = client.parameters();
        if (parameters.isEmpty()) {
            return;
        }
        boolean anyRequired = parameters.stream().anyMatch(Parameter::required);
        String help = "its parameters; text values can use ${client}, ${call}, ${target}, ${uuid}, ${random:1..999}";
        if (anyRequired) {
            on("  with:", help);
        } else {
            off("  ", "with:", help);
        }
        for (Parameter parameter : parameters) {
            List<String> lines = entry(parameter);
            if (parameter.required()) {
                on("    " + lines.get(0), help(parameter));
                lines.subList(1, lines.size()).forEach(line -> on("    " + line, ""));
            } else {
                String mark = anyRequired ? "    " : "  ";
                String indent = anyRequired ? "" : "  ";
                off(mark, indent + lines.get(0), help(parameter));
                lines.subList(1, lines.size()).forEach(line -> off(mark, indent + line, ""));
            }
        }
    }

    private static String help(Parameter parameter) {
        return parameter.help()
                + (parameter.unit().isEmpty() ? "" : ", in " + parameter.unit())
                + (parameter.allowed().isEmpty() ? "" : " (" + String.join(" | ", parameter.allowed()) + ")");
    }

    /** Returns the lines of a key with its value. */
    private static List<String> entry(Parameter parameter) {
        String value = value(parameter);
        List<String> lines = new ArrayList<>();
        if (value.contains("\n")) {
            lines.add(parameter.name() + ":");
            value.lines().forEach(line -> lines.add("  " + line));
        } else {
            lines.add(parameter.name() + ": " + value);
        }
        return lines;
    }

    /** Returns a value of a parameter: its example, its default, or any that its type lets be. */
    static String value(Parameter parameter) {
        String example = parameter.example();
        String fallback = parameter.fallback();
        if (example != null) {
            return example;
        }
        if (fallback != null) {
            return written(parameter.type(), fallback);
        }
        return parameter.allowed().isEmpty()
                ? anyValue(parameter)
                : written(parameter.type(), parameter.allowed().get(0));
    }

    private static String written(Parameter.Type type, String value) {
        return switch (type) {
            case TEXT, STRING, TEXTS -> YamlWriter.scalar(value);
            case INTEGER, NUMBER, BOOLEAN, DURATION, SIZE, TEXT_MAP, MAPPING, MAPPINGS, NAMED, TREE -> value;
        };
    }

    private static String anyValue(Parameter parameter) {
        return switch (parameter.type()) {
            case TEXT, STRING -> "text";
            case INTEGER, NUMBER -> "1";
            case BOOLEAN -> "true";
            case DURATION -> "1s";
            case SIZE -> "1MiB";
            case TEXTS -> "[text]";
            case TEXT_MAP -> "{ name: text }";
            case MAPPING -> mapping(parameter);
            case MAPPINGS -> "[" + mapping(parameter) + "]";
            case NAMED -> "{ name: " + mapping(parameter) + " }";
            case TREE -> "{}";
        };
    }

    /** Returns a mapping with the keys that it must have; where there are none, with all. */
    private static String mapping(Parameter parameter) {
        boolean any = parameter.keys().stream().anyMatch(Parameter::required);
        return parameter.keys().stream()
                .filter(key -> key.required() || !any)
                .map(key -> key.name() + ": " + value(key))
                .collect(Collectors.joining(", ", "{ ", " }"));
    }

    private void testbed() {
        on("testbed:", "where testers (load generators) run");
        on("  kind: local", "processes on this machine; other machines, by ssh: diperf plugins ssh");
        on("  testers: 1", "how many; they share the load");
    }

    private void closed() {
        on("load:", "closed load: each client (virtual user) waits for its answer before its next call");
        on("  clients: 10", "concurrent clients, across all testers");
        on("  start-every: 100ms", "the ramp: time between client starts");
        on("  run-for: 30s", "run time of each client");
        on("  think: 0s", "pause after each answer; or { exponential: 1s }, or { uniform: [0s, 2s] }");
        on("  timeout: 10s", "a call that takes longer fails");
    }

    private void open() {
        off("", "load:", "or open load: calls arrive whether or not earlier ones have ended");
        off("", "  open:", "");
        off("", "    rate: 100/s", "arrival rate after the ramp");
        off("", "    arrivals: constant", "evenly spaced, or poisson");
        off("", "    ramp: 5s", "time over which the rate grows from 0");
        off("", "    for: 30s", "time at the full rate");
        off("", "    timeout: 10s", "a call that takes longer fails");
    }

    private void judgement() {
        on("measure:", "the part of the run that the numbers cover");
        on("  window: peak", "while all clients run, or at the full rate; or whole, or 10s..25s");
        on("  skip: 1s", "skips the beginning of that part");
        blank();
        on("thresholds:", "conditions that must hold; if one does not, the exit code is 99");
        on("  - failed < 1%", "share of calls that failed");
        on("  - response.p99 < 1s", "99 of 100 calls took less, measured from when each was due");
        on(
                "  - { that: failed < 50%, every: 5s, after: 10s, abort: true }",
                "checked every 5 s, after 10 s: ends a hopeless run");
        blank();
        off(
                "",
                "report: { quantum: 1s, smooth: 10s }",
                "time per point of the figures, and width of their moving average");
        off("", "monitors: [{ kind: host }]", "also monitors this machine's processors, memory, disks and network");
    }

    private void blank() {
        out.append('\n');
    }

    private void off(String mark, String text, String comment) {
        on(mark + "# " + text, comment);
    }

    /** Writes a line with a comment, which may need more lines below it. */
    private void on(String text, String comment) {
        out.append(text);
        if (comment.isEmpty()) {
            blank();
            return;
        }
        int column = Math.max(COMMENT_COLUMN, text.length() + 2);
        int at = text.length();
        if (WIDTH - column < MIN_COMMENT && WIDTH - column < comment.length()) {
            blank();
            column = COMMENT_COLUMN;
            at = 0;
        }
        for (String line : wrapped(comment, WIDTH - column - 2)) {
            out.append(" ".repeat(column - at)).append("# ").append(line);
            blank();
            at = 0;
        }
    }

    private static List<String> wrapped(String text, int width) {
        List<String> lines = new ArrayList<>();
        StringBuilder line = new StringBuilder();
        for (String word : text.split(" ")) {
            if (line.length() > 0 && line.length() + 1 + word.length() > width) {
                lines.add(line.toString());
                line.setLength(0);
            }
            line.append(line.length() == 0 ? "" : " ").append(word);
        }
        lines.add(line.toString());
        return lines;
    }
}
