package org.diperf.controller.service;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.testbed.LocalHost;
import org.diperf.core.experiment.ServiceSettings;
import org.diperf.core.run.Warning;
import org.diperf.core.spi.Host;
import org.diperf.core.spi.Testbed;
import org.jspecify.annotations.Nullable;

/**
 * The service under test with the machine that it runs on, or neither where the run starts none. Confined to the run's
 * thread.
 */
public record RunService(
        Optional<ServiceUnderTest> service,
        @Nullable LocalHost here,
        @Nullable Path lastWords) implements AutoCloseable {

    /** No service: it is there already. */
    public static final RunService NONE = new RunService(Optional.empty(), null, null);

    /**
     * Starts the service and waits until it is ready.
     *
     * @param log takes what the service writes to its standard output and error
     */
    public static RunService open(ServiceSettings choice, Testbed testbed, Path log, ServiceUnderTest.Context context)
            throws RunFailedException, IOException, InterruptedException {
        if (!choice.on().equals(ServiceSettings.LOCAL)) {
            return new RunService(
                    Optional.of(ServiceUnderTest.open(choice, remote(choice, testbed), context)), null, log);
        }
        LocalHost here = new LocalHost(log);
        try {
            return new RunService(Optional.of(ServiceUnderTest.open(choice, here, context)), here, null);
        } catch (RunFailedException | InterruptedException e) {
            here.close();
            throw e;
        }
    }

    private static Host remote(ServiceSettings choice, Testbed testbed)
            throws RunFailedException, InterruptedException {
        try {
            return testbed.host(choice.on());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            throw new RunFailedException(
                    "Could not start the service under test on '" + choice.on() + "' (service.on): " + e.getMessage(),
                    e);
        }
    }

    /** Says why the numbers are to be doubted when the service has ended since the last look. */
    public Optional<Warning> died() {
        return service.flatMap(ServiceUnderTest::died);
    }

    /** Describes it, for the record of the run. */
    public Map<String, String> facts() {
        return service.map(it -> Map.of("service under test", it.summary())).orElse(Map.of());
    }

    /** Stops the service and removes what it left; of one elsewhere its last words stay. */
    @Override
    public void close() throws IOException {
        if (service.isEmpty()) {
            return;
        }
        service.get().close();
        if (lastWords != null) {
            Files.writeString(lastWords, service.get().lastWords() + "\n", StandardCharsets.UTF_8);
        }
        if (here != null) {
            here.close();
        }
    }
}
