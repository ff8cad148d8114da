package org.diperf.analyzer.imports;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.Analyzer;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.RunRecord.End;
import org.diperf.core.run.RunRecord.MeasureRecord;
import org.diperf.core.run.RunRecord.MetricRecord;
import org.diperf.core.run.RunRecord.OriginRecord;
import org.diperf.core.run.RunRecord.ReportRecord;
import org.diperf.core.run.RunRecord.StageRecord;
import org.diperf.core.run.RunRecord.TesterRecord;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Outcome;
import org.diperf.core.sample.SampleWriter;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/**
 * Makes a run directory of a CSV file of calls. Reads the file once; memory grows with the names in it (clients, kinds of
 * request, targets), not with its calls.
 */
public final class RunImport {

    private static final int BLOCK_ROWS = 4_096;
    private static final long FILE_BYTES = 1L << 30;
    private static final int MOST_NAMED = 10;
    private static final long SECOND = 1_000_000_000;
    private static final JsonMapper JSON =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

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
     * @param told which columns say what, by the words of {@code --columns}
     * @param to an empty folder
     * @param name of the experiment
     * @param version of DiPerF
     * @throws IOException when the file has no usable header or no usable row, or cannot be read
     */
    public static Imported read(Path file, Map<String, String> told, Path to, String name, String version)
            throws IOException {
        try (CsvReader reader = new CsvReader(file)) {
            List<String> header = reader.next();
            if (header == null) {
                throw new IOException(file + ": wanted a CSV file with a header, found an empty one");
            }
            RunImport read = new RunImport(columns(file, header, told));
            try (SampleWriter samples = new SampleWriter(to.resolve(Analyzer.SAMPLES_FOLDER), FILE_BYTES)) {
                for (List<String> fields = reader.next(); fields != null; fields = reader.next()) {
                    read.add(fields, reader.rowLine(), samples);
                }
                for (Map.Entry<Integer, CallWriter> writer : read.writers.entrySet()) {
                    read.flush(writer.getKey(), writer.getValue(), samples);
                }
            }
            if (read.good == 0) {
                throw new IOException(file + ": wanted rows with calls, found none that can be read"
                        + (read.named.isEmpty() ? "" : "; " + read.named.get(0)));
            }
            Files.write(to.resolve(Analyzer.RUN_FILE), JSON.writeValueAsBytes(read.record(file, name, version)));
            return new Imported(read.good, read.bad, List.copyOf(read.named));
        }
    }

    private static Columns columns(Path file, List<String> header, Map<String, String> told) throws IOException {
        try {
            return new Columns(header, told);
        } catch (IOException e) {
            throw new IOException(file + ": " + e.getMessage(), e);
        }
    }

    private void add(List<String> fields, long line, SampleWriter samples) throws IOException {
        try {
            row.read(fields);
        } catch (IllegalArgumentException e) {
            bad++;
            if (named.size() < MOST_NAMED) {
                named.add("line " + line + ": " + e.getMessage());
            }
            return;
        }
        good++;
        first = Math.min(first, row.startNanos());
        last = Math.max(last, row.intendedNanos() + row.latencyNanos());
        CallWriter writer =
                writers.computeIfAbsent(row.tester(), tester -> new CallWriter(tester, BLOCK_ROWS, metrics.size()));
        if (writer.isFull()) {
            flush(row.tester(), writer, samples);
        }
        writer.add(
                0,
                row.client(),
                row.request(),
                row.target(),
                row.intendedNanos(),
                row.lagNanos(),
                row.latencyNanos(),
                row.outcome(),
                row.bytes(),
                row.first());
        for (int i = 0; i < metrics.size(); i++) {
            writer.metric(i, row.metric(i));
        }
        sent.merge(row.tester(), row.outcome().equals(Outcome.DROPPED) ? 0L : 1L, Long::sum);
    }

    private void flush(int tester, CallWriter writer, SampleWriter samples) throws IOException {
        if (writer.rows() > 0) {
            ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(block, blocks.merge(tester, 1L, Long::sum));
            samples.append(block.flip());
        }
    }

    private RunRecord record(Path file, String name, String version) {
        List<String> warnings = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        if (!columns.has(Field.LAG)) {
            absent.add(OriginRecord.SEND_LAG);
        }
        if (!columns.has(Field.BYTES)) {
            absent.add(OriginRecord.BYTES);
        }
        warnings.add("imported from " + file.getFileName() + ": what the load was to be is not known"
                + (columns.has(Field.LAG) ? "" : ", nor when calls were due, so that send lag is absent")
                + "; instants are by the clock of whoever wrote them");
        if (bad > 0) {
            warnings.add(bad + " rows of the file could not be read, first " + named.get(0));
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
        StageRecord stage = new StageRecord(
                0, "open", 0, last - first, null, null, null, null, null, null, null, null, Math.max(1, last - first));
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
                metrics,
                row.requests(),
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
                new OriginRecord(OriginRecord.IMPORTED, file.getFileName().toString(), absent, Map.of()));
    }
}
