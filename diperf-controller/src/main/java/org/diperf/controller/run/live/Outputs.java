package org.diperf.controller.run.live;

import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.diperf.controller.page.MetricsPage;
import org.diperf.controller.progress.LiveSource;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.progress.RunObserver;
import org.diperf.controller.run.directory.RunOutput;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.OutputSettings;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.OutputPlugin;
import org.diperf.core.spi.SeriesOutput;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Whoever looks at a run: who asked to next to the experiment, and the experiment's outputs. Confined to the run's thread. */
public final class Outputs implements RunObserver, AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(Outputs.class);
    /** Between two looks at the series that are sent. */
    private static final long EVERY_MILLIS = 5_000;

    private final List<RunObserver> onlookers = new ArrayList<>();
    private final List<AutoCloseable> opened = new ArrayList<>();

    private Outputs(RunObserver first) {
        onlookers.add(first);
    }

    /**
     * Opens the outputs of a run that begins.
     *
     * @param first is told first
     * @param plugins that may be asked for
     * @throws RunFailedException when one of them cannot be had
     */
    public static Outputs open(RunObserver first, LiveSource run, Plugins plugins, NanoClock clock, RunOutput output)
            throws RunFailedException {
        Outputs outputs = new Outputs(first);
        try {
            for (OutputSettings choice : run.experiment().outputs()) {
                outputs.open(choice, plugins, clock, output);
            }
        } catch (IOException | IllegalArgumentException e) {
            outputs.close();
            throw new RunFailedException(String.valueOf(e.getMessage()), e);
        }
        outputs.begins(run);
        return outputs;
    }

    private void open(OutputSettings choice, Plugins plugins, NanoClock clock, RunOutput output) throws IOException {
        if (choice instanceof OutputSettings.Prometheus prometheus) {
            MetricsPage page = new MetricsPage(prometheus.listen(), prometheus.port(), clock, output::warn);
            opened.add(page);
            onlookers.add(page);
            output.note("Prometheus can scrape " + prometheus.listen() + ":" + page.port() + "/metrics");
        } else if (choice instanceof OutputSettings.Sent sent) {
            OutputPlugin plugin = plugins.outputs()
                    .plugin(sent.id())
                    .orElseThrow(() -> new IllegalArgumentException("No plugin for output '" + sent.id() + "'"));
            SeriesOutput to = plugin.open(sent.address(), Instant.now());
            SeriesSender sender = new SeriesSender(sent.id() + " at " + sent.address(), to, EVERY_MILLIS, output::warn);
            opened.add(sender);
            onlookers.add(sender);
            output.note("series are sent to " + sent.id() + " at " + sent.address());
        } else {
            throw new IllegalArgumentException("Expected a known output, got " + choice);
        }
    }

    @Override
    public boolean looks() {
        return onlookers.stream().anyMatch(RunObserver::looks);
    }

    @Override
    public void begins(LiveSource run) {
        onlookers.forEach(each -> each.begins(run));
    }

    @Override
    public void ends() {
        onlookers.forEach(RunObserver::ends);
    }

    @Override
    public void close() {
        for (AutoCloseable each : opened) {
            try {
                each.close();
            } catch (Exception e) {
                LOG.debug("a sender of 'outputs' could not be closed", e);
            }
        }
    }
}
