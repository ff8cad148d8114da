package org.diperf.controller.run;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.diperf.controller.page.MetricsPage;
import org.diperf.controller.progress.LiveSource;
import org.diperf.controller.progress.Onlooker;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.OutputChoice;

/** Whoever looks at a run: who asked to beside the experiment, and the experiment's outputs. Confined to the run's thread. */
final class Outputs implements Onlooker, AutoCloseable {

    private final List<Onlooker> onlookers = new ArrayList<>();
    private final List<MetricsPage> pages = new ArrayList<>();

    private Outputs(Onlooker first) {
        onlookers.add(first);
    }

    /**
     * Opens the outputs of a run that begins.
     *
     * @param first is told first
     * @throws RunFailedException when one of them cannot be had
     */
    static Outputs open(Onlooker first, LiveSource run, NanoClock clock, RunOutput output) throws RunFailedException {
        Outputs outputs = new Outputs(first);
        try {
            for (OutputChoice choice : run.experiment().outputs()) {
                OutputChoice.Prometheus prometheus = (OutputChoice.Prometheus) choice;
                MetricsPage page = new MetricsPage(prometheus.listen(), prometheus.port(), clock);
                outputs.pages.add(page);
                outputs.onlookers.add(page);
                output.note("Prometheus can scrape " + prometheus.listen() + ":" + page.port() + "/metrics");
            }
        } catch (IOException e) {
            outputs.close();
            throw new RunFailedException(String.valueOf(e.getMessage()), e);
        }
        outputs.begins(run);
        return outputs;
    }

    @Override
    public boolean looks() {
        return onlookers.stream().anyMatch(Onlooker::looks);
    }

    @Override
    public void begins(LiveSource run) {
        onlookers.forEach(each -> each.begins(run));
    }

    @Override
    public void ends() {
        onlookers.forEach(Onlooker::ends);
    }

    @Override
    public void close() {
        pages.forEach(MetricsPage::close);
    }
}
