package org.diperf.plugins.mcp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What an agent can ask for, with its parameters. */
enum Tool {
    INIT(
            "Writes an experiment file that explains every key, and the JSON schema of such files next to it.",
            "name!:File to write, such as orders.yml",
            "target:URL of the service",
            "client:Client plugin, such as http or grpc"),
    CHECK(
            "Reads an experiment and says what it would do, or what is wrong with it. Makes no load.",
            Tool.FILE,
            Tool.TEXT,
            Tool.URL,
            Tool.RATE,
            Tool.CLIENTS,
            Tool.CALLS,
            Tool.FOR,
            Tool.SET),
    TRY(
            "Makes one call of an experiment and shows what was sent and what came back.",
            Tool.FILE,
            Tool.TEXT,
            Tool.URL,
            Tool.SET,
            "request:Name of a request of its mix"),
    RUN(
            "Measures: runs an experiment, of a file, a text or a URL, and returns its numbers, verdict and run folder. "
                    + "Load that searches for a limit is one too. Takes as long as the load and some seconds.",
            Tool.FILE,
            Tool.TEXT,
            Tool.URL,
            Tool.RATE,
            Tool.CLIENTS,
            Tool.CALLS,
            Tool.FOR,
            Tool.SET),
    REPORT(
            "Returns the numbers of a run that was made before, on request those of a part of it.",
            "run!:Run folder, such as runs/run-1",
            "window:whole, peak, or a part such as 10s..20s"),
    COMPARE(
            "Says whether runs differ from earlier ones, by how much and how certain that is. Several runs a side decide better.",
            "before*!:Run folders of the one side",
            "after*!:Run folders of the other side",
            "fail-on*:Rules that alone decide, such as response.p99 +5%");

    private static final String FILE = "file:Experiment file (YAML); or use text or url";
    private static final String TEXT = "text:The experiment itself, in YAML";
    private static final String URL = "url:Service to call without an experiment file, such as http://127.0.0.1:8080/";
    private static final String RATE = "rate:With url: arrivals of open load, such as 200/s";
    private static final String CLIENTS = "clients:With url: clients of closed load, such as 10";
    private static final String CALLS = "calls:With url: number of calls in all";
    private static final String FOR = "for:With url: duration, such as 10s";
    private static final String SET = "set*:Keys to override, such as load.clients=20";

    private final String about;
    private final Map<String, Object> schema;

    /** @param parameters NAME:HELP each; after the name {@code *} for a list, then {@code !} where it must be given */
    Tool(String about, String... parameters) {
        this.about = about;
        Map<String, Object> properties = new LinkedHashMap<>();
        List<String> required = new ArrayList<>();
        for (String parameter : parameters) {
            int colon = parameter.indexOf(':');
            String name = parameter.substring(0, colon).replaceAll("[*!]", "");
            String help = parameter.substring(colon + 1);
            Map<String, Object> text = Map.of("type", "string");
            properties.put(
                    name,
                    parameter.substring(0, colon).contains("*")
                            ? Map.of("type", "array", "items", text, "description", help)
                            : Map.of("type", List.of("string", "number"), "description", help));
            if (parameter.substring(0, colon).contains("!")) {
                required.add(name);
            }
        }
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("type", "object");
        all.put("properties", properties);
        all.put("required", required);
        all.put("additionalProperties", false);
        this.schema = all;
    }

    /** Returns its name, which is that of the command that carries it out. */
    String id() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Returns what an agent is told of it. */
    Map<String, Object> described() {
        Map<String, Object> described = new LinkedHashMap<>();
        described.put("name", id());
        described.put("description", about);
        described.put("inputSchema", schema);
        return described;
    }

    /** Names its parameters. */
    @SuppressWarnings("unchecked") // made above
    Map<String, Object> parameters() {
        return (Map<String, Object>) schema.getOrDefault("properties", Map.of());
    }
}
