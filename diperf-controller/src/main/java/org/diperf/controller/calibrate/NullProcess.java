package org.diperf.controller.calibrate;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.folder.LogTail;
import org.diperf.core.machine.LocalMachine;
import org.diperf.core.spi.Url;

/** A {@link NullService} in a process of its own. Confined to one thread. */
final class NullProcess implements AutoCloseable {

    private static final long START_SECONDS = 60;
    private static final long EXIT_SECONDS = 5;
    private static final int PROCESSORS_EACH = 2;

    private final Process process;
    private final List<Url> targets;

    private NullProcess(Process process, List<Url> targets) {
        this.process = process;
        this.targets = targets;
    }

    /**
     * Starts it, with a stand-in for two processors each, as one alone would be the limit where there are many.
     *
     * @param client whose service it stands in for
     * @param jars of plugins that are not bundled
     * @param folder for what it needs meanwhile
     * @throws NoStandInException when the client has none
     * @throws RunFailedException when it could not be started
     */
    static NullProcess start(String client, List<Path> jars, Path folder)
            throws RunFailedException, NoStandInException, IOException, InterruptedException {
        Path log = folder.resolve("service.log");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                NullService.class.getName(),
                client,
                String.valueOf(Math.max(1, LocalMachine.cores() / PROCESSORS_EACH)),
                folder.resolve("service").toString()));
        jars.forEach(jar -> command.add(jar.toString()));
        Process process =
                new ProcessBuilder(command).redirectError(log.toFile()).start();
        CompletableFuture<List<String>> said = new CompletableFuture<>();
        Thread reader = new Thread(() -> read(process, said), "diperf-null-service");
        reader.setDaemon(true);
        reader.start();
        List<String> lines = List.of();
        try {
            lines = said.get(START_SECONDS, TimeUnit.SECONDS);
            if (lines.get(lines.size() - 1).startsWith(NullService.NONE)) {
                throw new NoStandInException(List.of(lines.get(lines.size() - 1)
                        .substring(NullService.NONE.length())
                        .split(" ")));
            }
            return new NullProcess(
                    process,
                    lines.stream()
                            .filter(line -> line.startsWith(NullService.AT))
                            .map(line -> Url.of(line.substring(NullService.AT.length())))
                            .toList());
        } catch (ExecutionException | TimeoutException e) {
            throw new RunFailedException(
                    "Could not start a service to calibrate against; its process did not start: " + lastWords(log)
                            + ". Try again when the machine is less busy",
                    e);
        } finally {
            if (lines.isEmpty() || !lines.get(lines.size() - 1).equals(NullService.READY)) {
                end(process);
            }
        }
    }

    private static void read(Process process, CompletableFuture<List<String>> said) {
        List<String> lines = new ArrayList<>();
        try (BufferedReader from =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8))) {
            for (String line = from.readLine(); line != null; line = from.readLine()) {
                lines.add(line);
                if (line.equals(NullService.READY) || line.startsWith(NullService.NONE)) {
                    said.complete(List.copyOf(lines));
                    return;
                }
            }
            said.completeExceptionally(new IOException("it ended"));
        } catch (IOException e) {
            said.completeExceptionally(e);
        }
    }

    private static String lastWords(Path log) {
        List<String> lines = LogTail.of(log, 1);
        return lines.isEmpty() ? "it printed nothing" : lines.get(0);
    }

    /** Lists the addresses at which it answers. */
    List<Url> targets() {
        return targets;
    }

    @Override
    public void close() throws InterruptedException {
        end(process);
    }

    private static void end(Process process) throws InterruptedException {
        try {
            process.getOutputStream().close();
        } catch (IOException e) {
            // It has ended by itself.
        }
        if (!process.waitFor(EXIT_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
    }
}
