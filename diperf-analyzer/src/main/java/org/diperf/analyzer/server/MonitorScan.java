package org.diperf.analyzer.server;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.Observations;
import org.diperf.core.sample.SampleReader;

/**
 * Reads the samples of monitors: blocks whose tester is a monitor's number and whose times are on the controller's clock.
 * Metrics are words {@code gauge NAME [UNIT]} or {@code rate NAME [UNIT]}. Confined to one thread.
 */
public final class MonitorScan implements SampleReader.Visitor {

    /** Folder of the samples in a run directory. */
    public static final String FOLDER = "monitors";

    private static final String RATE = "rate ";
    private static final int MOST_TRACKS = 2_000;

    private final long start;
    private final TimeAxis frame;
    private final Map<Integer, MonitorRecord> monitors = new HashMap<>();
    private final Map<Integer, Map<String, MonitoredMetricTally>> tracks = new TreeMap<>();
    private final Map<Integer, LogTally> logs = new TreeMap<>();
    private final Set<Long> seen = new HashSet<>();
    private final Observations observations = new Observations();
    private final Calls calls = new Calls();
    private int count;
    private int damaged;

    private MonitorScan(RunRecord run, TimeAxis frame) {
        this.start = run.startNanos();
        this.frame = frame;
        List<MonitorRecord> records = run.monitors();
        for (MonitorRecord record : records == null ? List.<MonitorRecord>of() : records) {
            monitors.put(record.number(), record);
        }
    }

    /** Reads what the monitors of a run saw. */
    public static ServerView read(Path runDir, RunRecord run, TimeAxis frame) throws IOException {
        Path folder = runDir.resolve(FOLDER);
        if (run.monitors() == null || !Files.isDirectory(folder)) {
            return ServerView.NONE;
        }
        MonitorScan scan = new MonitorScan(run, frame);
        SampleReader.read(folder, scan);
        return scan.view();
    }

    @Override
    public void block(Block header, ByteBuffer data) throws IOException {
        MonitorRecord monitor = monitors.get(header.tester());
        if (monitor == null || !seen.add(((long) header.tester() << 40) + header.number())) {
            return;
        }
        if (header.kind() == Block.OBSERVATIONS) {
            observations.decode(data, header);
            for (int row = 0; row < observations.rows(); row++) {
                observe(monitor, row);
            }
        } else if (header.kind() == Block.CALLS) {
            calls.decode(data, header);
            LogTally log = logs.computeIfAbsent(monitor.number(), number -> new LogTally(frame));
            for (int row = 0; row < calls.rows(); row++) {
                long took = calls.latencyNanos(row);
                long end = calls.intendedNanos(row) + took - start;
                log.add(end, calls.client(row) == 0 ? took : -1, calls.outcome(row), calls.bytes(row));
            }
        }
    }

    private void observe(MonitorRecord monitor, int row) {
        String word = observations.metric(row);
        Map<String, MonitoredMetricTally> of =
                tracks.computeIfAbsent(monitor.number(), number -> new LinkedHashMap<>());
        MonitoredMetricTally tally = of.get(word);
        if (tally == null) {
            if (count == MOST_TRACKS) {
                return;
            }
            count++;
            tally = new MonitoredMetricTally(word.startsWith(RATE), frame);
            of.put(word, tally);
        }
        tally.add(observations.timeNanos(row) - start, observations.value(row));
    }

    @Override
    public void damaged(Path file, long offset, String reason) {
        damaged++;
    }

    private ServerView view() {
        List<MonitoredMetric> found = new ArrayList<>();
        tracks.forEach((number, of) -> {
            MonitorRecord monitor = monitors.get(number);
            of.forEach((word, tally) -> {
                int bracket = word.lastIndexOf(" [");
                int begin = word.indexOf(' ') + 1;
                if (monitor != null && begin > 0 && bracket > begin) {
                    found.add(tally.track(
                            monitor.name(),
                            word.substring(begin, bracket),
                            word.substring(bracket + 2, word.length() - 1)));
                }
            });
        });
        List<LogView> views = new ArrayList<>();
        logs.forEach((number, log) -> {
            MonitorRecord monitor = monitors.get(number);
            if (monitor != null) {
                views.add(log.view(monitor.name()));
            }
        });
        List<String> warnings = new ArrayList<>();
        if (damaged > 0) {
            warnings.add("samples of monitors are damaged in " + damaged + " places and were passed over");
        }
        return new ServerView(found, views, Map.of(), List.of(), warnings);
    }
}
