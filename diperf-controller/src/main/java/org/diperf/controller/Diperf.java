package org.diperf.controller;

import java.io.IOException;
import java.math.BigDecimal;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.report.Report;
import org.diperf.analyzer.result.Analysis;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.ExperimentRun;
import org.diperf.controller.run.SingleCall;
import org.diperf.controller.testbed.InProcessTestbed;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.Script;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.diperf.core.spi.Quantity;
import org.diperf.core.spi.Url;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.json.JsonMapper;

/**
 * Runs calls and experiments from a test or an IDE, all in one process: breakpoints in a client work.
 *
 * <pre>{@code
 * SingleCall call = Diperf.client(QuoteClient.class).target("quote://127.0.0.1:9000").with("symbol", "ACME").callOnce();
 * Analysis result = Diperf.experiment("quote.yml").set("load.open.for", "5s").run();
 * Analysis other = Diperf.experiment().target("http://127.0.0.1:8080").rate(200, Duration.ofSeconds(10)).run();
 * }</pre>
 */
public final class Diperf {

    private static final String IN_PROCESS = new InProcessTestbed().id();

    private Diperf() {}

    /** Returns DiPerF's version; {@code dev} when it does not run from its jar. */
    public static String version() {
        String version = Diperf.class.getPackage().getImplementationVersion();
        return version == null ? "dev" : version;
    }

    /** Tries a client of one class; it need not be in {@code META-INF/services}. */
    public static Trial client(Class<? extends Client> type) {
        return new Trial(Plugins.ofClass(type));
    }

    /** Begins an experiment from a file. */
    public static Run experiment(Path file) {
        return new Run(file);
    }

    /** Begins an experiment from a file. */
    public static Run experiment(String file) {
        return experiment(Path.of(file));
    }

    /** Begins an experiment without a file: it wants at least a target and a load. */
    public static Run experiment() {
        return new Run(null);
    }

    /** One call of a client. Not thread-safe. */
    public static final class Trial {

        private final ClientPlugin plugin;
        private final Map<String, Object> with = new LinkedHashMap<>();
        private @Nullable Url target;
        private Duration timeout = Duration.ofSeconds(30);

        private Trial(ClientPlugin plugin) {
            this.plugin = plugin;
        }

        /** Sets the service to call. */
        public Trial target(String uri) {
            this.target = Url.of(uri);
            return this;
        }

        /** Sets a parameter, as in {@code client.with}. */
        public Trial with(String name, Object value) {
            with.put(name, value);
            return this;
        }

        /** Bounds the call; 30 s if not set. */
        public Trial timeout(Duration timeout) {
            this.timeout = timeout;
            return this;
        }

        /**
         * Opens the client, makes one call, closes it.
         *
         * @throws RunFailedException when the client could not be opened
         */
        public SingleCall callOnce() throws RunFailedException, InterruptedException {
            if (target == null) {
                throw new IllegalStateException("A call needs a target; set one with target(uri)");
            }
            return SingleCall.make(plugin, Map.of(), with, target, Script.NONE, timeout, 0);
        }
    }

    /**
     * One experiment: a file, or what is set here, or both. What is set goes over what the file says, later over earlier.
     * Not thread-safe.
     */
    public static final class Run {

        private static final JsonMapper JSON = new JsonMapper();

        private final @Nullable Path file;
        private final List<String> sets = new ArrayList<>();
        private final List<String> thresholds = new ArrayList<>();
        private Plugins plugins = Plugins.bundled();
        private @Nullable Class<? extends Client> client;
        private @Nullable Path out;
        private BiConsumer<Path, Analysis> listener = (folder, analysis) -> {};

        private Run(@Nullable Path file) {
            this.file = file;
            testbed(IN_PROCESS);
        }

        /** Sets a value of the file, as {@code --set path=value} does: the value is YAML. */
        public Run set(String path, Object value) {
            sets.add(path + "=" + value);
            return this;
        }

        /** Names the experiment: letters, digits, dots, hyphens and underscores. */
        public Run name(String name) {
            return set("name", text(name));
        }

        /** Sets the service to call. */
        public Run target(String uri) {
            return set("target", text(uri));
        }

        /** Sets a closed load: so many clients call for so long, each again when it has its answer. */
        public Run clients(int clients, Duration runFor) {
            return set("load", "{ clients: " + clients + ", run-for: " + text(runFor) + " }");
        }

        /** Sets an open load: calls arrive at a constant rate for so long, whether or not earlier ones were answered. */
        public Run rate(double perSecond, Duration length) {
            String rate = BigDecimal.valueOf(perSecond).toPlainString();
            return set("load", "{ open: { rate: " + rate + ", for: " + text(length) + " } }");
        }

        /** Sets a parameter of the client, as in {@code client.with}: a text, number, boolean, {@link Duration}, list or map. */
        public Run with(String name, Object value) {
            return set("client.with." + name, text(value));
        }

        /** Adds a threshold, such as {@code response.p99 < 50ms}. Those of a file no longer count. */
        public Run threshold(String expression) {
            thresholds.add(expression);
            return this;
        }

        /**
         * Chooses where the testers run: {@code in-process} if not set, where breakpoints work; {@code local} for processes of
         * their own, which disturb the service and are disturbed by it less.
         */
        public Run testbed(String kind) {
            return set("testbed.kind", kind);
        }

        /**
         * Makes a class the client, which need not be in {@code META-INF/services}. Testers in other processes get the folder or
         * the jar that it comes from: libraries of its own must be in there too.
         */
        public Run client(Class<? extends Client> type) {
            ClientPlugin plugin = Plugins.ofClass(type);
            plugins = Plugins.bundledAnd(plugin);
            client = type;
            return set("client.plugin", plugin.id());
        }

        /** Sets the run directory, new or empty; a temporary one if not set. */
        public Run out(Path folder) {
            this.out = folder;
            return this;
        }

        /** Tells of the run directory and the result of each run, when both are complete. */
        public Run whenDone(BiConsumer<Path, Analysis> listener) {
            this.listener = listener;
            return this;
        }

        /**
         * Carries out the experiment, analyses it, and writes the report into the run directory.
         *
         * @throws ExperimentException when the experiment cannot be used
         * @throws RunFailedException when the run could not be carried out
         */
        public Analysis run() throws ExperimentException, RunFailedException, IOException, InterruptedException {
            List<String> all = new ArrayList<>(sets);
            if (!thresholds.isEmpty()) {
                all.add("thresholds=" + text(thresholds));
            }
            ExperimentFile.Resolved resolved = file == null
                    ? ExperimentFile.parse("", "experiment", all, plugins)
                    : ExperimentFile.read(file, all, plugins);
            if (client == null || resolved.experiment().testbed().kind().equals(IN_PROCESS)) {
                return run(resolved, List.of());
            }
            try (ScratchFolder scratch = ScratchFolder.temporary()) {
                return run(resolved, List.of(ClientJar.pack(client, scratch.path())));
            }
        }

        private Analysis run(ExperimentFile.Resolved resolved, List<Path> pluginJars)
                throws RunFailedException, IOException, InterruptedException {
            Path folder = out == null ? Files.createTempDirectory("diperf-run-").resolve("run") : out;
            ExperimentRun.Options options = new ExperimentRun.Options(
                    folder, plugins, pluginJars, false, version(), Progress.NONE, ExperimentRun.Extras.NONE);
            new ExperimentRun(resolved, options, NanoClock.SYSTEM).carryOut();
            Analysis analysis = Analyzer.analyze(folder, Analyzer.Options.AS_RECORDED);
            Analyzer.write(analysis, folder);
            Report.write(analysis, folder, "diperf run " + folder.resolve("experiment.yml"));
            listener.accept(folder, analysis);
            return analysis;
        }

        /** Writes a value as JSON, which is YAML too. */
        private static String text(Object value) {
            return JSON.writeValueAsString(value instanceof Duration duration ? Quantity.format(duration) : value);
        }
    }
}
