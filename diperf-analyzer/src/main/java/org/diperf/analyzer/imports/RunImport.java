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
import org.diperf.core.sample.CallData;
import org.diperf.core.sample.CallWriter;
import org.diperf.core.sample.Outcome;
import org.diperf.core.sample.SampleReader;
import org.diperf.core.sample.SampleWriter;
import org.diperf.core.spi.ImportedCall;
import org.diperf.core.spi.ImportedCalls;

/**
 * Makes a run directory of calls that another program measured. Reads them once; memory grows with the testers among them, not
 * with the calls.
 */
public final class RunImport implements ImportedCalls.Sink {

    private static final int BLOCK_ROWS = 4_096;
    /** Testers beyond these have shorter blocks, so that memory does not grow much with them. */
    private static final int MANY_TESTERS = 64;

    private static final int SHORT_BLOCK_ROWS = 256;
    private static final int PROGRESS_ROWS = 1 << 14;
    private static final long FILE_BYTES = 1L << 30;
    private static final int MAX_NAMED = 10;
    private static final long SECOND = 1_000_000_000;

    private final Path file;
    private final ImportedCalls calls;
    private final SampleWriter samples;
    private final Progress progress;
    private final long length;
    private final CallData row = new CallData();
    private final TreeMap<Integer, CallWriter> writers = new TreeMap<>();
    private final TreeMap<Integer, Long> blocks = new TreeMap<>();
    private final TreeMap<Integer, Long> sent = new TreeMap<>();
    private final List<String> named = new ArrayList<>();
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

    private RunImport(Path file, ImportedCalls calls, SampleWriter samples, Progress progress) throws IOException {
        this.file = file;
        this.calls = calls;
        this.samples = samples;
        this.progress = progress;
        this.length = Files.size(file);
    }

    /**
     * Imports a file.
     *
     * @param calls in it
     * @param to an empty folder; it is left empty when the file cannot be imported
     * @param name of the experiment
     * @param version of DiPerF
     * @throws IOException when the file has no usable row, or cannot be read
     */
    public static Imported read(Path file, ImportedCalls calls, Path to, String name, String version, Progress progress)
            throws IOException {
        try (SampleWriter samples = new SampleWriter(to.resolve(RunFiles.SAMPLES), FILE_BYTES)) {
            RunImport read = new RunImport(file, calls, samples, progress);
            calls.read(read);
            for (Map.Entry<Integer, CallWriter> writer : read.writers.entrySet()) {
                read.flush(writer.getKey(), writer.getValue());
            }
            if (read.good == 0) {
                throw new IOException(file + ": expected rows with calls, got no readable ones"
                        + (read.named.isEmpty() ? "" : "; " + read.named.get(0)));
            }
            RunJson.write(to.resolve(RunFiles.RUN), read.record(name, version));
            return new Imported(read.good, read.bad, List.copyOf(read.named));
        } catch (IOException e) {
            clear(to);
            throw e;
        }
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

    @Override
    public void add(ImportedCall call) throws IOException {
        int tester = call.tester();
        CallWriter writer = writers.computeIfAbsent(
                tester,
                number -> new CallWriter(number, blockRows(), calls.metrics().size()));
        if (writer.isFull()) {
            flush(tester, writer);
        }
        String outcome = call.isCause() || call.outcome().length() > Outcome.MAX_LENGTH
                ? Outcome.ofFailure(call.outcome())
                : call.outcome();
        writer.add(row.of(0, call.client(), call.request(), call.target())
                .times(call.intendedNanos(), call.lagNanos(), call.responseNanos())
                .ended(outcome, call.bytes())
                .measured(call.isFirst(), call.metrics()));
        sent.merge(tester, outcome.equals(Outcome.DROPPED) ? 0L : 1L, Long::sum);
        first = Math.min(first, call.runStartNanos());
        last = Math.max(last, call.intendedNanos() + call.responseNanos());
        good++;
        tell();
    }

    @Override
    public void skip(String reason) {
        if (named.size() < MAX_NAMED) {
            named.add(reason);
        }
        bad++;
        tell();
    }

    private void tell() {
        if ((good + bad) % PROGRESS_ROWS == 0) {
            progress.at(good + bad, calls.bytesRead(), length);
        }
    }

    private int blockRows() {
        return writers.size() < MANY_TESTERS ? BLOCK_ROWS : SHORT_BLOCK_ROWS;
    }

    private void flush(int tester, CallWriter writer) throws IOException {
        if (writer.rows() > 0) {
            ByteBuffer block = ByteBuffer.allocate(writer.maxEncodedLength());
            writer.encode(block, blocks.merge(tester, 1L, Long::sum));
            samples.append(block.flip());
        }
    }

    private RunRecord record(String name, String version) {
        List<Warning> warnings = new ArrayList<>();
        List<String> absent = new ArrayList<>();
        if (!calls.hasLag()) {
            absent.add(OriginRecord.SEND_LAG);
        }
        if (!calls.hasBytes()) {
            absent.add(OriginRecord.BYTES);
        }
        warnings.add(Warning.note(
                Subject.RUN,
                "imported from " + file.getFileName() + ": the intended load is not known"
                        + (calls.hasLag() ? "" : ", nor when calls were due, so send lag is absent")
                        + "; times are from the clock of the machine that wrote them"));
        if (bad > 0) {
            warnings.add(Warning.note(
                    Subject.SAMPLES,
                    Numbers.count(bad, "row") + " of the file could not be read; the first: " + named.get(0)));
        }
        List<TesterRecord> testers = sent.entrySet().stream()
                .map(tester -> new TesterRecord(
                        tester.getKey(),
                        calls.tester(tester.getKey()),
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
                calls.metrics().stream()
                        .map(metric -> new MetricRecord(metric.name(), metric.unit()))
                        .toList(),
                calls.requests(),
                null,
                calls.targets(),
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
                null,
                null);
    }
}
