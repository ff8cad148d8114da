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
import org.diperf.core.experiment.CaptureChoice;
import org.diperf.core.experiment.DataChoice;
import org.diperf.core.experiment.LoadChoice;
import org.diperf.core.experiment.RequestChoice;
import org.diperf.core.experiment.Script;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Names;
import org.jspecify.annotations.Nullable;

/** The keys {@code client.requests}, {@code client.before} and {@code data}: their forms, and what is made of them. */
final class RequestKeys {

    private static final String NAME = "[A-Za-z0-9][A-Za-z0-9_-]{0,39}";
    private static final Set<String> TAKEN = Set.of("client", "call", "target", "uuid", "all");

    private RequestKeys() {}

    /** Declares what clients may do besides; a request's parameters go over those of all. */
    static List<Key<?>> ofClient(ClientPlugin plugin, Names names) {
        // What all requests leave out is known only when they are put together with what is for all of them.
        List<Key<?>> partial = ExperimentShape.parameters(plugin.parameters(), names).stream()
                .<Key<?>>map(Key::withoutDefault)
                .toList();
        Fields with = new Fields("parameters of '" + plugin.id() + "'", partial, Map.of(), List.of());
        Shape<String> name = Word.text("letters, digits, hyphens and underscores, at most 40", NAME);
        Key<?> own = Key.withDefault("with", with, Map.of(), "parameters of this request; they override the client's");
        Fields request = Fields.of(
                "a request",
                Key.required("name", name, "its name in the results"),
                Key.withDefault("weight", Quantities.weight(), 1.0, "its share, relative to the other weights"),
                own);
        Fields before = Fields.of(
                "a request",
                Key.required("name", name, "its name in the results"),
                own,
                Key.withDefault(
                        "capture",
                        new Shapes.TextMap("names with json:/POINTER, header:NAME, cookie:NAME or regex:REGEX"),
                        Map.of(),
                        "values to take from the answer for later texts: json:/POINTER, header:NAME, cookie:NAME or regex:REGEX"));
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
                                + " requests of their own"));
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
                                Word.text("the path of a file", "\\S.*"),
                                "comma-separated values whose first row names the columns; relative to the experiment"
                                        + " file"),
                        Key.withDefault(
                                "give",
                                Word.oneOf(List.of("one-per-client", "per-call", "random")),
                                "one-per-client",
                                "one-per-client: client i gets row i; per-call: each call that names the file gets the"
                                        + " next row, and no row is used twice; random: any row"),
                        Key.withDefault(
                                "used-up",
                                Word.oneOf(List.of("stop", "repeat")),
                                "stop",
                                "what happens when all rows have been used")));
    }

    /** Makes the script of an experiment, and writes out where its data files are. */
    static Script script(
            Map<String, Object> values,
            String source,
            FileNames names,
            @Nullable LoadChoice load,
            BiConsumer<String, String> problem) {
        Map<String, Object> client = ExperimentBuilder.map(values.get("client"));
        Map<String, Object> with = ExperimentBuilder.map(client.get("with"));
        Set<String> taken = new HashSet<>();
        List<RequestChoice> requests = choices("requests", client, with, taken, problem);
        List<RequestChoice> before = choices("before", client, with, taken, problem);
        List<DataChoice> data = data(values, source, names, load, problem);
        Map<String, Object> capture = ExperimentBuilder.map(values.get("capture"));
        CaptureChoice shown = new CaptureChoice(
                (int) (long) capture.getOrDefault("failures", 0L), (int) (long) capture.getOrDefault("slowest", 0L));
        return new Script(requests, before, data, names.columns(), names.secrets(), shown);
    }

    private static List<RequestChoice> choices(
            String key,
            Map<String, Object> client,
            Map<String, Object> with,
            Set<String> taken,
            BiConsumer<String, String> problem) {
        List<RequestChoice> choices = new ArrayList<>();
        List<?> given = client.get(key) instanceof List<?> list ? list : List.of();
        for (Object each : given) {
            Map<String, Object> request = ExperimentBuilder.map(each);
            String path = "client." + key + "." + choices.size();
            String name = ExperimentBuilder.get(request, "name", String.class);
            if (!taken.add(name)) {
                problem.accept(path + ".name", "wanted requests with names of their own, found '" + name + "' again");
            }
            Map<String, Object> complete = new LinkedHashMap<>(with);
            complete.putAll(ExperimentBuilder.map(request.get("with")));
            Map<String, String> capture = new LinkedHashMap<>();
            ExperimentBuilder.map(request.get("capture")).forEach((value, from) -> {
                capture.put(value, String.valueOf(from));
                checkCapture(path + ".capture." + value, value, String.valueOf(from), problem);
            });
            double weight = request.get("weight") instanceof Double share ? share : 0;
            choices.add(new RequestChoice(name, weight, complete, capture));
        }
        return choices;
    }

    private static void checkCapture(String path, String name, String from, BiConsumer<String, String> problem) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_-]{0,39}") || TAKEN.contains(name)) {
            problem.accept(
                    path,
                    "wanted a name of letters, digits, hyphens and underscores that texts do not know yet, found '"
                            + name + "'");
        }
        if (!from.matches("(?s)json:(/.*)?|header:.+|cookie:[^\\s=;,]+|regex:.+")) {
            problem.accept(path, "wanted json:/POINTER, header:NAME, cookie:NAME or regex:REGEX, found '" + from + "'");
        } else if (from.startsWith("regex:")) {
            try {
                Pattern.compile(from.substring("regex:".length()));
            } catch (PatternSyntaxException e) {
                problem.accept(path, "wanted a regular expression, found '" + from + "': " + e.getDescription());
            }
        }
    }

    private static List<DataChoice> data(
            Map<String, Object> values,
            String source,
            FileNames names,
            @Nullable LoadChoice load,
            BiConsumer<String, String> problem) {
        List<DataChoice> choices = new ArrayList<>();
        Map<String, Object> written = new LinkedHashMap<>();
        ExperimentBuilder.map(values.get("data")).forEach((name, each) -> {
            Map<String, Object> entry = ExperimentBuilder.map(each);
            String file =
                    FileNames.beside(source, String.valueOf(entry.get("file"))).toString();
            entry.put("file", file);
            written.put(name, entry);
            DataChoice choice = new DataChoice(
                    name,
                    file,
                    DataChoice.Give.valueOf(ExperimentBuilder.constant(String.valueOf(entry.get("give")))),
                    "repeat".equals(entry.get("used-up")));
            choices.add(choice);
            DataFile opened = names.file(name);
            boolean eachHasOne = choice.give() == DataChoice.Give.ONE_PER_CLIENT && !choice.repeats();
            if (opened != null
                    && eachHasOne
                    && load != null
                    && load.model().equals("closed")
                    && opened.rows() < load.clients()) {
                problem.accept(
                        "data." + name,
                        "wanted a row for each of the " + load.clients() + " clients, found " + opened.rows()
                                + " rows; add rows, or let them be given again with used-up: repeat");
            }
        });
        if (values.containsKey("data")) {
            values.put("data", written);
        }
        return choices;
    }
}
