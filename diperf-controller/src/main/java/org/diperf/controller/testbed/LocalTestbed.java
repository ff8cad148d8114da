package org.diperf.controller.testbed;

import static java.util.Objects.requireNonNull;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;

/** Starts testers as processes on this machine, each with its ticket on standard input. */
public final class LocalTestbed implements TestbedPlugin {

    private static final String CORES = "cores";
    private static final String LIST = "[0-9]+(-[0-9]+)?(,[0-9]+(-[0-9]+)?)*";
    private static final long EXIT_SECONDS = 5;
    private static final int LAST_LINES = 4;

    @Override
    public String id() {
        return "local";
    }

    @Override
    public String summary() {
        return "testers are processes on this machine";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(Parameter.optional(
                CORES, Parameter.Type.STRING, "processors that testers may use, as taskset takes them: 0 or 2,4-7"));
    }

    @Override
    public Testbed open(TestbedContext context) throws IOException {
        if (context.with().has(CORES) && !context.with().string(CORES).matches(LIST)) {
            throw new IOException("testbed.cores wanted numbers of processors such as 0 or 2,4-7, found '"
                    + context.with().string(CORES) + "'");
        }
        return new Processes(context, ScratchFolder.temporary());
    }

    /** The processes of one run. Confined to the run's thread, but for the exit handlers, which only report. */
    private static final class Processes implements Testbed {

        private final TestbedContext context;
        private final ScratchFolder scratch;
        /** By number of the tester. */
        private final Map<Integer, Process> running = new LinkedHashMap<>();

        private volatile boolean closing;

        Processes(TestbedContext context, ScratchFolder scratch) {
            this.context = context;
            this.scratch = scratch;
        }

        @Override
        public void start(List<Place> places) throws IOException {
            for (Place place : places) {
                running.put(place.tester(), start(place.tester()));
            }
            // All are coming up by now; a ticket may take until the run's keys are made.
            for (Place place : places) {
                give(place.tester(), requireNonNull(running.get(place.tester())));
            }
        }

        private Process start(int tester) throws IOException {
            Path folder = Files.createDirectory(scratch.path().resolve("tester-" + tester));
            Path log = context.folder().resolve("tester-" + tester + ".log");
            Process process = start(folder, log);
            process.onExit().thenAccept(ended -> {
                if (!closing && ended.exitValue() != 0) {
                    context.failed(tester, "its process ended with exit code " + ended.exitValue() + lastWords(log));
                }
            });
            return process;
        }

        private void give(int tester, Process process) {
            try (OutputStream ticket = process.getOutputStream()) {
                ticket.write(context.ticket(tester).getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                // It ended before it read its ticket; the exit handler says why.
                context.log("tester-" + tester + " did not take its ticket: " + e.getMessage());
            }
        }

        private Process start(Path folder, Path log) throws IOException {
            try {
                return new ProcessBuilder(command(folder))
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

        private List<String> command(Path folder) {
            List<String> command = new ArrayList<>();
            if (context.with().has(CORES)) {
                command.addAll(List.of("taskset", "--cpu-list", context.with().string(CORES)));
            }
            command.add(context.java());
            command.addAll(context.jvm());
            String classPath = context.testerClassPath().stream()
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
            // The name by which testers are found in a list of processes, also when they run from a class path.
            command.add("-Ddiperf.role=diperf-tester");
            command.addAll(List.of("-cp", classPath, "org.diperf.tester.TesterMain"));
            command.addAll(List.of("--folder", folder.toString()));
            for (Path jar : context.pluginJars()) {
                command.addAll(List.of("--plugin", jar.toString()));
            }
            return command;
        }

        /** A JVM that cannot start says why in the first of its few lines, a tester in its last one. */
        private static String lastWords(Path log) {
            try {
                List<String> lines = Files.readAllLines(log).stream()
                        .filter(line -> !line.isBlank())
                        .toList();
                return ": "
                        + String.join("; ", lines.subList(Math.max(0, lines.size() - LAST_LINES), lines.size()))
                        + " (" + log + ")";
            } catch (IOException e) {
                return " (" + log + " cannot be read)";
            }
        }

        @Override
        public void close() throws IOException, InterruptedException {
            closing = true;
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
        }
    }
}
