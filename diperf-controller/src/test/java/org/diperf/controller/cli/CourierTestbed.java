package org.diperf.controller.cli;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;

/** A testbed of somebody else's: its tester runs in a folder of its own, which has nothing but the files that were sent. */
public final class CourierTestbed implements TestbedPlugin {

    @Override
    public String id() {
        return "courier";
    }

    @Override
    public String summary() {
        return "testers in folders to which files are sent";
    }

    @Override
    public boolean sendsFiles() {
        return true;
    }

    @Override
    public boolean arrivesAtLoopback(Parameters with) {
        return true;
    }

    @Override
    public Testbed open(TestbedContext context) {
        return new Testbed() {
            private final List<Process> running = new ArrayList<>();

            @Override
            public void start(List<Place> places) throws IOException {
                for (Place place : places) {
                    running.add(start(place.tester()));
                }
            }

            private Process start(int tester) throws IOException {
                Path work = Files.createTempDirectory(context.privateFolder(), "sent");
                for (Map.Entry<String, Path> file : context.files().entrySet()) {
                    Path there = work.resolve(file.getKey());
                    Files.createDirectories(there.getParent());
                    // Moved, so that no tester can read the file where it was.
                    Files.move(file.getValue(), there);
                }
                List<String> command = new ArrayList<>(List.of(context.java()));
                command.addAll(context.jvm());
                String classPath = context.testerClassPath().stream()
                        .map(path -> path.toAbsolutePath().toString())
                        .collect(Collectors.joining(File.pathSeparator));
                command.addAll(List.of("-cp", classPath, "org.diperf.tester.TesterMain", "--folder", work.toString()));
                Process process = new ProcessBuilder(command)
                        .directory(work.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(work.resolve("log").toFile())
                        .start();
                try (OutputStream ticket = process.getOutputStream()) {
                    ticket.write(context.ticket(tester).getBytes(StandardCharsets.UTF_8));
                }
                return process;
            }

            @Override
            public void close() throws InterruptedException {
                for (Process process : running) {
                    if (!process.waitFor(10, TimeUnit.SECONDS)) {
                        process.destroyForcibly();
                    }
                }
            }
        };
    }
}
