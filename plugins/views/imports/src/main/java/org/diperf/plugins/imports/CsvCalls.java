package org.diperf.plugins.imports;

import static java.util.Objects.requireNonNull;

import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.ZipException;
import org.diperf.core.spi.ExportedRun.ExportedMetric;
import org.diperf.core.spi.ImportedCalls;
import org.jspecify.annotations.Nullable;

/**
 * The calls of a CSV file. Memory grows with the names in it (clients, kinds of request, targets), not with its calls. Confined
 * to one thread.
 */
final class CsvCalls implements ImportedCalls {

    private final Path file;
    private final Layout layout;
    /** {@code null}: nothing has been read. */
    private @Nullable Columns columns;

    private @Nullable Row row;
    private @Nullable CountingInputStream bytes;

    CsvCalls(Path file, Layout layout) {
        this.file = file;
        this.layout = layout;
    }

    /** @throws IOException when the file has no usable header, or cannot be read */
    @Override
    public void read(Sink to) throws IOException {
        try (CsvReader reader = new CsvReader(file, layout.separator())) {
            bytes = reader.file();
            read(reader, to);
        } catch (EOFException | ZipException e) {
            throw new IOException(
                    file + ": expected a complete gzip file, got a truncated or damaged one (" + e.getMessage()
                            + "); gzip -dc extracts what can be recovered",
                    e);
        }
    }

    private void read(CsvReader reader, Sink to) throws IOException {
        List<String> fields = reader.next();
        if (fields == null) {
            throw new IOException(file + ": expected a CSV file with a header, got an empty one");
        }
        if (fields.get(0).startsWith("<?xml")) {
            throw new IOException(file + ": expected a CSV file, got XML; JMeter writes CSV with"
                    + " -Jjmeter.save.saveservice.output_format=csv");
        }
        columns = columns(fields);
        Row current = new Row(columns);
        row = current;
        fields = layout.header() ? reader.next() : fields;
        while (fields != null) {
            String problem = reader.isUnended() ? "expected a closing quote, got the end of the file" : "";
            try {
                if (problem.isEmpty()) {
                    current.read(fields);
                }
            } catch (IllegalArgumentException e) {
                problem = String.valueOf(e.getMessage());
            }
            if (problem.isEmpty()) {
                to.add(current);
            } else {
                to.skip("line " + reader.rowLine() + ": " + problem);
            }
            fields = reader.next();
        }
    }

    private Columns columns(List<String> first) throws IOException {
        List<String> names = layout.header()
                ? first
                : IntStream.rangeClosed(1, first.size())
                        .mapToObj(String::valueOf)
                        .toList();
        try {
            return new Columns(names, layout.columns());
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private Columns columns() {
        return requireNonNull(columns, "nothing has been read");
    }

    private Row row() {
        return requireNonNull(row, "nothing has been read");
    }

    @Override
    public List<ExportedMetric> metrics() {
        return columns().metrics().stream()
                .map(place -> metric(columns().name(place)))
                .toList();
    }

    private static ExportedMetric metric(String column) {
        int unit = column.lastIndexOf(" (");
        return new ExportedMetric(column.substring(0, unit), column.substring(unit + 2, column.length() - 1));
    }

    @Override
    public boolean hasLag() {
        return columns().has(Field.LAG);
    }

    @Override
    public boolean hasBytes() {
        return columns().has(Field.BYTES);
    }

    @Override
    public long bytesRead() {
        return requireNonNull(bytes, "nothing has been read").done();
    }

    @Override
    public List<String> requests() {
        return row().requests();
    }

    @Override
    public List<String> targets() {
        return row().targets();
    }

    @Override
    public String tester(int number) {
        return row().testerName(number);
    }
}
