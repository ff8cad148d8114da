package org.diperf.controller.testbed;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.diperf.core.folder.LogTail;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.tester.link.SpoolFile;

/**
 * Starts testers as processes on this machine, each with its ticket on standard input. No more of them come up at once
 * than the processors can bring up: a hundred that compete would all be late.
 */
public final class LocalTestbed implements TestbedPlugin {

    private static final String CORES = "cores";
    private static final String LIST = "[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*";
    private static final long EXIT_SECONDS = 5;
    private static final int LAST_LINES = 4;
    private static final Duration JOIN = Duration.ofSeconds(60);
    private static final Duration JOIN_EACH = Duration.ofSeconds(1);
    /** While one tester waits for something, another can use the processor. */
    private static final int STARTING_A_CORE = 2;

    private static final int CROWD_A_CORE = 4;
    /** Where many testers share a processor, what one compiles or rehearses to be ready for its load is taken from the others. */
    private static final List<String> IN_A_CROWD = List.of("-XX:CompileThresholdScaling=4", "-Ddiperf.rehearse=false");

    /** What a testbed on this machine is told besides. */
    public interface Neighbour {

        /** Completes when a tester has joined the run. */
        CompletableFuture<Void> joined(int tester);

        /** Names the client plugin of the run. */
        String plugin();
    }

    @Override
    public String id() {
        return "local";
    }

    @Override
    public String summary() {
        return "testers are processes on this machine";
    }

    @Override
    public boolean runsHere() {
        return true;
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(Parameter.optional(
                CORES, Parameter.Type.STRING, "processors for the testers, in taskset format: 0 or 2,4-7"));
    }

    @Override
    public Testbed open(TestbedContext context) throws IOException {
        if (context.with().has(CORES) && !context.with().string(CORES).matches(LIST)) {
            throw new IOException("testbed.cores: expected processor numbers such as 0 or 2,4-7, got '"
                    + context.with().string(CORES) + "'");
        }
        return new Processes(context, ScratchFolder.temporary());
    }

    /** The processes of one run. Confined to the run's thread and to those that bring testers up. */
    private static final class Processes implements Testbed {

        private final TestbedContext context;
        private final ScratchFolder scratch;
        private final Semaphore starting =
                new Semaphore(STARTING_A_CORE * Runtime.getRuntime().availableProcessors());
        private final List<Thread> starters = new ArrayList<>();
        private final Optional<ClassArchive> archive;
        /** By number of the tester. */
        private final Map<Integer, Process> running = new ConcurrentHashMap<>();

        private volatile boolean closing;

        Processes(TestbedContext context, ScratchFolder scratch) {
            this.context = context;
            this.scratch = scratch;
            this.archive = context instanceof Neighbour neighbour
                    ? ClassArchive.find(context.java(), context.jvm(), context.testerClassPath(), neighbour.plugin())
                    : Optional.empty();
        }

        @Override
        public void start(List<Place> places) throws IOException, InterruptedException {
            // The first one here, so that a Java that cannot be started is this call's failure.
            int first = places.get(0).tester();
            boolean lists =
                    running.isEmpty() && archive.filter(ClassArchive::isMissing).isPresent();
            starting.acquire();
            Process process = start(first, lists ? archive.orElseThrow().list() : uses());
            Thread starter = new Thread(
                    () -> {
                        // A ticket may take until the run's keys are made.
                        give(first, process);
                        startAll(places.subList(1, places.size()));
                    },
                    "diperf-local-start");
            starter.setDaemon(true);
            starters.add(starter);
            starter.start();
        }

        /** They come up a few at a time. */
        @Override
        public Duration patience() {
            return JOIN.plus(JOIN_EACH.multipliedBy(context.testers()));
        }

        private void startAll(List<Place> places) {
            for (Place place : places) {
                try {
                    starting.acquire();
                    if (closing) {
                        return;
                    }
                    give(place.tester(), start(place.tester(), uses()));
                } catch (IOException e) {
                    starting.release();
                    context.failed(place.tester(), String.valueOf(e.getMessage()));
                } catch (InterruptedException e) {
                    return;
                }
            }
        }

        private List<String> uses() {
            return archive.map(ClassArchive::use).orElse(List.of());
        }

        private Process start(int tester, List<String> sharing) throws IOException {
            Path folder = Files.createDirectory(scratch.path().resolve("tester-" + tester));
            Path log = context.folder().resolve("tester-" + tester + ".log");
            Process process = start(folder, log, sharing);
            running.put(tester, process);
            new TesterProcesses(context.privateFolder()).started(tester, process.toHandle());
            CompletableFuture<Void> ended = process.onExit().thenAccept(end -> {
                if (!closing && end.exitValue() != 0) {
                    context.failed(tester, "its process exited with code " + end.exitValue() + lastWords(log));
                }
            });
            CompletableFuture<Void> up = context instanceof Neighbour neighbour ? neighbour.joined(tester) : ended;
            CompletableFuture.anyOf(up, ended).whenComplete((end, failure) -> starting.release());
            return process;
        }

        private void give(int tester, Process process) {
            try (OutputStream ticket = process.getOutputStream()) {
                ticket.write(context.ticket(tester).getBytes(StandardCharsets.UTF_8));
            } catch (CompletionException e) {
                // There is no collector; the run says why.
                process.destroy();
            } catch (IOException e) {
                // It ended before it read its ticket; the exit handler says why.
                context.log("tester-" + tester + " could not read its join ticket: " + e.getMessage());
            }
        }

        private Process start(Path folder, Path log, List<String> sharing) throws IOException {
            try {
                return new ProcessBuilder(command(folder, sharing))
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
            } catch (IOException e) {
                throw new IOException(
                        e.getMessage() + ". The testers' Java is " + context.java()
                                + "; choose another with testbed.java. testbed.cores needs taskset (util-linux)",
                        e);
            }
        }

        private List<String> command(Path folder, List<String> sharing) {
            List<String> command = new ArrayList<>();
            if (context.with().has(CORES)) {
                command.addAll(List.of("taskset", "--cpu-list", context.with().string(CORES)));
            }
            command.add(context.java());
            if (isCrowd()) {
                command.addAll(IN_A_CROWD);
            }
            command.addAll(context.jvm());
            command.addAll(sharing);
            String classPath = context.testerClassPath().stream()
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
            // The name by which testers are found in a list of processes, also when they run from a class path.
            command.add("-Ddiperf.role=diperf-tester");
            command.addAll(List.of("-cp", classPath, "org.diperf.tester.TesterMain"));
            command.addAll(List.of("--folder", folder.toString()));
            Path spools = context.privateFolder().resolve(SpoolFile.FOLDER).toAbsolutePath();
            command.addAll(List.of("--spool", spools.toString()));
            for (Path jar : context.pluginJars()) {
                command.addAll(List.of("--plugin", jar.toString()));
            }
            return command;
        }

        private boolean isCrowd() {
            return context.testers() > CROWD_A_CORE * Runtime.getRuntime().availableProcessors();
        }

        /** A JVM that cannot start says why in the first of its few lines, a tester in its last one. */
        private static String lastWords(Path log) {
            return ": " + String.join("; ", LogTail.of(log, LAST_LINES)) + " (" + log + ")";
        }

        @Override
        public void close() throws IOException, InterruptedException {
            closing = true;
            for (Thread starter : starters) {
                starter.interrupt();
                starter.join();
            }
            for (Process process : running.values()) {
                if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                    process.destroy();
                }
            }
            for (Process process : running.values()) {
                if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
                    process.destroyForcibly().waitFor();
                }
            }
            scratch.close();
            archive.ifPresent(ClassArchive::make);
        }
    }
}
