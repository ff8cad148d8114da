package org.diperf.tester.engine.call;

import static java.util.Objects.requireNonNull;

import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import org.diperf.core.spi.Answer;
import org.diperf.core.spi.FailedCallException;
import org.diperf.core.spi.Failure;
import org.diperf.core.spi.Memory;
import org.jspecify.annotations.Nullable;

/** The values that one client's calls have: rows of data files, and what was captured. Confined to the client's owner. */
final class CallValues {

    /** What is captured and shorter is a number or a word rather than a proof of who somebody is. */
    private static final int SHORTEST_HIDDEN = 6;

    private static final Pattern HIDDEN_COLUMN = Pattern.compile("(?i)pass|pwd|secret|token|key|pin");

    /** Longest value that is kept, in characters. */
    private static final int MAX_LENGTH = 1 << 20;

    private final CallScript script;
    private final Memory memory;
    private final int client;
    private final @Nullable String[] captured;
    private final long[] numbers;
    private final @Nullable Row[] rows;

    /** A row of a file that was read. */
    private record Row(long number, String[] values) {}

    CallValues(CallScript script, int client, int captures, Memory memory) {
        this.memory = memory;
        this.script = script;
        this.client = client;
        this.captured = new @Nullable String[captures];
        this.numbers = new long[script.files()];
        this.rows = new @Nullable Row[script.files()];
        Arrays.fill(numbers, DataRows.NONE);
    }

    /**
     * Takes the rows that a call or an iteration needs.
     *
     * @param files whose rows
     * @return why there are none left; {@code null}: it has them
     */
    @Nullable
    String take(int[] files, long call) {
        for (int file : files) {
            numbers[file] = script.file(file).take(client, call);
            if (numbers[file] == DataRows.NONE) {
                return script.file(file).usedUp();
            }
        }
        return null;
    }

    /** Returns a value; empty where there is none yet. */
    String value(String name) {
        CallScript.ValueSource source = script.source(name);
        if (source == null) {
            return "";
        }
        if (source.file() < 0) {
            String kept = captured[source.column()];
            return kept == null ? "" : kept;
        }
        long number = numbers[source.file()];
        if (number == DataRows.NONE) {
            return "";
        }
        Row row = rows[source.file()];
        if (row == null || row.number != number) {
            row = new Row(number, script.file(source.file()).file().row(number));
            rows[source.file()] = row;
        }
        return row.values[source.column()];
    }

    /** Returns what of a client's values nobody else should see: all that was captured, and columns that are called so. */
    Map<String, String> hidden() {
        Map<String, String> hidden = new LinkedHashMap<>();
        for (String name : script.valueNames()) {
            String value = value(name);
            boolean isCaptured = requireNonNull(script.source(name)).file() < 0;
            if (isCaptured
                    ? value.length() >= SHORTEST_HIDDEN
                    : HIDDEN_COLUMN.matcher(name).find()) {
                hidden.put(name, value);
            }
        }
        return hidden;
    }

    /** Returns whether a value is there: a captured one may not be yet. */
    boolean has(String name) {
        CallScript.ValueSource source = script.source(name);
        return source != null && (source.file() >= 0 || captured[source.column()] != null);
    }

    /** Returns what a request has captured so far. */
    Map<String, String> captured(CallScript.Kind kind) {
        Map<String, String> found = new LinkedHashMap<>();
        for (String name : kind.names()) {
            if (has(name)) {
                found.put(name, value(name));
            }
        }
        return found;
    }

    /**
     * Keeps what a request captures.
     *
     * @return what the answer does not have, as a failure's cause; {@code null}: it has all
     */
    @Nullable
    String capture(CallScript.Kind kind, Answer answer) {
        for (int i = 0; i < kind.names().size(); i++) {
            String name = kind.names().get(i);
            String found = kind.captures().get(i).of(answer);
            if (found == null) {
                return "capture " + name + ": the answer has none";
            }
            keep(name, found);
        }
        return null;
    }

    /**
     * Keeps a value under a name.
     *
     * @throws UncheckedIOException with a {@link FailedCallException}, where it is too long or there is no memory left
     */
    void keep(String name, String value) {
        int place = script.captureOf(name);
        if (value.length() > MAX_LENGTH) {
            throw new UncheckedIOException(new FailedCallException(
                    Failure.ofExperiment("value of " + name + " longer than " + MAX_LENGTH + " characters")));
        }
        if (!memory.resize(bytes(captured[place]), bytes(value))) {
            throw new UncheckedIOException(new FailedCallException(Memory.FULL));
        }
        captured[place] = value;
    }

    /** Drops what was captured. */
    void forget() {
        for (int place = 0; place < captured.length; place++) {
            memory.resize(bytes(captured[place]), 0);
            captured[place] = null;
        }
    }

    private static long bytes(@Nullable String value) {
        return value == null ? 0 : 2L * value.length();
    }
}
