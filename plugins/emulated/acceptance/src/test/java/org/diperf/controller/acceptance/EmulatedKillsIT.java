package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.diperf.core.folder.FolderLock;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Runs over emulated networks of which any process is killed at any instant: what belongs to them goes with them. */
@EnabledIfSystemProperty(named = "diperf.long", matches = "true")
@Timeout(value = 40, unit = TimeUnit.MINUTES)
class EmulatedKillsIT {

    private static final int STARTS = 100;
    private static final int AT_A_TIME = 2;
    private static final int LONGEST_MILLIS = 12_000;
    private static final int BETWEEN_MILLIS = 400;
    /** Every process of a run inherits it. */
    private static final String MARK = "DIPERF_KILLED_RUN";

    private static final Path PROCESSES = Path.of("/proc");

    @TempDir
    Path work;

    private final AtomicInteger up = new AtomicInteger();

    @Test
    void nothingIsLeftOfAHundredRunsThatAreKilledAtAnyInstant() throws Exception {
        EmulatedExperiment.needs();
        long seed = new Random().nextLong();
        Path temporary = Files.createDirectory(work.resolve("temporary"));
        Set<String> before = EmulatedExperiment.devices();
        ExecutorService side = Executors.newFixedThreadPool(AT_A_TIME);
        try {
            List<Future<?>> rounds = new ArrayList<>();
            for (int i = 0; i < STARTS; i++) {
                int round = i;
                rounds.add(side.submit(() -> {
                    round(round, new Random(seed + round), temporary);
                    return null;
                }));
            }
            for (int i = 0; i < STARTS; i++) {
                try {
                    rounds.get(i).get();
                } catch (ExecutionException e) {
                    throw new AssertionError("round " + i + ", seed " + seed, e.getCause());
                }
            }
        } finally {
            side.shutdownNow();
        }
        assertThat(up)
                .as("networks that were there when the kill came, seed " + seed)
                .hasValueGreaterThan(STARTS / 5);
        SlurmCluster.await(
                "the devices and their addresses gone", () -> before.containsAll(EmulatedExperiment.devices()));
        // The next run removes what killed ones left among the temporary files a while ago.
        for (Path lock : locks(temporary)) {
            Files.setLastModifiedTime(lock, FileTime.fromMillis(0));
        }
        try (Command diperf = diperf(experiment("last", "1s"), "last", temporary)) {
            assertThat(diperf.exitCode()).as(diperf.output()).isZero();
        }
        assertThat(locks(temporary)).as("temporary folders, seed " + seed).isEmpty();
    }

    private static List<Path> locks(Path temporary) throws IOException {
        try (Stream<Path> all = Files.walk(temporary)) {
            return all.filter(each -> each.endsWith(FolderLock.FILE)).toList();
        }
    }

    private void round(int round, Random random, Path temporary) throws Exception {
        String name = "round-" + round;
        try (Command diperf = diperf(experiment(name, "120s"), name, temporary)) {
            TimeUnit.MILLISECONDS.sleep(random.nextInt(LONGEST_MILLIS));
            List<ProcessHandle> all = marked(name);
            up.addAndGet(all.size() > 4 ? 1 : 0);
            if (!all.isEmpty()) {
                all.get(random.nextInt(all.size())).destroyForcibly();
            }
            TimeUnit.MILLISECONDS.sleep(random.nextInt(BETWEEN_MILLIS));
            if (random.nextBoolean()) {
                diperf.process().destroyForcibly();
            } else {
                new ProcessBuilder(
                                "kill", "-INT", Long.toString(diperf.process().pid()))
                        .start()
                        .waitFor();
            }
            SlurmCluster.await(
                    "all processes of " + name + " gone", () -> marked(name).isEmpty());
        }
    }

    private Path experiment(String name, String duration) throws Exception {
        int port = FreePorts.take();
        return Files.writeString(
                work.resolve(name + ".yml"),
                "target: http://server:" + port + "/1\nservice: { start: '"
                        + PageService.command(port) + "' }\n" + """
                testbed:
                  kind: emulated
                  testers: 2
                  hosts: { client: { count: 2 }, server: {} }
                  routers: [ r ]
                  links:
                    - { between: [client, r], latency: 1ms }
                    - { between: [r, server], latency: 1ms }
                  place: { service: server, testers: client }
                load: { clients: 2, run-for: %s, think: 10ms }
                """.formatted(duration));
    }

    private Command diperf(Path experiment, String name, Path temporary) throws Exception {
        List<String> command = new ArrayList<>(Command.commandLine(
                Command.controllerJar(),
                "run",
                "--no-report",
                experiment.getFileName().toString(),
                "--out",
                "out-" + name,
                "--no-progress"));
        command.add(1, "-Djava.io.tmpdir=" + temporary);
        return Command.start(work, Map.of(MARK, name), command);
    }

    /** Lists the processes of a run, wherever they hang. */
    private static List<ProcessHandle> marked(String name) throws IOException {
        try (Stream<Path> all = Files.list(PROCESSES)) {
            return all.map(each -> each.getFileName().toString())
                    .filter(each -> each.matches("[0-9]+") && isMarked(each, name))
                    .flatMap(each -> ProcessHandle.of(Long.parseLong(each)).stream())
                    .toList();
        }
    }

    private static boolean isMarked(String process, String name) {
        try {
            String environment =
                    Files.readString(PROCESSES.resolve(process).resolve("environ"), StandardCharsets.ISO_8859_1);
            return Stream.of(environment.split("\0")).anyMatch((MARK + "=" + name)::equals);
        } catch (IOException e) {
            // It has ended meanwhile.
            return false;
        }
    }
}
