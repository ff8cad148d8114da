package org.diperf.analyzer.text;

import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.diperf.analyzer.result.ShownAnnex;
import org.diperf.analyzer.result.ShownAnnex.AnnexNumber;
import org.diperf.core.spi.Annex;
import org.jspecify.annotations.Nullable;

/** Writes the texts and numbers of annexes. */
public final class AnnexText {

    private static final Pattern NUMBER = Pattern.compile("\\$\\{([A-Za-z][A-Za-z0-9.-]*)\\}");
    private static final String[] RATES = {"bit/s", "kbit/s", "Mbit/s", "Gbit/s"};

    private AnnexText() {}

    /** Returns a text with its numbers filled in, fit for one line. */
    public static String filled(ShownAnnex of, String text) {
        return RunText.clean(NUMBER.matcher(text)
                .replaceAll(
                        found -> Matcher.quoteReplacement(number(of.numbers().get(found.group(1))))));
    }

    /** Returns the facts: names and texts. */
    public static List<List<String>> facts(ShownAnnex of) {
        return of.annex().facts().stream()
                .map(fact -> List.of(RunText.clean(fact.name()), filled(of, fact.text())))
                .toList();
    }

    /** Returns the cells of a table, row by row. */
    public static List<List<String>> rows(ShownAnnex of, Annex.Table table) {
        List<Annex.Column> columns = table.columns();
        return IntStream.range(0, table.rows().size())
                .mapToObj(row -> IntStream.range(0, columns.size())
                        .mapToObj(column -> {
                            String text = table.rows().get(row).get(column).text();
                            return text == null
                                    ? number(of.numbers().get(ShownAnnex.path(table, row, columns.get(column))))
                                    : RunText.clean(text);
                        })
                        .toList())
                .toList();
    }

    private static String number(@Nullable AnnexNumber number) {
        if (number == null) {
            return Numbers.NONE;
        }
        double value = number.value();
        return switch (number.unit()) {
            case "ms" -> Numbers.time(value);
            case "bytes" -> Numbers.bytes(value);
            case "bit/s" -> rate(value);
            case "percent" -> percent(value) + " %";
            default -> Numbers.level(value);
        };
    }

    private static String percent(double value) {
        return value > 0 && value < 0.05
                ? "< 0.1"
                : value == 0 || value >= 9.95
                        ? String.valueOf(Math.round(value))
                        : String.format(Locale.ROOT, "%.1f", value);
    }

    private static String rate(double bitsPerSecond) {
        int unit = 0;
        double value = bitsPerSecond;
        while (value >= 999.5 && unit < RATES.length - 1) {
            value /= 1000;
            unit++;
        }
        return Numbers.level(value) + " " + RATES[unit];
    }
}
