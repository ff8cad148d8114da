package org.diperf.plugins.mcp;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;
import org.diperf.core.spi.CommandContext;
import org.diperf.core.spi.CommandPlugin;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** Carries out what an agent asks for, by commands of the program. One call at a time. */
final class Tools {

    /** What a run's summary has for whoever wants to know how it went; the rest is in its folder. */
    private static final List<String> TELLING = List.of(
            "experiment",
            "target",
            "verdict",
            "warnings",
            "thresholds",
            "measured",
            "search",
            "stages",
            "saturation",
            "requests",
            "journeys",
            "planned",
            "done",
            "points",
            "runs");

    /** What stands within these and is for whoever looks closer. */
    private static final Set<String> CLOSER =
            Set.of("confidence", "parts", "sendLag", "serviceTime", "responseTimeFailed", "processingTime");

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,99}");
    private static final Pattern PROGRESS = Pattern.compile("(?:.*: )?[0-9]+:[0-9]{2}.*  in flight .*");
    private static final int MAX_LINES = 200;
    private static final int LONGEST_LINE = 2_000;
    private static final int LONGEST_TEXT = 64 << 10;
    private static final int MAX_VALUES = 50;
    private static final int LONGEST_DOCUMENT = 8 << 20;
    private static final int LONGEST_RESULT = 128 << 10;

    private final CommandContext program;
    private final Caps caps;
    private final String version;

    Tools(CommandContext program, Caps caps) {
        this.program = program;
        this.caps = caps;
        Followed told = new Followed(line -> {});
        program.carryOut(List.of("version"), told);
        this.version = told.document.toString().lines().findFirst().orElse("").replaceFirst("^\\S+ ", "");
    }

    String version() {
        return version;
    }

    List<Map<String, Object>> list() {
        return Arrays.stream(Tool.values()).map(Tool::described).toList();
    }

    boolean has(String name) {
        return Arrays.stream(Tool.values()).anyMatch(tool -> tool.id().equals(name));
    }

    /**
     * Carries out a tool.
     *
     * @param progress takes lines while it is under way, on any thread
     * @return the result as the protocol has it; what cannot be done is one too
     */
    Map<String, Object> call(String name, JsonNode arguments, Consumer<String> progress) {
        Tool tool = Tool.valueOf(name.toUpperCase(Locale.ROOT));
        try {
            Arguments given = new Arguments(tool, arguments);
            Followed followed = new Followed(progress);
            int code = program.carryOut(line(tool, given), followed);
            return result(followed, code);
        } catch (IllegalArgumentException | IOException e) {
            return result(String.valueOf(e.getMessage()), null, true);
        }
    }

    /** Returns the command line that does what a tool was asked for. */
    private List<String> line(Tool tool, Arguments given) throws IOException {
        List<String> line = new ArrayList<>(List.of(tool.id()));
        switch (tool) {
            case INIT -> {
                String file = given.text("name");
                if (!NAME.matcher(file).matches()) {
                    throw new IllegalArgumentException(
                            "name: expected a plain file name such as orders.yml, got '" + file + "'");
                }
                line.add(caps.folder().resolve(file).toString());
                given.option("target", "--target", line);
                if (given.has("client") && !caps.plugins().contains(given.text("client"))) {
                    throw new IllegalArgumentException("client: expected one of " + caps.plugins() + ", got '"
                            + given.text("client") + "'; use one of these (--client)");
                }
                given.option("client", "--for", line);
            }
            case CHECK, TRY, RUN -> {
                experiment(given, line);
                given.option("request", "--request", line);
                if (tool == Tool.RUN) {
                    line.addAll(List.of("--yes", "--out", folder().toString()));
                }
                line.add("--json");
            }
            case REPORT -> {
                line.addAll(List.of(caps.inside(given.text("run")).toString(), "--json"));
                given.option("window", "--window", line);
            }
            case COMPARE -> {
                for (String run : given.texts("before")) {
                    line.add(caps.inside(run).toString());
                }
                given.texts("fail-on").forEach(rule -> line.add("--fail-on=" + rule));
                line.add("--json");
                line.add("--to");
                for (String run : given.texts("after")) {
                    line.add(caps.inside(run).toString());
                }
            }
        }
        return line;
    }

    private void experiment(Arguments given, List<String> line) throws IOException {
        long ways = List.of("file", "text", "url").stream().filter(given::has).count();
        if (ways != 1) {
            throw new IllegalArgumentException("expected one of file, text and url, got " + ways);
        }
        if (given.has("url")) {
            String url = given.text("url");
            if (!url.matches("[A-Za-z][A-Za-z0-9+.-]*://.*")) {
                throw new IllegalArgumentException(
                        "url: expected one such as http://127.0.0.1:8080/, got '" + url + "'");
            }
            line.add(url);
            for (String name : List.of("rate", "clients", "calls", "for")) {
                given.option(name, "--" + name, line);
            }
        } else if (given.has("file")) {
            Path file = caps.inside(given.text("file"));
            if (!file.toString().matches("(?i).*\\.(ya?ml|json)")) {
                throw new IllegalArgumentException("file: expected one that ends in .yml or .json, got " + file);
            }
            line.add(file.toString());
        } else {
            Path file = caps.folder().resolve("experiment-of-agent.yml");
            Files.writeString(file, given.text("text"));
            line.add(file.toString());
        }
        given.texts("set").forEach(set -> line.add("--set=" + set));
    }

    private Path folder() {
        Path runs = caps.folder().resolve("runs");
        int number = 1;
        while (Files.exists(runs.resolve("run-" + number))) {
            number++;
        }
        return runs.resolve("run-" + number);
    }

    private static Map<String, Object> result(Followed followed, int code) {
        String document = followed.document.toString();
        @Nullable JsonNode values = null;
        String text = followed.text();
        if (document.startsWith("{")) {
            try {
                values = telling(JsonMapper.shared().readTree(document));
            } catch (JacksonException cutShort) {
                text += "\n(more numbers than can be told; they are in the files of the run)";
            }
        } else {
            text = (document + "\n" + text).strip();
        }
        boolean failed =
                code == CommandPlugin.USAGE || code == 1 || code == CommandPlugin.NOT_CARRIED_OUT && values == null;
        return result(text + "\nexit code " + code, values, failed);
    }

    private static Map<String, Object> result(String text, @Nullable JsonNode values, boolean failed) {
        Map<String, Object> result = new LinkedHashMap<>();
        result.put("content", List.of(Map.of("type", "text", "text", text)));
        if (values != null && values.toString().length() <= LONGEST_RESULT) {
            result.put("structuredContent", values);
        }
        result.put("isError", failed);
        return result;
    }

    /** Leaves out what an agent has in its files anyway. */
    private static JsonNode telling(JsonNode document) {
        if (document instanceof ObjectNode result) {
            result.remove("experiment");
            if (result.get("summary") instanceof ObjectNode summary) {
                summary.retain(TELLING);
                withoutCloser(summary);
            }
        }
        return document;
    }

    private static void withoutCloser(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.remove(CLOSER);
        }
        node.forEach(Tools::withoutCloser);
    }

    /** What an agent gave a tool, checked against what the tool takes. */
    private static final class Arguments {

        private final JsonNode given;

        Arguments(Tool tool, JsonNode given) {
            this.given = given;
            for (String name : given.propertyNames()) {
                if (!tool.parameters().containsKey(name)) {
                    throw new IllegalArgumentException(
                            "expected parameters of " + tool.parameters().keySet() + ", got '" + name + "'");
                }
            }
        }

        boolean has(String name) {
            return given.hasNonNull(name);
        }

        String text(String name) {
            JsonNode value = given.path(name);
            if (!value.isString() && !value.isNumber()) {
                throw new IllegalArgumentException(name + ": expected a text, got " + value.getNodeType());
            }
            String text = value.asString();
            if (text.isBlank() || text.length() > LONGEST_TEXT) {
                throw new IllegalArgumentException(
                        name + ": expected 1 to " + LONGEST_TEXT + " characters, got " + text.length());
            }
            return text;
        }

        List<String> texts(String name) {
            List<String> texts = new ArrayList<>();
            for (JsonNode value : given.path(name)) {
                texts.add(value.asString());
            }
            if (texts.size() > MAX_VALUES) {
                throw new IllegalArgumentException(
                        name + ": expected at most " + MAX_VALUES + " values, got " + texts.size());
            }
            return texts;
        }

        /** Adds an option of the command where the parameter was given. */
        void option(String name, String option, List<String> line) {
            if (has(name)) {
                line.add(option + "=" + text(name));
            }
        }
    }

    /** Follows a command: keeps its document and the last lines of its text, and passes on its progress. */
    private final class Followed implements CommandContext.Watcher {

        private final Consumer<String> progress;
        private final StringBuilder document = new StringBuilder();
        private final Deque<String> lines = new ArrayDeque<>();
        private Duration load = Duration.ZERO;

        Followed(Consumer<String> progress) {
            this.progress = progress;
        }

        @Override
        public synchronized void out(String line) {
            if (document.length() < LONGEST_DOCUMENT) {
                document.append(line).append('\n');
            }
        }

        @Override
        public void err(String line) {
            String shown = line.length() > LONGEST_LINE ? line.substring(0, LONGEST_LINE) : line;
            if (PROGRESS.matcher(shown).matches()) {
                progress.accept(shown.strip());
            } else {
                keep(shown);
            }
        }

        private synchronized void keep(String line) {
            lines.add(line);
            if (lines.size() > MAX_LINES) {
                lines.remove();
            }
        }

        @Override
        public synchronized void admit(Map<String, ?> keys, Optional<Duration> longest) {
            load = caps.admit(keys, longest, load);
        }

        synchronized String text() {
            return String.join("\n", lines).strip();
        }
    }
}
