package org.diperf.tester.engine;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.diperf.core.experiment.RequestChoice;
import org.diperf.core.experiment.Script;
import org.diperf.core.experiment.Secrets;
import org.diperf.core.plan.Rank;
import org.diperf.core.plan.RequestMix;
import org.diperf.core.spi.Parameters;
import org.jspecify.annotations.Nullable;

/** What calls are and what values they have, at work in one tester. Thread-safe. */
final class CallScript {

    /** All calls are alike, and have no values. */
    static final CallScript NONE =
            new CallScript(RequestMix.ONE, List.of(), List.of(), List.of(), Map.of(), Map.of(), Secrets.NONE);

    /** Most texts that are kept as they were masked. */
    static final int MOST_MASKED = 1_000;
    /** A longer text is none of an outcome, and is not kept. */
    private static final int LONGEST_MASKED = 256;

    /** Where a value is: column of a data file's row, or what was captured, of which the file is -1. */
    record ValueSource(int file, int column) {}

    /**
     * Something that each client does before its first call.
     *
     * @param name of the request
     * @param names under which what is captured is kept
     * @param captures as many as names
     */
    record Step(String name, List<String> names, List<Capture> captures) {}

    private final RequestMix mix;
    private final List<Step> before;
    private final List<GivenRows> files;
    /** For each request the data files that it takes a row of. */
    private final List<int[]> taken;

    private final Map<String, ValueSource> sources;
    private final Map<String, Integer> captured;
    private final Secrets secrets;
    private final Map<String, String> masked = new ConcurrentHashMap<>();

    private CallScript(
            RequestMix mix,
            List<Step> before,
            List<GivenRows> files,
            List<int[]> taken,
            Map<String, ValueSource> sources,
            Map<String, Integer> captured,
            Secrets secrets) {
        this.mix = mix;
        this.before = List.copyOf(before);
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
    static CallScript open(Script script, List<Parameters> parameters, Rank rank, long seed) throws IOException {
        if (script.equals(Script.NONE)) {
            return NONE;
        }
        RequestMix mix = script.requests().isEmpty()
                ? RequestMix.ONE
                : new RequestMix(
                        seed,
                        script.requests().stream().map(RequestChoice::weight).toList());
        Map<String, ValueSource> sources = new HashMap<>();
        List<GivenRows> files = new ArrayList<>();
        for (int i = 0; i < script.data().size(); i++) {
            GivenRows rows = GivenRows.open(script.data().get(i), i, seed, rank.tester(), rank.testers());
            List<String> columns = rows.file().columns();
            for (int c = 0; c < columns.size(); c++) {
                sources.put(script.data().get(i).name() + "." + columns.get(c), new ValueSource(i, c));
            }
            files.add(rows);
        }
        List<Step> before = new ArrayList<>();
        Map<String, Integer> captured = new HashMap<>();
        for (RequestChoice step : script.before()) {
            List<String> names = List.copyOf(step.capture().keySet());
            for (String name : names) {
                captured.putIfAbsent(name, captured.size());
                sources.put(name, new ValueSource(-1, captured.get(name)));
            }
            before.add(new Step(
                    step.name(),
                    names,
                    step.capture().values().stream().map(Capture::parse).toList()));
        }
        List<int[]> taken = new ArrayList<>();
        for (Parameters each : parameters) {
            taken.add(files(each.callValues(), sources));
        }
        return new CallScript(mix, before, files, taken, sources, captured, script.secrets());
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

    RequestMix mix() {
        return mix;
    }

    /** Counts what each client does before its first call. */
    int steps() {
        return before.size();
    }

    /** Returns what each client does before its first call. */
    Step step(int number) {
        return before.get(number);
    }

    /** Returns the number of a step's request; those of the mix come before. */
    int requestOf(int step) {
        return mix.requests() + step;
    }

    /** Makes what one client keeps; {@code null} where calls have no values. */
    @Nullable
    CallValues values(int client) {
        return sources.isEmpty() ? null : new CallValues(this, client, captured.size());
    }

    /** Names all values. */
    Set<String> valueNames() {
        return sources.keySet();
    }

    /** Hides the values of secrets, and those of others. */
    String masked(String text, Secrets others) {
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
            throw new IllegalStateException("Nothing is captured as '" + name + "'");
        }
        return number;
    }

    GivenRows file(int number) {
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
        files.forEach(GivenRows::takeOver);
    }

    /** Hides the values of secrets. Outcomes repeat: one that was masked before costs no allocation and no lock. */
    String masked(String text) {
        if (secrets.isEmpty()) {
            return text;
        }
        String known = masked.get(text);
        if (known != null) {
            return known;
        }
        String shown = secrets.masked(text);
        if (text.length() <= LONGEST_MASKED) {
            if (masked.size() >= MOST_MASKED) {
                masked.clear();
            }
            masked.put(text, shown);
        }
        return shown;
    }
}
