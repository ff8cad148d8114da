package org.diperf.analyzer.grid;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.diperf.core.run.GridRecord;
import org.diperf.core.run.GridRecord.AxisRecord;
import org.diperf.core.run.GridRecord.RunEntry;
import org.diperf.core.run.GridRecord.State;
import org.diperf.core.run.GridRecord.TrialsRecord;
import tools.jackson.databind.json.JsonMapper;

/** Makes folders of grids whose runs have known numbers. */
public final class GridFixture {

    private final Path folder;
    private final List<AxisRecord> axes = new ArrayList<>();
    private final Map<String, Map<String, Object>> variants = new LinkedHashMap<>();
    private final List<RunEntry> runs = new ArrayList<>();
    private int trials = 1;
    private String load = "{\"model\":\"closed\",\"clients\":4}";

    public GridFixture(Path folder) {
        this.folder = folder;
    }

    public GridFixture axis(String path, String name, Object... values) {
        axes.add(new AxisRecord(path, name, List.of(values)));
        return this;
    }

    public GridFixture variant(String name, Map<String, Object> sets) {
        variants.put(name, sets);
        return this;
    }

    /** Has the runs that are added from now on offer so many calls a second. */
    public GridFixture offering(double rate) {
        load = String.format(Locale.ROOT, "{\"model\":\"open\",\"rate\":%f}", rate);
        return this;
    }

    /** Adds a run with a summary of which everything that is compared is given. */
    public GridFixture run(Map<String, Object> set, int trial, Numbers numbers) throws IOException {
        RunEntry entry = entry(set, trial, State.DONE, null);
        Path run = Files.createDirectories(folder.resolve(entry.dir()));
        Files.writeString(run.resolve("summary.json"), numbers.json(load));
        Files.writeString(run.resolve("report.html"), "<p>of the run</p>");
        return this;
    }

    public GridFixture run(Map<String, Object> set, int trial, double throughput, double p50) throws IOException {
        return run(set, trial, new Numbers(throughput, p50, p50 * 4, 0, 0, "valid", ""));
    }

    public GridFixture failed(Map<String, Object> set, int trial, String problem) {
        entry(set, trial, State.FAILED, problem);
        return this;
    }

    private RunEntry entry(Map<String, Object> set, int trial, State state, String problem) {
        int number = runs.size() + 1;
        trials = Math.max(trials, trial);
        RunEntry entry =
                new RunEntry(number, String.format(Locale.ROOT, "runs/%03d", number), set, trial, state, problem);
        runs.add(entry);
        return entry;
    }

    public GridRecord record() {
        return new GridRecord(
                GridRecord.FORMAT,
                "orders",
                Map.of("build", "1a2b"),
                42,
                "test",
                "2026-11-21T10:00:00.123Z",
                axes,
                variants,
                new TrialsRecord(trials, "interleaved", 0),
                "shuffled",
                0,
                runs);
    }

    /** Writes {@code grid.json} and analyses what is there. */
    public GridAnalysis analysis() throws IOException {
        Files.write(
                folder.resolve(GridRecord.FILE), JsonMapper.builder().build().writeValueAsBytes(record()));
        return GridAnalyzer.analyze(GridAnalyzer.read(folder), folder);
    }

    /**
     * The numbers of one run of 10 s.
     *
     * @param levels a list of stages, as JSON without its brackets
     * @param saturation as JSON; empty: none
     */
    public record Numbers(
            double throughput,
            double p50,
            double p99,
            long failed,
            long bytes,
            String verdict,
            String levels,
            String saturation) {

        public Numbers(
                double throughput, double p50, double p99, long failed, long bytes, String verdict, String levels) {
            this(throughput, p50, p99, failed, bytes, verdict, levels, "");
        }

        String json(String load) {
            long ok = Math.round(throughput * 10);
            String calls = String.format(
                    Locale.ROOT,
                    "{\"total\":%d,\"ok\":%d,\"failed\":%d,\"bytes\":%d,\"outcomes\":{}}",
                    ok + failed,
                    ok,
                    failed,
                    bytes);
            String times = String.format(
                    Locale.ROOT,
                    "{\"count\":%d,\"min\":0.1,\"mean\":%f,\"stddev\":1,\"p50\":%f,\"p90\":%f,\"p95\":%f,\"p99\":%f,"
                            + "\"p999\":%f,\"max\":%f}",
                    ok,
                    p50,
                    p50,
                    (p50 + p99) / 2,
                    (p50 + p99) / 2,
                    p99,
                    2 * p99,
                    2 * p99);
            return String.format(
                    Locale.ROOT,
                    "{\"format\":\"diperf-summary/1\",\"experiment\":\"orders\",\"durationSeconds\":12,\"target\":[],"
                            + "\"load\":%s,\"calls\":%s,\"measured\":{"
                            + "\"fromSeconds\":1,\"toSeconds\":11,\"calls\":%s,\"throughput\":{\"mean\":%f},"
                            + "\"responseTime\":%s},\"fairness\":{\"jain\":0.99},\"thresholds\":[],\"verdict\":\"%s\","
                            + "%s\"warnings\":[],\"labels\":{}}",
                    load,
                    calls,
                    calls,
                    throughput,
                    times,
                    verdict,
                    (levels.isEmpty() ? "" : "\"stages\":[" + levels + "],")
                            + (saturation.isEmpty() ? "" : "\"saturation\":" + saturation + ","));
        }
    }
}
