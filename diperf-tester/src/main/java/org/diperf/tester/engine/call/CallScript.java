package org.diperf.tester.engine.call;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import org.diperf.core.experiment.RequestSettings;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.plan.Journey;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.RequestMix;
import org.diperf.core.spi.JavaJourney;
import org.diperf.core.spi.Memory;
import org.diperf.core.spi.Names;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/** What calls are and what values they have, at work in one tester. Thread-safe. */
public final class CallScript {

    /** All calls are alike, and have no values. */
    public static final CallScript NONE = new CallScript(
            RequestMix.ONE, List.of(Kind.PLAIN), List.of(), 0, List.of(), List.of(), Map.of(), Map.of(), Secrets.NONE);

    /** Most texts that are kept as they were masked. */
    public static final int MAX_MASKED = 1_000;
    /** A longer text is none of an outcome, and is not kept. */
    private static final int LONGEST_MASKED = 256;

    /** Where a value is: column of a data file's row, or what was captured, of which the file is -1. */
    record ValueSource(int file, int column) {}

    /**
     * What a call may be.
     *
     * @param name of the request
     * @param target that it goes to whatever the call's is, {@code null}: that one
     * @param names under which what is captured is kept
     * @param captures as many as names
     * @param checks what its answer must have
     * @param goesOn whether its journey goes on when it has failed
     * @param readsAnswer whether it needs the answer
     * @param judges whether anything is asked of a call that the client ended well
     * @param coded whether code reads the answer
     */
    public record Kind(
            String name,
            @Nullable Url target,
            List<String> names,
            List<Capture> captures,
            List<Check> checks,
            boolean goesOn,
            boolean readsAnswer,
            boolean judges,
            boolean coded) {

        /** Nothing is asked of its answer. */
        static final Kind PLAIN = new Kind("all", null, List.of(), List.of(), List.of(), false, false, false, false);

        private static Kind of(RequestSettings choice, long seed, Names names, boolean coded) {
            List<Check> checks = Check.of(choice.check(), seed, names);
            boolean captures = !choice.capture().isEmpty();
            return new Kind(
                    choice.name(),
                    choice.target().isEmpty() ? null : Url.of(choice.target()),
                    List.copyOf(choice.capture().keySet()),
                    choice.capture().values().stream().map(Capture::parse).toList(),
                    checks,
                    choice.goesOn(),
                    captures || checks.stream().anyMatch(Check::readsAnswer),
                    captures || !checks.isEmpty(),
                    coded);
        }
    }

    private final RequestMix mix;
    /** By the number of the request. */
    private final List<Kind> kinds;
    /** Of each number of the mix; none: it is one of requests. */
    private final List<CompiledJourney> routes;

    private final int before;
    private final List<DataRows> files;
    /** For each request the data files that it takes a row of. */
    private final List<int[]> taken;

    private final Map<String, ValueSource> sources;
    private final Map<String, Integer> captured;
    private final Secrets secrets;
    private final Map<String, String> masked = new ConcurrentHashMap<>();

    private CallScript(
            RequestMix mix,
            List<Kind> kinds,
            List<CompiledJourney> routes,
            int before,
            List<DataRows> files,
            List<int[]> taken,
            Map<String, ValueSource> sources,
            Map<String, Integer> captured,
            Secrets secrets) {
        this.mix = mix;
        this.kinds = List.copyOf(kinds);
        this.routes = List.copyOf(routes);
        this.before = before;
        this.files = List.copyOf(files);
        this.taken = List.copyOf(taken);
        this.sources = Map.copyOf(sources);
        this.captured = Map.copyOf(captured);
        this.secrets = secrets;
    }

    /**
     * Opens the data files.
     *
     * @param parameters of the requests, by their numbers
     * @param rank of the tester, which has a part of each data file
     * @throws IOException when a data file cannot be read, or has a fault
     */
    public static CallScript open(Script script, List<Parameters> parameters, Rank rank, long seed) throws IOException {
        return open(script, parameters, rank, seed, type -> {
            throw new IllegalArgumentException("Expected the journey " + type + ", got no journeys in Java");
        });
    }

    /**
     * Opens the data files, of an experiment that may have journeys in Java.
     *
     * @param parameters of the requests, by their numbers
     * @param rank of the tester, which has a part of each data file
     * @param code makers of journeys by the names of their classes
     * @throws IOException when a data file cannot be read, or has a fault
     */
    public static CallScript open(
            Script script,
            List<Parameters> parameters,
            Rank rank,
            long seed,
            Function<String, Supplier<JavaJourney>> code)
            throws IOException {
        List<Journey> chosen = script.journeys().stream()
                .filter(journey -> journey.weight() > 0)
                .toList();
        List<Double> weights = !chosen.isEmpty()
                ? chosen.stream().map(Journey::weight).toList()
                : script.requests().stream().map(RequestSettings::weight).toList();
        RequestMix mix = weights.isEmpty() ? RequestMix.ONE : new RequestMix(seed, weights);
        Map<String, ValueSource> sources = new HashMap<>();
        List<DataRows> files = new ArrayList<>();
        for (int i = 0; i < script.data().size(); i++) {
            DataRows rows = DataRows.open(script.data().get(i), i, seed, rank.tester(), rank.testers());
            List<String> columns = rows.file().columns();
            for (int c = 0; c < columns.size(); c++) {
                sources.put(script.data().get(i).name() + "." + columns.get(c), new ValueSource(i, c));
            }
            files.add(rows);
        }
        Map<String, Integer> captured = new HashMap<>();
        for (String name : script.values()) {
            if (!sources.containsKey(name)) {
                captured.put(name, captured.size());
                sources.put(name, new ValueSource(-1, captured.get(name)));
            }
        }
        List<Kind> kinds = new ArrayList<>();
        List<int[]> taken = new ArrayList<>();
        for (RequestSettings call : script.calls()) {
            Kind kind = Kind.of(
                    call, seed + kinds.size() * 0xD6E8FEB86659FD93L, script, isCoded(script.journeys(), kinds.size()));
            Set<String> values = new HashSet<>(parameters.get(kinds.size()).callValues());
            kind.checks().forEach(check -> values.addAll(check.demand().right().values()));
            taken.add(files(values, sources));
            kinds.add(kind);
        }
        List<CompiledJourney> routes = new ArrayList<>();
        for (Journey journey : chosen) {
            long ofRoute = seed + kinds.size() + routes.size() * 0xE7037ED1A0B428DBL;
            CompiledJourney route = new CompiledJourney(journey, ofRoute, script, coded(journey, script, seed, code));
            Set<Integer> ofJourney = new TreeSet<>();
            for (Journey.Move move : journey.moves()) {
                if (move instanceof Journey.Move.Request request) {
                    for (int file : taken.get(request.request())) {
                        ofJourney.add(file);
                    }
                } else if (move instanceof Journey.Move.Code coded) {
                    for (int request = coded.first(); request < coded.first() + coded.count(); request++) {
                        for (int file : taken.get(request)) {
                            ofJourney.add(file);
                        }
                    }
                }
            }
            for (int file : files(route.values(), sources)) {
                ofJourney.add(file);
            }
            route.takes(ofJourney.stream().mapToInt(Integer::intValue).toArray());
            routes.add(route);
        }
        return new CallScript(
                mix, kinds, routes, script.before().size(), files, taken, sources, captured, script.secrets());
    }

    private static boolean isCoded(List<Journey> journeys, int request) {
        return journeys.stream()
                .flatMap(journey -> journey.moves().stream())
                .anyMatch(move -> move instanceof Journey.Move.Code code
                        && request >= code.first()
                        && request < code.first() + code.count());
    }

    private static @Nullable JavaJourneyCode coded(
            Journey journey, Script script, long seed, Function<String, Supplier<JavaJourney>> code) {
        for (Journey.Move move : journey.moves()) {
            if (move instanceof Journey.Move.Code coded) {
                Map<String, Integer> requests = new LinkedHashMap<>();
                for (int request = coded.first(); request < coded.first() + coded.count(); request++) {
                    requests.put(script.requests().get(request).name(), request);
                }
                return new JavaJourneyCode(coded.type(), code.apply(coded.type()), requests, seed);
            }
        }
        return null;
    }

    private static int[] files(Set<String> values, Map<String, ValueSource> sources) {
        return values.stream()
                .map(sources::get)
                .filter(source -> source != null && source.file() >= 0)
                .mapToInt(ValueSource::file)
                .distinct()
                .sorted()
                .toArray();
    }

    public RequestMix mix() {
        return mix;
    }

    /** Counts what each client does before its first call. */
    public int steps() {
        return before;
    }

    /** Returns what a call with this number of a request is. */
    Kind kind(int request) {
        return kinds.get(request);
    }

    /** Returns the number of the request of what each client does before its first call; the others come before. */
    int requestOf(int step) {
        return kinds.size() - before + step;
    }

    /** Lists the journeys by their numbers in the mix; none: an iteration makes one call. */
    public List<CompiledJourney> routes() {
        return routes;
    }

    /** Counts what calls may be, whatever they come in. */
    int requests() {
        return kinds.size();
    }

    /** Makes what one client keeps; {@code null} where calls have no values. */
    @Nullable
    CallValues values(int client, Memory memory) {
        return sources.isEmpty() ? null : new CallValues(this, client, captured.size(), memory);
    }

    /** Names all values. */
    Set<String> valueNames() {
        return sources.keySet();
    }

    /** Hides the values of secrets, and those of others. */
    public String masked(String text, Secrets others) {
        return others.isEmpty() ? masked(text) : secrets.and(others).masked(text);
    }

    /** Returns where a value is; {@code null} where it has none. */
    @Nullable
    ValueSource source(String name) {
        return sources.get(name);
    }

    /** Returns where what is captured under a name is kept. */
    int captureOf(String name) {
        Integer number = captured.get(name);
        if (number == null) {
            throw new IllegalStateException("No value is captured as '" + name + "'");
        }
        return number;
    }

    DataRows file(int number) {
        return files.get(number);
    }

    int files() {
        return files.size();
    }

    /** Lists the data files that a request takes a row of. */
    int[] taken(int request) {
        return taken.get(request);
    }

    /** Notes that this tester takes the place of a lost one. */
    void takeOver() {
        files.forEach(DataRows::takeOver);
    }

    /** Hides the values of secrets. Outcomes repeat: one that was masked before costs no allocation and no lock. */
    public String masked(String text) {
        if (secrets.isEmpty()) {
            return text;
        }
        String known = masked.get(text);
        if (known != null) {
            return known;
        }
        String shown = secrets.masked(text);
        if (text.length() <= LONGEST_MASKED) {
            if (masked.size() >= MAX_MASKED) {
                masked.clear();
            }
            masked.put(text, shown);
        }
        return shown;
    }
}
