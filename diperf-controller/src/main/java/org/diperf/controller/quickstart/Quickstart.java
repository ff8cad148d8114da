package org.diperf.controller.quickstart;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.core.plugin.Plugins;

/** The built-in experiment together with the service that it measures; close it after the run. */
public final class Quickstart implements AutoCloseable {

    private static final int WORKERS = 8;
    private static final long MIN_SERVICE_NANOS = 15_000_000;
    private static final long MAX_SERVICE_NANOS = 25_000_000;
    private static final long SEED = 2006;

    private final WaitingService service;

    /**
     * Starts the service: 8 workers of 20 ms, so 400 calls a second at most, reached by 8 clients.
     *
     * @throws IOException when it cannot listen
     */
    public Quickstart() throws IOException {
        this.service = new WaitingService(WORKERS, MIN_SERVICE_NANOS, MAX_SERVICE_NANOS, SEED);
    }

    /**
     * Resolves the built-in experiment, whose load climbs well past what the service can take.
     *
     * @param sets values that the user gave with {@code --set}
     * @throws ExperimentException when these do not fit
     */
    public ExperimentFile.Content experiment(List<String> sets, Plugins plugins) throws ExperimentException {
        List<String> all = new ArrayList<>(List.of("target=" + service.uri()));
        all.addAll(sets);
        return ExperimentFile.open(yaml(), "quickstart", all, plugins);
    }

    private static String yaml() {
        try (InputStream resource = Quickstart.class.getResourceAsStream("quickstart.yml")) {
            if (resource == null) {
                throw new IllegalStateException("quickstart.yml is missing from the jar; rebuild it");
            }
            return new String(resource.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        service.close();
    }
}
