package org.diperf.controller.experiment;

import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.core.experiment.ServiceSettings;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;

/** The section {@code service}: its keys, and the settings that they give. */
final class ServiceKeys {

    private static final Shape<String> COMMAND = Scalar.text("a shell command", "[\\s\\S]*\\S[\\s\\S]*");

    private static final Key<String> ON = Key.withDefault(
            "on",
            Scalar.text("the name of a machine", "\\S+"),
            ServiceSettings.LOCAL,
            "machine to run it on: local, or one from the testbed");
    private static final Key<String> START = Key.required(
            "start", COMMAND, "shell command that starts it; the service is stopped at the end of the run");
    private static final Key<String> READY = Key.optional(
            "ready",
            Scalar.text(
                    "tcp://HOST:PORT, http://..., https://... or log:TEXT",
                    "tcp://(\\[[0-9A-Fa-f:.]+]|[^/:\\s]+):[0-9]{1,5}/?|https?://[^/\\s]+\\S*|log:.*\\S.*"),
            "how to tell that it is ready: a port that accepts connections, a page that answers with 200 to "
                    + "399, or text in its output (log:TEXT); default: the port of the first target");
    private static final Key<Duration> READY_WITHIN = Key.withDefault(
            "ready-within", Quantities.duration(true), Duration.ofSeconds(60), "time limit for it to become ready");
    private static final Key<String> STOP =
            Key.optional("stop", COMMAND, "shell command that stops it; default: SIGTERM");
    private static final Key<List<String>> DEPLOY = Key.withDefault(
            "deploy",
            new Shapes.ListOf<>("a list of files and folders", Scalar.text("the path of a file or folder", "\\S.*"), 0),
            List.of(),
            "files and folders to copy to its working folder; relative to the experiment file");
    private static final Key<Map<String, String>> ENV = Key.withDefault(
            "env",
            new Shapes.TextMap("a mapping of names to text values"),
            Map.of(),
            "additional environment variables");

    static final Fields FIELDS = Fields.of("a service to start", ON, START, READY, READY_WITHIN, STOP, DEPLOY, ENV);

    private ServiceKeys() {}

    /**
     * Makes the settings, and writes out where it runs, how to know that it is ready and what is deployed.
     *
     * @param source name of the experiment file; relative paths are resolved against its folder
     * @param host where the testbed runs it unless the file says so; empty: it does not care
     * @param hasOwnNetwork whether the testbed's machines cannot reach this one
     * @return {@code null} where there are problems
     */
    static @Nullable ServiceSettings settings(
            FormValues given, String source, String host, boolean hasOwnNetwork, Url target) {
        if (!host.isEmpty() && !given.isGiven(ON)) {
            given.put(ON, host);
        }
        if (hasOwnNetwork && given.get(ON).equals(ServiceSettings.LOCAL)) {
            given.problem(
                    ON,
                    "expected a machine in the testbed, which has a separate network, got " + ServiceSettings.LOCAL
                            + ": testers could not reach it");
        }
        String ready = given.has(READY) ? given.get(READY) : port(target);
        if (ready == null) {
            given.problem(
                    READY,
                    "expected a readiness check for the service, got none, and no port in the target " + target
                            + "; set tcp://HOST:PORT, the address of a page, or log:TEXT");
            return null;
        }
        if (!ready.startsWith("log:")) {
            try {
                Url.of(ready);
            } catch (IllegalArgumentException e) {
                given.problem(READY, String.valueOf(e.getMessage()));
            }
        }
        String stop = given.find(STOP);
        List<Path> deploy = deploy(given, source);
        return new ServiceSettings(
                given.get(ON),
                given.get(START),
                given.getOr(READY, ready),
                given.get(READY_WITHIN),
                stop == null ? "" : stop,
                deploy,
                given.get(ENV));
    }

    private static @Nullable String port(Url target) {
        if (target.host() == null) {
            return null;
        }
        int port = target.port() > 0
                ? target.port()
                : "http".equals(target.scheme()) ? 80 : "https".equals(target.scheme()) ? 443 : 0;
        return port == 0 ? null : "tcp://" + target.authority() + (target.port() > 0 ? "" : ":" + port);
    }

    private static List<Path> deploy(FormValues given, String source) {
        List<Path> found = new ArrayList<>();
        List<String> paths = given.get(DEPLOY);
        for (int i = 0; i < paths.size(); i++) {
            String below = DEPLOY.name() + "." + i;
            try {
                Path path = resolve(source, paths.get(i));
                if (!Files.isReadable(path)) {
                    given.problem(below, "expected a file or folder, got none at " + path);
                }
                found.add(path);
            } catch (InvalidPathException e) {
                given.problem(below, "expected a path, got '" + e.getInput() + "': " + e.getReason());
            }
        }
        given.put(DEPLOY, found.stream().map(Path::toString).toList());
        return found;
    }

    private static Path resolve(String source, String path) {
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
