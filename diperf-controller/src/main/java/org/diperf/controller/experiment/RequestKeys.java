package org.diperf.controller.experiment;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import org.diperf.core.data.DataFile;
import org.diperf.core.experiment.CaptureSettings;
import org.diperf.core.experiment.ClientSettings;
import org.diperf.core.experiment.DataSettings;
import org.diperf.core.experiment.LoadSettings;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.TraceSettings;
import org.diperf.core.expression.Comparison;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.NearestName;
import org.diperf.core.spi.Text;

/** The sections {@code client} and {@code data}: their keys, and the script that they give. */
final class RequestKeys {

    static final String NAME = "[A-Za-z0-9][A-Za-z0-9_-]{0,39}";
    private static final Set<String> TAKEN = Set.of("client", "call", "target", "uuid", "all");

    private static final Set<String> PARTS = Set.of("status", "body", "size", "time", "graphql");

    static final Key<String> NAMED = Key.required(
            "name",
            Scalar.text("letters, digits, hyphens and underscores, at most 40", NAME),
            "its name in the results");
    private static final Key<Double> WEIGHT =
            Key.withDefault("weight", Quantities.weight(), 1.0, "its share, relative to the other weights");
    private static final Key<FormValues> WITH =
            Key.section("with", Fields.of("parameters"), "parameters of this request; they override the client's");
    private static final Key<Map<String, String>> CAPTURE = Key.withDefault(
            "capture",
            new Shapes.TextMap("a mapping of names to json:/POINTER, header:NAME, cookie:NAME or regex:REGEX"),
            Map.of(),
            "values to capture from the answer, for use in later text values: json:/POINTER, header:NAME, cookie:NAME or "
                    + "regex:REGEX");
    private static final Key<Map<String, String>> CHECK = Key.withDefault(
            "check",
            new Shapes.TextMap(
                    "a mapping of status, body, size, time, graphql or a capture source to the expected value"),
            Map.of(),
            "conditions that the answer must meet for the call to succeed; key: status, body, size, time, "
                    + "graphql (whose value is ok: data and no errors), "
                    + "json:/POINTER, header:NAME, cookie:NAME or regex:REGEX; value: a value, a range A..B, an "
                    + "operator (== != < <= > >= ~ !~) with a value, present or absent");

    /** What is taken from an answer, and what it must have. */
    static final List<Key<?>> OF_ANSWER = List.of(CAPTURE, CHECK);

    private static final Key<List<FormValues>> REQUESTS = Key.withDefault(
            "requests",
            new Shapes.ListOf<>("a list of requests", Fields.of("a request", NAMED, WEIGHT), 0),
            List.of(),
            "a weighted mix; seed, client and call determine which request a call sends");
    private static final Key<List<FormValues>> BEFORE = Key.withDefault(
            "before",
            new Shapes.ListOf<>("a list of requests", Fields.of("a request", NAMED), 0),
            List.of(),
            "steps that each client runs once before its first call, such as a login; recorded as separate "
                    + "requests");

    private static final Key<FormValues> CLIENT = Key.optional(
            "client", Fields.of("a client"), "what makes the calls; default: the plugin for the URL's scheme");

    private static final Key<String> FILE = Key.required(
            "file",
            Scalar.text("the path of a file", "\\S.*"),
            "comma-separated values whose first row contains the column names; relative to the experiment file");
    private static final Key<DataSettings.Give> GIVE = Key.withDefault(
            "give",
            Scalar.oneOf(DataSettings.Give.class),
            DataSettings.Give.ONE_PER_CLIENT,
            "one-per-client: client i gets row i; per-call: each call that refers to the file gets the"
                    + " next row, and no row is used twice; random: any row");
    private static final Key<UsedUp> USED_UP = Key.withDefault(
            "used-up", Scalar.oneOf(UsedUp.class), UsedUp.STOP, "what happens when all rows have been used");

    static final Key<Map<String, FormValues>> DATA = Key.optional(
            "data",
            new Shapes.Named<>(
                    "a mapping of names to data files",
                    "[A-Za-z_][A-Za-z0-9_-]{0,39}",
                    Fields.of("a data file", FILE, GIVE, USED_UP)),
            "files whose rows can be inserted into text values as ${NAME.COLUMN}");

    private RequestKeys() {}

    /** What happens when all rows of a data file have been used. */
    private enum UsedUp {
        STOP,
        REPEAT
    }

    /**
     * Declares the client.
     *
     * @param mixed whether parameters that must be given may be given for each request instead
     */
    static Key<FormValues> client(List<ClientPlugin> plugins, Names names, boolean mixed) {
        Map<String, Fields> variants = new LinkedHashMap<>();
        for (ClientPlugin plugin : plugins) {
            List<Key<?>> parameters = ExperimentShape.parameters(plugin.parameters(), names);
            if (mixed) {
                parameters = parameters.stream().<Key<?>>map(Key::notRequired).toList();
            }
            Fields all = with(plugin, parameters);
            boolean anyRequired = parameters.stream().anyMatch(Key::isRequired);
            String help = "parameters; see `plugins " + plugin.id() + "`";
            Key<FormValues> own = WITH.of(with(plugin, partial(plugin, names)));
            variants.put(
                    plugin.id(),
                    Fields.of(
                            "a client",
                            plugin(plugin.id(), plugin.summary()),
                            anyRequired ? Key.required("with", all, help) : Key.section("with", all, help),
                            REQUESTS.of(new Shapes.ListOf<>(
                                    "a list of requests",
                                    Fields.of("a request", NAMED, WEIGHT, own).and(OF_ANSWER),
                                    0)),
                            BEFORE.of(new Shapes.ListOf<>(
                                    "a list of requests",
                                    Fields.of("a request", NAMED, own).and(OF_ANSWER),
                                    0)),
                            JourneyKeys.key(plugin, plugins, names)));
        }
        return CLIENT.of(new Shapes.ByWord(
                "a client such as {plugin: http}",
                "plugin",
                "client plugin; default: the one for the URL's scheme",
                "client plugin",
                null,
                variants));
    }

    private static Key<String> plugin(String id, String summary) {
        return Key.withDefault("plugin", Scalar.oneOf(List.of(id)), id, summary);
    }

    /** What all requests leave out is known only when they are put together with what is for all of them. */
    static List<Key<?>> partial(ClientPlugin plugin, Names names) {
        return ExperimentShape.parameters(plugin.parameters(), names).stream()
                .<Key<?>>map(Key::withoutDefault)
                .toList();
    }

    static Fields with(ClientPlugin plugin, List<Key<?>> parameters) {
        return new Fields("parameters of '" + plugin.id() + "'", parameters, Map.of(), List.of());
    }

    static ClientSettings settings(FormValues experiment) {
        FormValues client = experiment.get(CLIENT);
        return new ClientSettings(client.get(plugin("", "")), client.get(WITH).parameters());
    }

    /** Makes the script of an experiment, and writes out where its data files are. */
    static Script script(
            FormValues experiment,
            String source,
            PlaceholderNames names,
            LoadSettings load,
            KnownPlugins plugins,
            CaptureSettings shown,
            TraceSettings trace) {
        FormValues client = experiment.get(CLIENT);
        ClientSettings common = settings(experiment);
        Set<String> taken = new HashSet<>();
        long seed = experiment.get(ExperimentShape.SEED);
        List<RequestSettings> requests = requests(client.get(REQUESTS), common.with(), seed, names, taken);
        List<RequestSettings> before = requests(client.get(BEFORE), common.with(), seed, names, taken);
        JourneyKeys.Compiled journeys = JourneyKeys.compile(
                client, common, seed, names, taken, file -> plugins.journeyType(JavaJourneyKeys.className(file)));
        if (!requests.isEmpty() && !journeys.requests().isEmpty()) {
            client.problem(
                    REQUESTS,
                    "expected either a mix of requests or journeys, got both; turn each request into a journey with "
                            + "one step");
        }
        return new Script(
                requests.isEmpty() ? journeys.requests() : requests,
                journeys.journeys(),
                journeys.groups(),
                before,
                data(experiment, source, names, load),
                names.columns(),
                names.secrets(),
                shown,
                trace);
    }

    private static List<RequestSettings> requests(
            List<FormValues> given, Map<String, Object> common, long seed, Names names, Set<String> taken) {
        List<RequestSettings> requests = new ArrayList<>();
        for (FormValues request : given) {
            String name = request.get(NAMED);
            if (!taken.add(name)) {
                request.problem(NAMED, "expected requests with unique names, got '" + name + "' again");
            }
            Map<String, Object> complete = new LinkedHashMap<>(common);
            complete.putAll(request.get(WITH).parameters());
            Double weight = request.find(WEIGHT);
            requests.add(new RequestSettings(
                    name,
                    weight == null ? 0 : weight,
                    "",
                    "",
                    complete,
                    captures(request),
                    checks(request, seed, names),
                    false));
        }
        return requests;
    }

    /** Takes the steps of journeys in Java out of what is written: the resolved file names the Java file alone. */
    static void withoutStepsInJava(FormValues experiment) {
        JourneyKeys.withoutStepsInJava(experiment.get(CLIENT));
    }

    /** Returns what a request takes from its answers. */
    static Map<String, String> captures(FormValues request) {
        request.get(CAPTURE).forEach((value, from) -> {
            checkName(request, "capture." + value, value);
            checkPart(request, "capture." + value, from, "");
        });
        return request.get(CAPTURE);
    }

    /** Returns what the answers to a request must have. */
    static Map<String, String> checks(FormValues request, long seed, Names names) {
        request.get(CHECK).forEach((what, must) -> {
            String below = "check." + what;
            if (!PARTS.contains(what)) {
                checkPart(request, below, what, "status, body, size, time, graphql, ");
            }
            if (what.equals("graphql") && !must.strip().equals("ok")) {
                request.problem(below, "expected ok, got '" + must + "'");
            }
            try {
                Comparison comparison = Comparison.parse(must);
                Text.parse(comparison.right(), seed, names);
                if (what.equals("time") || what.equals("size")) {
                    comparison.in(what.equals("time") ? Comparison.Measure.TIME : Comparison.Measure.SIZE);
                }
            } catch (IllegalArgumentException e) {
                request.problem(below, String.valueOf(e.getMessage()));
            }
        });
        return request.get(CHECK);
    }

    /** Checks a name that texts are to know. */
    static void checkName(FormValues given, String below, String name) {
        if (!name.matches("[A-Za-z_][A-Za-z0-9_-]{0,39}") || TAKEN.contains(name)) {
            given.problem(
                    below,
                    "expected a name of letters, digits, hyphens and underscores that is not reserved, got '" + name
                            + "'");
        }
    }

    private static void checkPart(FormValues given, String below, String from, String also) {
        if (!from.matches("(?s)json:(/.*)?|header:.+|cookie:[^\\s=;,]+|regex:.+")) {
            given.problem(
                    below,
                    "expected " + also + "json:/POINTER, header:NAME, cookie:NAME or regex:REGEX, got '" + from + "'"
                            + (also.isEmpty() ? "" : NearestName.suggestion(from, PARTS)));
        } else if (from.contains("${") && !from.startsWith("regex:")) {
            given.problem(
                    below,
                    "expected a part of the answer without ${...}, got '" + from
                            + "'; a journey in Java can choose the part during the run");
        } else if (from.startsWith("regex:")) {
            try {
                Pattern.compile(from.substring("regex:".length()));
            } catch (PatternSyntaxException e) {
                given.problem(below, "expected a regular expression, got '" + from + "': " + e.getDescription());
            }
        }
    }

    private static List<DataSettings> data(
            FormValues experiment, String source, PlaceholderNames names, LoadSettings load) {
        List<DataSettings> settings = new ArrayList<>();
        Map<String, FormValues> files = experiment.find(DATA);
        if (files == null) {
            return settings;
        }
        files.forEach((name, given) -> {
            given.put(FILE, ExperimentPaths.resolve(source, given.get(FILE)).toString());
            DataSettings data =
                    new DataSettings(name, given.get(FILE), given.get(GIVE), given.get(USED_UP) == UsedUp.REPEAT);
            settings.add(data);
            DataFile opened = names.file(name);
            boolean eachHasOne = data.give() == DataSettings.Give.ONE_PER_CLIENT && !data.repeats();
            if (opened != null && eachHasOne && load.model().equals("closed") && opened.rows() < load.clients()) {
                given.problem("expected a row for each of the " + load.clients() + " clients, got " + opened.rows()
                        + " rows; add rows, or reuse them with used-up: repeat");
            }
        });
        return settings;
    }
}
