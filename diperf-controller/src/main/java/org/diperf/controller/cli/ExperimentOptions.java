package org.diperf.controller.cli;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Which experiment a command is about: that of a file, or a quick one of a URL. */
final class ExperimentOptions {

    @Parameters(
            arity = "0..1",
            paramLabel = "FILE.yml|FILE.java|URL",
            description = "An experiment file, a journey in Java, or the URL of a service; localhost:8080 and"
                    + " example.org/path are URLs too.")
    @Nullable
    String what;

    @Option(
            names = "--set",
            paramLabel = "PATH=VALUE",
            description = "Override any key in the file, e.g. load.clients=50; repeatable.")
    List<String> sets = new ArrayList<>();

    @Mixin
    QuickOptions quick;

    /** Returns whether neither a file nor a URL was given. */
    boolean isEmpty() {
        return what == null;
    }

    /**
     * Refuses options of a quick experiment where there is none.
     *
     * @param instead what the command is about, such as {@code the quickstart}
     */
    void refuseQuick(String instead) throws UsageException {
        String given = quick.firstGiven();
        if (given != null) {
            throw new UsageException(given + " requires a URL, got " + instead);
        }
    }

    /**
     * Reads the experiment.
     *
     * @param given a file or a URL
     * @throws UsageException when it is neither, or options do not fit it
     */
    ExperimentFile.Content open(String given, Plugins plugins) throws UsageException, ExperimentException {
        String url = Address.url(given, name -> Files.exists(Path.of(name)), ExperimentOptions::isHost);
        if (url != null) {
            String name = nameOf(url);
            try {
                return ExperimentFile.open(quick.experiment(url), name, sets, plugins);
            } catch (ExperimentException e) {
                throw new ExperimentException(e.problems().stream()
                        .map(problem -> withoutPlace(problem, name, given))
                        .toList());
            }
        }
        Path file = Path.of(given);
        if (!Files.exists(file)) {
            throw new UsageException(
                    given + ": no such file; check the path, or give the address of a service, e.g. localhost:8080 or "
                            + "https://example.org/");
        }
        String option = quick.firstGiven();
        if (option != null) {
            throw new UsageException(option + " requires a URL, got the file '" + given + "'; for a file use --set "
                    + quick.key(option));
        }
        return JavaFile.isOne(file)
                ? ExperimentFile.openJava(file, sets, plugins)
                : ExperimentFile.open(file, sets, plugins);
    }

    /** Names the URL in a problem, whose line and column are of a text that nobody sees. */
    private static String withoutPlace(String problem, String name, String given) {
        Matcher place =
                Pattern.compile(Pattern.quote(name) + ":[0-9]+:[0-9]+: ").matcher(problem);
        return place.lookingAt() ? given + ": " + problem.substring(place.end()) : problem;
    }

    private static boolean isHost(String name) {
        try {
            InetAddress.getByName(name);
            return true;
        } catch (UnknownHostException e) {
            return false;
        }
    }

    private static String nameOf(String url) {
        try {
            String host = Url.of(url).host();
            return host == null ? "quick" : host.replaceAll("[^A-Za-z0-9.-]", "-");
        } catch (IllegalArgumentException e) {
            return "quick";
        }
    }
}
