package org.diperf.analyzer.imports;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.zip.ZipException;
import org.diperf.analyzer.run.RunFiles;
import org.diperf.analyzer.run.RunJson;
import org.diperf.analyzer.text.Numbers;
import org.diperf.core.run.OriginRecord;
import org.diperf.core.run.ReportRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.run.RunRecord.MetricRecord;
import org.diperf.core.run.StageRecord;
import org.diperf.core.run.TesterRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Outcome;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.SampleWriter;

/**
 * Makes a run directory of a CSV file of calls. Reads the file once; memory grows with the names in it (clients, kinds of
 * request, targets), not with its calls.
 */
public final class RunImport {

    private static final int BLOCK_ROWS = 4_096;
    /** Testers beyond these have shorter blocks, so that memory does not grow much with them. */
    private static final int MANY_TESTERS = 64;

    private static final int SHORT_BLOCK_ROWS = 256;
    private static final int PROGRESS_ROWS = 1 << 14;
    private static final long FILE_BYTES = 1L << 30;
    private static final int MAX_NAMED = 10;
    private static final long SECOND = 1_000_000_000;

    private final Columns columns;
    private final Row row;
    private final TreeMap<Integer, CallWriter> writers = new TreeMap<>();
    private final TreeMap<Integer, Long> blocks = new TreeMap<>();
    private final TreeMap<Integer, Long> sent = new TreeMap<>();
    private final List<String> named = new ArrayList<>();
    private final List<MetricRecord> metrics;
    private long bad;
    private long good;
    private long first = Long.MAX_VALUE;
    private long last = Long.MIN_VALUE;

    /**
     * What became of a file.
     *
     * @param calls that were read
     * @param bad rows that could not be
     * @param named some of these, with their lines and reasons
     */
    public record Imported(long calls, long bad, List<String> named) {}

    /** Takes notice of how far the import is. */
    public interface Progress {

        /**
         * Comes every some thousand rows.
         *
         * @param rows read so far
         * @param bytes of the file read so far
         * @param of the length of the file
         */
        void at(long rows, long bytes, long of);
    }

    private RunImport(Columns columns) {
        this.columns = columns;
        this.row = new Row(columns);
        this.metrics = columns.metrics().stream()
                .map(place -> metric(columns.name(place)))
                .toList();
    }

    private static MetricRecord metric(String column) {
        int unit = column.lastIndexOf(" (");
        return new MetricRecord(column.substring(0, unit), column.substring(unit + 2, column.length() - 1));
    }

    /**
     * Imports a file.
     *
     * @param to an empty folder; it is left empty when the file cannot be imported
     * @param name of the experiment
     * @param version of DiPerF
     * @throws IOException when the file has no usable header or no usable row, or cannot be read
     */
    public static Imported read(Path file, Layout layout, Path to, String name, String version, Progress progress)
            throws IOException {
        try (CsvReader reader = new CsvReader(file, layout.separator())) {
            return read(file, reader, layout, to, name, version, progress);
        } catch (EOFException | ZipException e) {
            clear(to);
            throw new IOException(
                    file + ": expected a complete gzip file, got a truncated or damaged one (" + e.getMessage()
                            + "); gzip -dc extracts what is there",
                    e);
        } catch (IOException e) {
            clear(to);
            throw e;
        }
    }

    private static Imported read(
            Path file, CsvReader reader, Layout layout, Path to, String name, String version, Progress progress)
            throws IOException {
        List<String> fields = reader.next();
        if (fields == null) {
            throw new IOException(file + ": expected a CSV file with a header, got an empty one");
        }
        if (fields.get(0).startsWith("<?xml")) {
            throw new IOException(file + ": expected a CSV file, got XML; JMeter writes CSV with"
                    + " -Jjmeter.save.saveservice.output_format=csv");
        }
        RunImport read = new RunImport(columns(file, fields, layout));
        fields = layout.header() ? reader.next() : fields;
        try (SampleWriter samples = new SampleWriter(to.resolve(RunFiles.SAMPLES), FILE_BYTES)) {
            while (fields != null) {
                read.add(fields, reader, samples);
                if ((read.good + read.bad) % PROGRESS_ROWS == 0) {
                    progress.at(
                            read.good + read.bad,
                            reader.file().done(),
                            reader.file().length());
                }
                fields = reader.next();
            }
            for (Map.Entry<Integer, CallWriter> writer : read.writers.entrySet()) {
                read.flush(writer.getKey(), writer.getValue(), samples);
            }
        }
        if (read.good == 0) {
            throw new IOException(file + ": expected rows with calls, got none that can be read"
                    + (read.named.isEmpty() ? "" : "; " + read.named.get(0)));
        }
        RunJson.write(to.resolve(RunFiles.RUN), read.record(file, name, version));
        return new Imported(read.good, read.bad, List.copyOf(read.named));
    }

    /** Removes the samples of an import that came to nothing. */
    private static void clear(Path to) throws IOException {
        Path samples = to.resolve(RunFiles.SAMPLES);
        if (Files.isDirectory(samples)) {
            for (Path sample : SampleReader.files(samples)) {
                Files.delete(sample);
            }
            Files.delete(samples);
        }
    }

    private static Columns columns(Path file, List<String> first, Layout layout) throws IOException {
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

    private void add(List<String> fields, CsvReader reader, SampleWriter samples) throws IOException {
        try {
            if (reader.isUnended()) {
                throw new IllegalArgumentException("expected a closing quote, got the end of the file");
            }
            row.read(fields);
        } catch (IllegalArgumentException e) {
            bad++;
            if (named.size() < MAX_NAMED) {
                named.add("line " + reader.rowLine() + ": " + e.getMessage());
            }
            return;
        }
        good++;
        first = Math.min(first, row.startNanos());
        last = Math.max(last, row.intendedNanos() + row.latencyNanos());
        CallWriter writer =
                writers.computeIfAbsent(row.tester(), tester -> new CallWriter(tester, blockRows(), metrics.size()));
        if (writer.isFull()) {
            flush(row.tester(), writer, samples);
        }
        writer.add(row);
        sent.merge(row.tester(), row.outcome().equals(Outcome.DROPPED) ? 0L : 1L, Long::sum);
    }

    private int blockRows() {
        return writers.size() < MANY_TESTERS ? BLOCK_ROWS : SHORT_BLOCK_ROWS;
    }

    private void flush(int tester, CallWriter writer, SampleWriter samples) throws IOException {
        if (writer.rows() > 0) {
            ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(block, blocks.merge(tester, 1L, Long::sum));
            samples.append(block.flip());
        }
    }

    private RunRecord record(Path file, String name, String version) {
        List<Warning> warnings = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        if (!columns.has(Field.LAG)) {
            absent.add(OriginRecord.SEND_LAG);
        }
        if (!columns.has(Field.BYTES)) {
            absent.add(OriginRecord.BYTES);
        }
        warnings.add(Warning.note(
                Subject.RUN,
                "imported from " + file.getFileName() + ": the intended load is not known"
                        + (columns.has(Field.LAG) ? "" : ", nor when calls were due, so send lag is absent")
                        + "; times are from the clock of the machine that wrote them"));
        if (bad > 0) {
            warnings.add(Warning.note(
                    Subject.SAMPLES,
                    Numbers.count(bad, "row") + " of the file could not be read; the first: " + named.get(0)));
        }
        List<TesterRecord> testers = sent.entrySet().stream()
                .map(tester -> new TesterRecord(
                        tester.getKey(),
                        row.testerName(tester.getKey()),
                        true,
                        null,
                        null,
                        first,
                        tester.getValue(),
                        0,
                        0,
                        0,
                        Map.of(),
                        Map.of()))
                .toList();
        StageRecord stage = new StageRecord(0, 0, last - first, null, null, null);
        return new RunRecord(
                RunRecord.FORMAT,
                name,
                Map.of(),
                0,
                version,
                Instant.ofEpochSecond(Math.floorDiv(first, SECOND), Math.floorMod(first, SECOND))
                        .toString(),
                first,
                last,
                End.COMPLETE,
                "import",
                null,
                metrics,
                row.requests(),
                null,
                row.targets(),
                List.of(stage),
                testers,
                new MeasureRecord("whole", 0, 0, 0),
                List.of(),
                new ReportRecord(SECOND, 60 * SECOND, 0, false),
                Map.of(),
                List.of(),
                warnings,
                null,
                List.of(),
                null,
                null,
                new OriginRecord(OriginRecord.IMPORTED, file.getFileName().toString(), absent, Map.of()),
                null,
                null,
                null);
    }
}
