package org.diperf.analyzer.measure;

import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.diperf.core.csv.CsvField;
import org.diperf.core.folder.AtomicFile;
import org.jspecify.annotations.Nullable;

/**
 * What one kind of rows says, declared once for CSV files, terminals and reports. CSV is that of RFC 4180 with line feeds; what
 * was not measured is empty.
 *
 * @param <T> what is one row
 */
public final class Table<T> {

    private static final int DECIMALS = 9;

    private final List<Column<T>> inFiles;
    private final List<Column.Shown<T>> shown;

    private Table(List<Column<T>> columns) {
        this.inFiles =
                columns.stream().filter(column -> !column.name().isEmpty()).toList();
        this.shown =
                columns.stream().map(Column::shown).filter(Objects::nonNull).toList();
    }

    /** Makes a table of columns, in the order in which people see them. */
    @SafeVarargs
    public static <T> Table<T> of(List<Column<T>>... columns) {
        List<Column<T>> all = new ArrayList<>();
        for (List<Column<T>> some : columns) {
            all.addAll(some);
        }
        return new Table<>(all);
    }

    /** Writes a file; one of this name is replaced. */
    public void write(Iterable<T> rows, Path file) throws IOException {
        AtomicFile.write(file, bytes -> {
            Writer out = new OutputStreamWriter(bytes, StandardCharsets.UTF_8);
            line(out, inFiles.stream().map(Column::name).toArray());
            Object[] values = new Object[inFiles.size()];
            for (T row : rows) {
                for (int i = 0; i < values.length; i++) {
                    values[i] = inFiles.get(i).value().apply(row);
                }
                line(out, values);
            }
            out.flush();
        });
    }

    private static void line(Writer out, @Nullable Object[] values) throws IOException {
        for (int i = 0; i < values.length; i++) {
            if (i > 0) {
                out.write(',');
            }
            out.write(field(values[i]));
        }
        out.write('\n');
    }

    /** Writes a field; of numbers without the rounding of binary fractions, as {@code summary.json} does. */
    static String field(@Nullable Object value) {
        if (value == null) {
            return "";
        }
        if (value instanceof Double number) {
            return Double.isFinite(number)
                    ? BigDecimal.valueOf(number)
                            .setScale(DECIMALS, RoundingMode.HALF_EVEN)
                            .stripTrailingZeros()
                            .toPlainString()
                    : "";
        }
        return value instanceof Number ? value.toString() : CsvField.of(value.toString());
    }

    /** Returns the headings that people see. */
    public List<String> headings() {
        return shown.stream().map(Column.Shown::heading).toList();
    }

    /** Returns the cells that people see, row by row. */
    public List<List<String>> cells(Collection<? extends T> rows) {
        return rows.stream()
                .map(row ->
                        shown.stream().map(column -> column.cell().apply(row)).toList())
                .toList();
    }
}
