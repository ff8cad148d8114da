package org.diperf.controller.experiment;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.diperf.core.experiment.ServiceSettings;
import org.jspecify.annotations.Nullable;

/**
 * Makes the service under test from the values of its file: fills in how to tell that it is ready and finds what is to be
 * deployed. Confined to one thread.
 *
 * @param values of {@code service}; defaults are added
 * @param source name of the experiment file, beside which relative paths are looked for
 * @param problem takes a key and what is wrong there
 */
record ServiceBuilder(Map<String, Object> values, String source, BiConsumer<String, String> problem) {

    /** Makes it; {@code null} where there are problems. */
    @Nullable
    ServiceSettings build(URI target) {
        if (!values.containsKey("ready")) {
            String port = port(target);
            if (port == null) {
                problem.accept(
                        "service.ready",
                        "expected what tells that the service is ready, got nothing, and no port in the target "
                                + target + "; give tcp://HOST:PORT, the address of a page, or log:TEXT");
                return null;
            }
            values.put("ready", port);
        }
        List<Path> deploy = deploy();
        Map<String, String> env = new LinkedHashMap<>();
        ExperimentBuilder.map(values.get("env")).forEach((name, value) -> env.put(name, String.valueOf(value)));
        return new ServiceSettings(
                ExperimentBuilder.get(values, "on", String.class),
                ExperimentBuilder.get(values, "start", String.class),
                ExperimentBuilder.get(values, "ready", String.class),
                ExperimentBuilder.get(values, "ready-within", Duration.class),
                String.valueOf(values.getOrDefault("stop", "")),
                deploy,
                env);
    }

    private static @Nullable String port(URI target) {
        if (target.getHost() == null) {
            return null;
        }
        int port = target.getPort() > 0
                ? target.getPort()
                : "http".equals(target.getScheme()) ? 80 : "https".equals(target.getScheme()) ? 443 : 0;
        return port == 0 ? null : "tcp://" + target.getHost() + ":" + port;
    }

    private List<Path> deploy() {
        List<Path> found = new ArrayList<>();
        List<?> given = (List<?>) values.getOrDefault("deploy", List.of());
        for (int i = 0; i < given.size(); i++) {
            try {
                Path path = beside(String.valueOf(given.get(i)));
                if (!Files.isReadable(path)) {
                    problem.accept("service.deploy." + i, "expected a file or folder, got none at " + path);
                }
                found.add(path);
            } catch (InvalidPathException e) {
                problem.accept("service.deploy." + i, "expected a path, got '" + e.getInput() + "': " + e.getReason());
            }
        }
        values.put("deploy", found.stream().map(Path::toString).toList());
        return found;
    }

    private Path beside(String path) {
        Path folder = Path.of("").toAbsolutePath();
        try {
            Path file = Path.of(source).toAbsolutePath();
            folder = Files.exists(file) && file.getParent() != null ? file.getParent() : folder;
        } catch (InvalidPathException e) {
            // It is no file, but a name for people.
        }
        return folder.resolve(path).normalize();
    }
}
