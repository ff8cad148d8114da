package org.diperf.analyzer.monitors;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.diperf.analyzer.run.PlausibilityCheck;
import org.diperf.analyzer.run.RunReader;
import org.diperf.analyzer.run.TesterBlocks;
import org.diperf.analyzer.run.TesterClock;
import org.diperf.analyzer.server.LogView;
import org.diperf.analyzer.server.MonitoredMetric;
import org.diperf.analyzer.server.ServerView;
import org.diperf.analyzer.server.TimeAxis;
import org.diperf.core.run.MonitorRecord;
import org.diperf.core.run.RunRecord;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.sample.Block;
import org.diperf.core.sample.Calls;
import org.diperf.core.sample.Observations;

/**
 * Reads the samples of monitors: blocks whose tester is a monitor's number and whose times are on the controller's clock.
 * Metrics are words {@code gauge NAME [UNIT]} or {@code rate NAME [UNIT]}. Confined to one thread.
 */
public final class MonitorScan implements RunReader.Sink {

    private static final String RATE = "rate ";

    /** So many metrics of all monitors together are read. */
    public static final int MAX_TRACKS = 2_000;

    private final TimeAxis axis;
    private final Map<Integer, MonitorRecord> monitors = new HashMap<>();
    private final Map<Integer, Map<String, MonitoredMetricTally>> tracks = new TreeMap<>();
    private final Map<Integer, LogTally> logs = new TreeMap<>();
    private final Observations observations = new Observations();
    private final Calls calls = new Calls();
    private int count;
    private int damaged;

    private MonitorScan(RunRecord run, TimeAxis axis) {
        this.axis = axis;
        List<MonitorRecord> records = run.monitors();
        for (MonitorRecord record : records == null ? List.<MonitorRecord>of() : records) {
            monitors.put(record.number(), record);
        }
    }

    /** Reads what the monitors of a run saw. */
    public static ServerView read(Path runDir, RunRecord run, TimeAxis axis) throws IOException {
        RunReader reader = RunReader.ofMonitors(runDir, run);
        if (run.monitors() == null || !reader.isPresent()) {
            return ServerView.NONE;
        }
        MonitorScan scan = new MonitorScan(run, axis);
        reader.read(scan);
        return scan.view();
    }

    @Override
    public void calls(Block header, ByteBuffer data, TesterBlocks of) throws IOException {
        MonitorRecord monitor = monitors.get(header.tester());
        if (monitor == null) {
            return;
        }
        calls.decode(data, header);
        PlausibilityCheck.check(header, calls);
        LogTally log = logs.computeIfAbsent(monitor.number(), number -> new LogTally(axis));
        for (int row = 0; row < calls.rows(); row++) {
            long took = calls.latencyNanos(row);
            long end = of.clock().sinceStart(calls.intendedNanos(row) + took);
            log.add(end, calls.client(row) == 0 ? took : -1, calls.outcome(row), calls.bytes(row));
        }
    }

    @Override
    public void observations(Block header, ByteBuffer data, TesterBlocks of) throws IOException {
        MonitorRecord monitor = monitors.get(header.tester());
        if (monitor == null) {
            return;
        }
        observations.decode(data, header);
        for (int row = 0; row < observations.rows(); row++) {
            observe(monitor, row, of.clock());
        }
    }

    private void observe(MonitorRecord monitor, int row, TesterClock clock) {
        String word = observations.metric(row);
        Map<String, MonitoredMetricTally> of =
                tracks.computeIfAbsent(monitor.number(), number -> new LinkedHashMap<>());
        MonitoredMetricTally tally = of.get(word);
        if (tally == null) {
            if (count == MAX_TRACKS) {
                return;
            }
            count++;
            tally = new MonitoredMetricTally(word.startsWith(RATE), axis);
            of.put(word, tally);
        }
        double value = observations.value(row);
        tally.add(clock.sinceStart(observations.timeNanos(row)), PlausibilityCheck.isValue(value) ? value : Double.NaN);
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
        List<Warning> warnings = new ArrayList<>();
        if (damaged > 0) {
            warnings.add(Warning.note(
                    Subject.SERVICE, "monitor samples are damaged in " + damaged + " places, which were skipped"));
        }
        return new ServerView(found, views, Map.of(), List.of(), warnings);
    }
}
