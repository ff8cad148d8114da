package org.diperf.controller;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.Analyzer;
import org.diperf.analyzer.result.Analysis;
import org.diperf.controller.experiment.ExperimentException;
import org.diperf.controller.experiment.ExperimentFile;
import org.diperf.controller.progress.Progress;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.ExperimentRun;
import org.diperf.controller.run.OneCall;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.Script;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.spi.Client;
import org.diperf.core.spi.ClientPlugin;
import org.jspecify.annotations.Nullable;

/**
 * Runs calls and experiments from a test or an IDE, all in one process: breakpoints in a client work.
 *
 * <pre>{@code
 * OneCall call = Diperf.client(QuoteClient.class).target("quote://127.0.0.1:9000").with("symbol", "ACME").callOnce();
 * Analysis result = Diperf.experiment(Path.of("quote.yml")).set("load.open.for", "5s").run();
 * }</pre>
 */
public final class Diperf {

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

    /** Begins an experiment from a file; its testbed is {@code in-process} unless set otherwise. */
    public static Run experiment(Path file) {
        return new Run(file);
    }

    /** One call of a client. Not thread-safe. */
    public static final class Trial {

        private final ClientPlugin plugin;
        private final Map<String, Object> with = new LinkedHashMap<>();
        private @Nullable URI target;
        private Duration timeout = Duration.ofSeconds(30);

        private Trial(ClientPlugin plugin) {
            this.plugin = plugin;
        }

        /** Sets the service to call. */
        public Trial target(String uri) {
            this.target = URI.create(uri);
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
        public OneCall callOnce() throws RunFailedException, InterruptedException {
            if (target == null) {
                throw new IllegalStateException("A call wants a target; set one with target(uri)");
            }
            return OneCall.make(plugin, with, target, Script.NONE, timeout, 0);
        }
    }

    /** One experiment. Not thread-safe. */
    public static final class Run {

        private final Path file;
        private final List<String> sets = new ArrayList<>(List.of("testbed.kind=in-process"));
        private Plugins plugins = Plugins.bundled();
        private @Nullable Path out;

        private Run(Path file) {
            this.file = file;
        }

        /** Sets a value of the file, as {@code --set path=value} does. */
        public Run set(String path, Object value) {
            sets.add(path + "=" + value);
            return this;
        }

        /** Brings the client under test, of one class, that is not in {@code META-INF/services}. */
        public Run client(Class<? extends Client> type) {
            plugins = Plugins.bundledAnd(Plugins.ofClass(type));
            return this;
        }

        /** Sets the run directory; a temporary one if not set. */
        public Run out(Path folder) {
            this.out = folder;
            return this;
        }

        /**
         * Carries out the experiment and analyses it; also writes the report into the run directory.
         *
         * @throws ExperimentException when the file cannot be used
         * @throws RunFailedException when the run could not be carried out
         */
        public Analysis run() throws ExperimentException, RunFailedException, IOException, InterruptedException {
            ExperimentFile.Resolved resolved = ExperimentFile.read(file, sets, plugins);
            Path folder = out == null ? Files.createTempDirectory("diperf-run-").resolve("run") : out;
            ExperimentRun.Options options =
                    new ExperimentRun.Options(folder, plugins, List.of(), false, version(), Progress.NONE);
            new ExperimentRun(resolved, options, NanoClock.SYSTEM).carryOut();
            Analysis analysis = Analyzer.analyze(folder, Analyzer.Options.AS_RECORDED);
            Analyzer.write(analysis, folder);
            return analysis;
        }
    }
}
