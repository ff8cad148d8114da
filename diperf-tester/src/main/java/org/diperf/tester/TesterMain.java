package org.diperf.tester;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.experiment.SecretMask;
import org.diperf.core.folder.AbandonedFolders;
import org.diperf.core.folder.FolderLock;
import org.diperf.core.folder.FolderTree;
import org.diperf.core.plugin.Plugins;
import org.diperf.core.wire.Ticket;
import org.diperf.tester.clock.SkewedClock;
import org.diperf.tester.engine.Engine;
import org.diperf.tester.engine.EngineFactory;
import org.diperf.tester.engine.TesterPlugins;
import org.diperf.tester.link.ExitCode;
import org.diperf.tester.link.Tester;
import org.diperf.tester.machine.ReceiveTimestamps;
import org.diperf.tester.transport.Sockets;
import org.jspecify.annotations.Nullable;

/** Runs one tester as a process: {@code java -jar diperf-tester.jar < TICKET}. */
public final class TesterMain {

    private static final String USAGE = """
            Usage: java -jar diperf-tester.jar [--ticket FILE] [--plugin JAR]... [--folder DIR] [--spool DIR]

            One tester (load generator). Joins the run of its ticket, generates its share of the load, sends every call
            to the controller, and exits when the controller tells it to. Started by a testbed or by hand.

              --ticket FILE   the ticket from the controller; default: standard input. Keep it secret.
              --plugin JAR    a plugin jar, identical to the controller's; repeatable
              --folder DIR    folder for its files while it runs; default: a new temporary folder
              --spool DIR     folder for samples the controller did not acknowledge (tester-N.spool); default: --folder.
                              Add them to the run with: diperf run --resume RUN_DIR --spool FILE

            Exit codes: 0 done, 2 bad usage or ticket, 3 controller lost, 4 rejected, 5 could not take part,
            6 stopped by a signal.
            """;

    private static final String LOGGING_VERBOSITY = "slf4j.internal.verbosity";
    private static final String TEMPORARY = AbandonedFolders.PREFIX + "tester-";

    private record Arguments(
            @Nullable Path ticket,
            List<Path> plugins,
            @Nullable Path folder,
            @Nullable Path spool) {

        static Arguments parse(List<String> words) {
            Path ticket = null;
            Path folder = null;
            Path spool = null;
            List<Path> plugins = new ArrayList<>();
            for (int i = 0; i < words.size(); i += 2) {
                String name = words.get(i);
                if (i + 1 == words.size()) {
                    throw new IllegalArgumentException("expected a value after " + name + ", got none");
                }
                Path value = Path.of(words.get(i + 1));
                switch (name) {
                    case "--ticket" -> ticket = value.toString().equals("-") ? null : value;
                    case "--plugin" -> plugins.add(value);
                    case "--folder" -> folder = value;
                    case "--spool" -> spool = value;
                    default ->
                        throw new IllegalArgumentException(
                                "expected --ticket, --plugin, --folder or --spool, got '" + name + "'");
                }
            }
            return new Arguments(ticket, plugins, folder, spool);
        }
    }

    private TesterMain() {}

    /** Runs the tester and exits with its code. */
    public static void main(String[] args) throws InterruptedException {
        // What is logged, and what a plugin writes by itself, goes into a file that more people may read than secrets.
        SecretMask mask = new SecretMask();
        // Two threads begin to log at once: the library would say so at the head of the log, and loses nothing.
        System.setProperty(LOGGING_VERBOSITY, System.getProperty(LOGGING_VERBOSITY, "ERROR"));
        System.setOut(mask.over(System.out));
        System.setErr(mask.over(System.err));
        int code = run(List.of(args), System.in, System.out, System.err, mask);
        System.out.flush();
        System.err.flush();
        System.exit(code);
    }

    /**
     * Runs a tester with these arguments.
     *
     * @param mask of the process's outputs; learns the secrets of the assignment
     * @return an {@link ExitCode}
     */
    public static int run(List<String> args, InputStream in, PrintStream out, PrintStream err, SecretMask mask)
            throws InterruptedException {
        if (args.contains("--help") || args.contains("-h")) {
            out.print(USAGE);
            return ExitCode.DONE;
        }
        // What takes longest before this tester can join.
        Thread natives = new Thread(TesterMain::loadNatives, "diperf-tester-natives");
        natives.setDaemon(true);
        natives.start();
        // A Ctrl-C on the controller's terminal reaches its whole process group; the controller stops us in order.
        Signals.ignoreInterrupt();
        try {
            Arguments arguments = Arguments.parse(args);
            Path given = arguments.folder();
            Path folder = given == null ? Files.createTempDirectory(TEMPORARY) : Files.createDirectories(given);
            // What a tester that was killed has left nobody but another one would remove.
            AbandonedFolders.removeLater();
            try (FolderLock held = hold(folder)) {
                Path spool = arguments.spool() == null ? folder : arguments.spool();
                return run(arguments, in, folder, spool, mask);
            } finally {
                if (given == null) {
                    remove(folder);
                }
            }
        } catch (IllegalArgumentException | IOException e) {
            err.println("diperf-tester: " + e.getMessage() + ". See --help");
            return ExitCode.USAGE;
        }
    }

    /** Says that the folder is in use; {@code null} where the file system has no locks, or nothing is to be written. */
    private static @Nullable FolderLock hold(Path folder) {
        try {
            return FolderLock.take(folder);
        } catch (IOException e) {
            return null;
        }
    }

    /** Removes the folder of a tester that made it for itself, unless it has left samples there. */
    private static void remove(Path folder) throws IOException {
        if (FolderTree.deepestFirst(folder).stream()
                .noneMatch(file -> file.toString().endsWith(".spool"))) {
            FolderTree.delete(folder);
        }
    }

    private static String read(@Nullable Path file, InputStream in) throws IOException {
        byte[] text = file == null ? in.readNBytes(1 << 20) : Files.readAllBytes(file);
        return new String(text, StandardCharsets.UTF_8);
    }

    /** Loads what is needed first to join the run, then for the clients of most plugins, then to watch the JVM. */
    private static void loadNatives() {
        Sockets.tls();
        ReceiveTimestamps.ofThisSystem();
        ManagementFactory.getGarbageCollectorMXBeans();
    }

    private static int run(Arguments arguments, InputStream in, Path folder, Path spool, SecretMask mask)
            throws IOException, InterruptedException {
        List<Path> jars = arguments.plugins();
        // The controller is still making the ticket, and what needs none takes a good part of a second in a JVM that
        // has just begun.
        CompletableFuture<Plugins> loading =
                CompletableFuture.supplyAsync(() -> Plugins.load(jars, folder.resolve("plugins")));
        try {
            Ticket ticket = Ticket.parse(read(arguments.ticket(), in));
            EngineFactory engines = Engine.factory(Runtime.getRuntime().availableProcessors());
            Tester.Setup setup = new Tester.Setup(
                    TesterPlugins.Source.of(loading::join),
                    jars,
                    (assignment, tester, plugin, scratch, sink, clock, listener) -> {
                        mask.hide(assignment.script().secrets());
                        return engines.create(assignment, tester, plugin, scratch, sink, clock, listener);
                    },
                    Tester.facts(),
                    Files.createDirectories(folder.resolve("clients")),
                    Tester.Setup.SPOOL_BYTES,
                    Tester.Setup.JOIN_NANOS,
                    spool);
            NanoClock clock =
                    SkewedClock.parse(System.getProperty(SkewedClock.PROPERTY, ""), ticket.tester(), NanoClock.SYSTEM);
            try (Tester tester = new Tester(ticket, setup, clock)) {
                Runtime.getRuntime().addShutdownHook(new Thread(tester::close, "diperf-tester-terminate"));
                return tester.run();
            }
        } finally {
            loading.thenAccept(Plugins::close);
        }
    }
}
