package org.diperf.analyzer.result;

import java.util.Map;
import org.diperf.core.run.AnnexRecord;
import org.diperf.core.spi.Annex;
import org.jspecify.annotations.Nullable;

/**
 * An annex of a run, with the numbers that only the analysis finds.
 *
 * @param left what was left in the run's folder
 * @param numbers all that are known, by the names that its texts have for them
 */
public record ShownAnnex(AnnexRecord left, Map<String, AnnexNumber> numbers) {

    /** A number with its unit. */
    public record AnnexNumber(double value, String unit) {}

    public ShownAnnex {
        numbers = Map.copyOf(numbers);
    }

    public Annex annex() {
        return left.annex();
    }

    /**
     * Names a cell of a table.
     *
     * @param row from 0
     */
    public static String path(Annex.Table table, int row, Annex.Column column) {
        return table.name() + "." + (row + 1) + "." + column.name();
    }

    /**
     * Returns what is in a cell of a table: a text, a number, or {@code null} where it is not known.
     *
     * @param row from 0
     */
    public @Nullable Object value(Annex.Table table, int row, int column) {
        String text = table.rows().get(row).get(column).text();
        AnnexNumber number = numbers.get(path(table, row, table.columns().get(column)));
        return text != null ? text : number == null ? null : (Object) number.value();
    }
}
