package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * Controllers, relays and testers are killed at random instants, each kind again and again within a run of its own. No
 * sample that was safe is lost, none is there twice, and the report names who is missing.
 */
class FaultsIT {

    /** Kills of a round, by kind. */
    private static final int CONTROLLERS = 7;

    private static final int RELAYS = 7;
    private static final int TESTERS = 6;
    private static final int EACH_ROUND = CONTROLLERS + RELAYS + TESTERS;
    private static final int LONG = Integer.getInteger("diperf.kills", 200);

    /** What a tester measured so long before its death was acknowledged: blocks wait 100 ms, commits 200 ms. */
    private static final long SAFE_NANOS = TimeUnit.SECONDS.toNanos(2);

    private static final Pattern LOST = Pattern.compile("tester (\\d+) was lost");

    @TempDir
    Path work;

    @Test
    @Timeout(value = 4, unit = TimeUnit.MINUTES)
    void twentyKills() throws Exception {
        round(7, 0);
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    @Timeout(value = 60, unit = TimeUnit.MINUTES)
    void manyKills() throws Exception {
        long seed = Long.getLong("diperf.seed", System.nanoTime());
        int rounds = (LONG + EACH_ROUND - 1) / EACH_ROUND;
        for (int round = 1; round <= rounds; round++) {
            System.out.println(
                    "FaultsIT seed " + seed + ", kills " + (round - 1) * EACH_ROUND + " to " + (round * EACH_ROUND - 1));
            round(seed + round, round);
        }
    }

    private interface Scenario {
        void run(CallLog target, Path folder, Random random, String trial) throws Exception;
    }

    /** Runs the three kinds side by side, each with a service of its own. */
    private void round(long seed, int number) throws Exception {
        List<Scenario> scenarios = List.of(this::killControllers, this::killRelays, this::killTesters);
        ExecutorService threads = Executors.newFixedThreadPool(scenarios.size());
        try {
            List<Future<?>> running = new ArrayList<>();
            for (int i = 0; i < scenarios.size(); i++) {
                Scenario scenario = scenarios.get(i);
                Random random = new Random(seed + 1_000L * i);
                Path folder = work.resolve("run-" + number + "-" + i);
                String trial = "seed " + seed + ", " + folder.getFileName();
                running.add(threads.submit(() -> {
                    try (CallLog target = CallLog.onLoopback()) {
                        scenario.run(target, folder, random, trial);
                    }
                    return null;
                }));
            }
            for (Future<?> each : running) {
                each.get();
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private Command run(CallLog target, Path folder, int testers, String length, String more)
            throws IOException, InterruptedException {
        Path file = Files.writeString(work.resolve(folder.getFileName() + ".yml"), """
                target: tcp://127.0.0.1:%d
                client: { plugin: tcp, with: { send: "${client}-${call}\\n" } }
                testbed: { kind: local, testers: %d, linger: 2m }
                load: { clients: %d, run-for: %s, think: 4ms, timeout: 5s }
                measure: { window: whole }
                controller: { lease: 2m%s }
                """.formatted(
                        target.port(), testers, Math.max(4, testers), length, more));
        return Command.diperf(work, "run", file.toString(), "--out", folder.toString());
    }

    private static long bytesKept(Path run) throws IOException {
        Path samples = run.resolve("samples");
        if (!Files.isDirectory(samples)) {
            return 0;
        }
        long bytes = 0;
        try (Stream<Path> files = Files.list(samples)) {
            for (Path file : files.toList()) {
                bytes += Files.size(file);
            }
        }
        return bytes;
    }

    /** Waits for a random instant: mostly while samples come in, now and then while the process is only coming up. */
    private static void awaitInstant(CallLog target, Path run, Command process, Random random, boolean first)
            throws Exception {
        if (first) {
            // Before the load has begun there is nothing to resume.
            process.awaitOutput(output -> target.seen().size() >= 20 && Files.exists(run.resolve("run.json")));
        }
        if (first || random.nextInt(4) > 0) {
            awaitSamples(run, process);
            TimeUnit.MICROSECONDS.sleep(random.nextInt(500_000));
        } else {
            TimeUnit.MICROSECONDS.sleep(random.nextInt(1_000_000));
        }
    }

    /** Waits until more samples are kept than now. */
    private static void awaitSamples(Path run, Command process) throws Exception {
        long before = bytesKept(run);
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (bytesKept(run) <= before) {
            if (System.nanoTime() > deadline || !process.process().isAlive()) {
                throw new AssertionError("Wanted samples in " + run + ", found none: " + process.output());
            }
            TimeUnit.MILLISECONDS.sleep(5);
        }
    }

    private static void kill(Command victim) throws InterruptedException {
        victim.process().destroyForcibly().waitFor();
    }

    /** Ends a run in order, as Ctrl-C would. */
    private static void end(Command controller, String trial) throws InterruptedException {
        controller.process().destroy();
        assertThat(controller.exitCode()).as(trial + controller.output()).isEqualTo(143);
    }

    private void killControllers(CallLog target, Path folder, Random random, String trial) throws Exception {
        List<Command> all = new ArrayList<>();
        try {
            all.add(run(target, folder, 2, "10m", ""));
            for (int kill = 0; kill < CONTROLLERS; kill++) {
                Command victim = all.get(kill);
                awaitInstant(target, folder, victim, random, kill == 0);
                kill(victim);
                all.add(Command.diperf(work, "run", "--resume", folder.toString()));
            }
            Command last = all.get(CONTROLLERS);
            awaitSamples(folder, last);
            end(last, trial);
            everyCallIsThereOnce(target, folder, trial);
            assertThat(new RunFolder(folder).summary().get("warnings").toString())
                    .as(trial)
                    .contains("the controller was killed at about");
        } finally {
            all.forEach(Command::close);
        }
    }

    private void killRelays(CallLog target, Path folder, Random random, String trial) throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        List<Command> relays = new ArrayList<>();
        try (Command diperf = run(target, folder, 2, "10m", ", relays: [127.0.0.1:" + port + "]")) {
            Path ticket = folder.resolve("control/relay-1.ticket");
            diperf.awaitOutput(output -> output.contains(ticket.getFileName().toString()));
            for (int kill = 0; kill < RELAYS; kill++) {
                relays.add(relay(ticket));
                awaitInstant(target, folder, diperf, random, kill == 0);
                kill(relays.get(kill));
            }
            relays.add(relay(ticket));
            awaitSamples(folder, diperf);
            end(diperf, trial);
            everyCallIsThereOnce(target, folder, trial);
        } finally {
            relays.forEach(Command::close);
        }
    }

    private Command relay(Path ticket) throws IOException, InterruptedException {
        return Command.diperf(work, "relay", "--ticket", ticket.toString(), "--listen", "127.0.0.1");
    }

    private void killTesters(CallLog target, Path folder, Random random, String trial) throws Exception {
        int testers = TESTERS + 1;
        try (Command diperf = run(target, folder, testers, "6s", "")) {
            diperf.awaitOutput(output -> target.seen().size() >= 50);
            List<ProcessHandle> victims = diperf.process()
                    .descendants()
                    .filter(child -> child.info().commandLine().orElse("").contains("diperf-tester"))
                    .collect(Collectors.toCollection(ArrayList::new));
            assertThat(victims).as(trial).hasSizeGreaterThanOrEqualTo(testers);
            Map<Integer, ProcessHandle> byTester = victims.stream()
                    .filter(victim -> tester(victim) > 0)
                    .collect(Collectors.toMap(FaultsIT::tester, victim -> victim, (one, other) -> one));
            assertThat(byTester).as(trial).hasSize(testers);
            Map<Integer, Long> killedNanos = new TreeMap<>();
            while (killedNanos.size() < TESTERS) {
                int victim = 1 + random.nextInt(testers);
                if (!killedNanos.containsKey(victim)) {
                    TimeUnit.MICROSECONDS.sleep(random.nextInt(800_000));
                    byTester.get(victim).destroyForcibly();
                    killedNanos.put(victim, System.nanoTime());
                }
            }
            assertThat(diperf.exitCode()).as(trial + diperf.output()).isZero();
            Set<Integer> named = new HashSet<>();
            Matcher lost = LOST.matcher(diperf.output());
            while (lost.find()) {
                named.add(Integer.parseInt(lost.group(1)));
            }
            assertThat(named).as(trial + diperf.output()).isEqualTo(killedNanos.keySet());
            Map<String, Long> missing = target.seen();
            missing.keySet().removeAll(new RunFolder(folder).outcomesByCall().keySet());
            assertThat(missing)
                    .as(trial + ": calls that are missing were made right before their tester was killed")
                    .allSatisfy((call, atNanos) -> {
                        int client = Integer.parseInt(call.substring(0, call.indexOf('-')));
                        Long killed = killedNanos.get(client % testers + 1);
                        assertThat(killed).as(call).isNotNull();
                        assertThat(killed - atNanos).as(call).isLessThan(SAFE_NANOS);
                    });
            assertThat(target.doubles()).isZero();
        }
    }

    /** Returns the number of a tester by the folder that it was given; 0: not known. */
    private static int tester(ProcessHandle process) {
        Matcher folder = Pattern.compile("/tester-(\\d+)(\\s|$)")
                .matcher(process.info().commandLine().orElse(""));
        return folder.find() ? Integer.parseInt(folder.group(1)) : 0;
    }

    /** Compares the record with the target's own, call by call. */
    private static void everyCallIsThereOnce(CallLog target, Path folder, String trial) throws IOException {
        Map<String, String> recorded = new RunFolder(folder).outcomesByCall();
        Set<String> seen = target.seen().keySet();
        Set<String> missing = new HashSet<>(seen);
        missing.removeAll(recorded.keySet());
        assertThat(missing).as(trial).isEmpty();
        assertThat(target.doubles()).as(trial).isZero();
        Map<String, String> unseen = new TreeMap<>(recorded);
        unseen.keySet().removeAll(seen);
        assertThat(unseen)
                .as(trial)
                .hasSizeLessThanOrEqualTo(4)
                .allSatisfy((call, outcome) -> assertThat(outcome).isEqualTo("unfinished"));
    }
}
