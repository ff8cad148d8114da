package org.diperf.plugins.imports;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.diperf.core.spi.CsvField;
import org.diperf.core.spi.OneLine;
import org.jspecify.annotations.Nullable;

/** Which column of a file says what, and in which unit. Immutable. */
final class Columns {

    private final Map<Field, Integer> places = new EnumMap<>(Field.class);
    private final Map<Field, Unit> units = new EnumMap<>(Field.class);
    private final List<String> names;

    /**
     * Finds the columns by the header's names, and those that were told.
     *
     * @param told by {@link Field#word}: the column's name, or {@code name:unit}
     * @throws IOException when there is no time or no latency, with what was found
     */
    Columns(List<String> header, Map<String, String> told) throws IOException {
        this.names = header.stream().map(name -> CsvField.textOf(name.strip())).toList();
        Map<String, String> rest = new HashMap<>(told);
        for (Field field : Field.values()) {
            String given = rest.remove(field.word());
            if (given != null) {
                told(field, given);
            } else {
                known(field);
            }
        }
        if (!rest.isEmpty()) {
            List<String> words = Arrays.stream(Field.values()).map(Field::word).toList();
            throw new IOException("--columns: expected any of " + words + ", got " + rest.keySet());
        }
        want(Field.TIME);
        want(Field.LATENCY);
        wantUnit(Field.LATENCY);
        if (has(Field.LAG)) {
            wantUnit(Field.LAG);
        }
    }

    private void wantUnit(Field field) throws IOException {
        if (!units.containsKey(field)) {
            String name = OneLine.of(names.get(places.getOrDefault(field, 0)), Excerpt.MAX_OF_FIELD);
            throw new IOException("expected the unit of the column '" + name
                    + "', got none in its name; specify it: --columns " + field.word() + "=" + name + ":ms");
        }
    }

    private void told(Field field, String given) throws IOException {
        String name = given;
        int place = names.indexOf(name);
        int colon = given.lastIndexOf(':');
        if (place < 0 && colon > 0) {
            name = given.substring(0, colon);
            place = names.indexOf(name);
            String word = given.substring(colon + 1);
            units.put(
                    field,
                    Unit.of(word)
                            .orElseThrow(() -> new IOException(
                                    "--columns: expected ns, us, ms or s as the unit, got '" + word + "'")));
        }
        if (place < 0) {
            throw new IOException(
                    "--columns: expected one of the columns " + Excerpt.row(names) + ", got '" + given + "'");
        }
        places.put(field, place);
        if (!units.containsKey(field)) {
            unit(field, name);
        }
    }

    private void known(Field field) {
        for (String candidate : field.names()) {
            for (int i = 0; i < names.size(); i++) {
                String name = names.get(i);
                if (!places.containsKey(field)
                        && (name.equals(candidate) || plain(name).equals(candidate))) {
                    places.put(field, i);
                    unit(field, name);
                }
            }
        }
    }

    /** Cuts a unit off. */
    private static String plain(String name) {
        return Unit.ofName(name).isPresent() ? name.replaceFirst("(_| ?\\()[a-z]+\\)?$", "") : name;
    }

    private void unit(Field field, String name) {
        Optional<Unit> unit = Unit.ofName(name);
        unit.ifPresent(found -> units.put(field, found));
        // JMeter's own names count in milliseconds.
        if (unit.isEmpty() && field == Field.LATENCY && name.equals("elapsed") && names.contains("timeStamp")) {
            units.put(field, Unit.MILLIS);
        }
    }

    private void want(Field field) throws IOException {
        if (!has(field)) {
            throw new IOException("expected a column for the " + field.word() + ", such as " + field.names() + ", got "
                    + Excerpt.row(names) + separatorHint() + "; specify it: --columns " + field.word() + "=NAME"
                    + (names.stream().anyMatch(name -> name.matches("[0-9.]+"))
                            ? "; in a file without a header, use the column number: --no-header --columns "
                                    + "time=1,latency=2:ms"
                            : ""));
        }
    }

    private String separatorHint() {
        String only = names.size() == 1 ? names.get(0) : "";
        return only.contains(";")
                ? "; use --separator ';'"
                : only.contains("\t") ? "; use --separator tab" : only.contains("|") ? "; use --separator '|'" : "";
    }

    boolean has(Field field) {
        return places.containsKey(field);
    }

    @Nullable
    Unit unit(Field field) {
        return units.get(field);
    }

    /** Returns what a row has of a field; empty where it has nothing. */
    String of(List<String> row, Field field) {
        Integer place = places.get(field);
        return place == null ? "" : CsvField.textOf(row.get(place).strip());
    }

    int count() {
        return names.size();
    }

    /** Returns the places of columns that are nothing of the above and have a unit, as metrics of calls do. */
    List<Integer> metrics() {
        List<Integer> metrics = new ArrayList<>();
        for (int i = 0; i < names.size(); i++) {
            if (!places.containsValue(i) && names.get(i).matches(".+ \\(.+\\)")) {
                metrics.add(i);
            }
        }
        return metrics;
    }

    String name(int place) {
        return names.get(place);
    }
}
