package org.diperf.controller.experiment;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.diperf.core.data.DataFile;
import org.diperf.core.experiment.CaptureSettings;
import org.diperf.core.experiment.DataSettings;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.TraceSettings;
import org.diperf.core.expression.Comparison;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Text;
import org.jspecify.annotations.Nullable;

/** The keys {@code client.requests}, {@code client.before} and {@code data}: their forms, and what is made of them. */
final class RequestKeys {

    static final String NAME = "[A-Za-z0-9][A-Za-z0-9_-]{0,39}";
    private static final Set<String> TAKEN = Set.of("client", "call", "target", "uuid", "all");

    private static final Set<String> PARTS = Set.of("status", "body", "size", "time");

    private RequestKeys() {}

    /** Declares what clients may do besides; a request's parameters go over those of all. */
    static List<Key<?>> ofClient(ClientPlugin plugin, List<ClientPlugin> plugins, Names names) {
        // What all requests leave out is known only when they are put together with what is for all of them.
        List<Key<?>> partial = ExperimentShape.parameters(plugin.parameters(), names).stream()
                .<Key<?>>map(Key::withoutDefault)
                .toList();
        Fields with = new Fields("parameters of '" + plugin.id() + "'", partial, Map.of(), List.of());
        Shape<String> name = Scalar.text("letters, digits, hyphens and underscores, at most 40", NAME);
        Key<?> own = Key.withDefault("with", with, Map.of(), "parameters of this request; they override the client's");
        Fields request = Fields.of(
                        "a request",
                        Key.required("name", name, "its name in the results"),
                        Key.withDefault("weight", Quantities.weight(), 1.0, "its share, relative to the other weights"),
                        own)
                .and(answerKeys());
        Fields before = Fields.of("a request", Key.required("name", name, "its name in the results"), own)
                .and(answerKeys());
        return List.of(
                Key.withDefault(
                        "requests",
                        new Shapes.ListOf<>("a list of requests", request, 0),
                        List.of(),
                        "a weighted mix; seed, client and call determine which request a call makes"),
                Key.withDefault(
                        "before",
                        new Shapes.ListOf<>("a list of requests", before, 0),
                        List.of(),
                        "steps that each client takes once before its first call, such as a log-in; recorded as"
                                + " requests of their own"),
                JourneyKeys.key(plugin, plugins, names));
    }

    /** Declares what is taken from an answer, and what it must have. */
    static List<Key<?>> answerKeys() {
        return List.of(
                Key.withDefault(
                        "capture",
                        new Shapes.TextMap("names with json:/POINTER, header:NAME, cookie:NAME or regex:REGEX"),
                        Map.of(),
                        "values to take from the answer for later texts: json:/POINTER, header:NAME, cookie:NAME or regex:REGEX"),
                Key.withDefault(
                        "check",
                        new Shapes.TextMap("status, body, size, time or what capture takes, with what it must be"),
                        Map.of(),
                        "what the answer must have, or the call has failed: status, body, size, time, json:/POINTER,"
                                + " header:NAME, cookie:NAME or regex:REGEX to a value, a range A..B, an operator (== != < <="
                                + " > >= ~ !~) with a value, present or absent"));
    }

    /** Declares data files. */
    static Shape<?> data() {
        return new Shapes.Named(
                "names with data files",
                "[A-Za-z_][A-Za-z0-9_-]{0,39}",
                Fields.of(
                        "a data file",
                        Key.required(
                                "file",
                                Scalar.text("the path of a file", "\\S.*"),
                                "comma-separated values whose first row names the columns; relative to the experiment"
                                        + " file"),
                        Key.withDefault(
                                "give",
                                Scalar.oneOf(List.of("one-per-client", "per-call", "random")),
                                "one-per-client",
                                "one-per-client: client i gets row i; per-call: each call that names the file gets the"
                                        + " next row, and no row is used twice; random: any row"),
                        Key.withDefault(
                                "used-up",
                                Scalar.oneOf(List.of("stop", "repeat")),
                                "stop",
                                "what happens when all rows have been used")));
    }

    /** Makes the script of an experiment, and writes out where its data files are. */
    static Script script(
            Map<String, Object> values,
            String source,
            FileNames names,
            @Nullable LoadSettings load,
            KnownPlugins plugins,
            BiConsumer<String, String> problem) {
        Map<String, Object> client = ExperimentBuilder.map(values.get("client"));
        Map<String, Object> with = ExperimentBuilder.map(client.get("with"));
        Set<String> taken = new HashSet<>();
        long seed = ExperimentBuilder.get(values, "seed", Long.class);
        List<RequestSettings> requests = choices("requests", client, with, seed, names, taken, problem);
        List<RequestSettings> before = choices("before", client, with, seed, names, taken, problem);
        JourneyKeys.Compiled journeys = JourneyKeys.compile(
                client, seed, names, taken, file -> plugins.journeyType(JavaKeys.className(file)), problem);
        if (!requests.isEmpty() && !journeys.requests().isEmpty()) {
            problem.accept(
                    "client.requests",
                    "expected either a mix of requests or journeys, got both; make each request a journey of one step");
        }
        List<DataSettings> data = data(values, source, names, load, problem);
        Map<String, Object> capture = ExperimentBuilder.map(values.get("capture"));
        CaptureSettings shown = new CaptureSettings(
                (int) (long) capture.getOrDefault("failures", 0L), (int) (long) capture.getOrDefault("slowest", 0L));
        return new Script(
                requests.isEmpty() ? journeys.requests() : requests,
                journeys.journeys(),
                journeys.groups(),
                before,
                data,
                names.columns(),
                names.secrets(),
                shown,
                TraceSettings.NONE);
    }

    private static List<RequestSettings> choices(
            String key,
            Map<String, Object> client,
            Map<String, Object> with,
            long seed,
            Names names,
            Set<String> taken,
            BiConsumer<String, String> problem) {
        List<RequestSettings> choices = new ArrayList<>();
        List<?> given = client.get(key) instanceof List<?> list ? list : List.of();
        for (Object each : given) {
            Map<String, Object> request = ExperimentBuilder.map(each);
            String path = "client." + key + "." + choices.size();
            String name = ExperimentBuilder.get(request, "name", String.class);
            if (!taken.add(name)) {
                problem.accept(path + ".name", "expected requests with names of their own, got '" + name + "' again");
            }
            Map<String, Object> complete = new LinkedHashMap<>(with);
            complete.putAll(ExperimentBuilder.map(request.get("with")));
            double weight = request.get("weight") instanceof Double share ? share : 0;
            choices.add(new RequestSettings(
                    name,
                    weight,
                    "",
                    "",
                    complete,
                    captures(path, request, problem),
                    checks(path, request, seed, names, problem),
                    false));
        }
        return choices;
    }

    /** Reads what a request takes from its answers. */
    static Map<String, String> captures(String path, Map<String, Object> request, BiConsumer<String, String> problem) {
        Map<String, String> captures = new LinkedHashMap<>();
        ExperimentBuilder.map(request.get("capture")).forEach((value, from) -> {
            captures.put(value, String.valueOf(from));
            checkName(path + ".capture." + value, value, problem);
            checkPart(path + ".capture." + value, String.valueOf(from), "", problem);
        });
        return captures;
    }

    /** Reads what the answers to a request must have. */
    static Map<String, String> checks(
            String path, Map<String, Object> request, long seed, Names names, BiConsumer<String, String> problem) {
        Map<String, String> checks = new LinkedHashMap<>();
        ExperimentBuilder.map(request.get("check")).forEach((what, must) -> {
            String own = path + ".check." + what;
            checks.put(what, String.valueOf(must));
            if (!PARTS.contains(what)) {
                checkPart(own, what, "status, body, size, time, ", problem);
            }
            try {
                Comparison comparison = Comparison.parse(String.valueOf(must));
                Text.parse(comparison.right(), seed, names);
                if (what.equals("time") || what.equals("size")) {
                    comparison.in(what.equals("time") ? Comparison.Measure.TIME : Comparison.Measure.SIZE);
                }
            } catch (IllegalArgumentException e) {
                problem.accept(own, String.valueOf(e.getMessage()));
            }
        });
        return checks;
    }

    /** Checks a name that texts are to know. */
    static void checkName(String path, String name, BiConsumer<String, String> problem) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_-]{0,39}") || TAKEN.contains(name)) {
            problem.accept(
                    path,
                    "expected a name of letters, digits, hyphens and underscores that texts do not know yet, got '"
                            + name + "'");
        }
    }

    private static void checkPart(String path, String from, String also, BiConsumer<String, String> problem) {
        if (!from.matches("(?s)json:(/.*)?|header:.+|cookie:[^\\s=;,]+|regex:.+")) {
            problem.accept(
                    path,
                    "expected " + also + "json:/POINTER, header:NAME, cookie:NAME or regex:REGEX, got '" + from + "'");
        } else if (from.contains("${") && !from.startsWith("regex:")) {
            problem.accept(
                    path,
                    "expected a part of the answer by its own name, got '" + from
                            + "': nothing is filled in here; a journey" + " in Java can take one of several");
        } else if (from.startsWith("regex:")) {
            try {
                Pattern.compile(from.substring("regex:".length()));
            } catch (PatternSyntaxException e) {
                problem.accept(path, "expected a regular expression, got '" + from + "': " + e.getDescription());
            }
        }
    }

    private static List<DataSettings> data(
            Map<String, Object> values,
            String source,
            FileNames names,
            @Nullable LoadSettings load,
            BiConsumer<String, String> problem) {
        List<DataSettings> choices = new ArrayList<>();
        Map<String, Object> written = new LinkedHashMap<>();
        ExperimentBuilder.map(values.get("data")).forEach((name, each) -> {
            Map<String, Object> entry = ExperimentBuilder.map(each);
            String file =
                    FileNames.beside(source, String.valueOf(entry.get("file"))).toString();
            entry.put("file", file);
            written.put(name, entry);
            DataSettings choice = new DataSettings(
                    name,
                    file,
                    DataSettings.Give.valueOf(ExperimentBuilder.constant(String.valueOf(entry.get("give")))),
                    "repeat".equals(entry.get("used-up")));
            choices.add(choice);
            DataFile opened = names.file(name);
            boolean eachHasOne = choice.give() == DataSettings.Give.ONE_PER_CLIENT && !choice.repeats();
            if (opened != null
                    && eachHasOne
                    && load != null
                    && load.model().equals("closed")
                    && opened.rows() < load.clients()) {
                problem.accept(
                        "data." + name,
                        "expected a row for each of the " + load.clients() + " clients, got " + opened.rows()
                                + " rows; add rows, or let them be given again with used-up: repeat");
            }
        });
        if (values.containsKey("data")) {
            values.put("data", written);
        }
        return choices;
    }
}
