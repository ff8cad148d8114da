package org.diperf.controller.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.diperf.core.ports.FreePorts;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/** Testers on three real sshd of the loopback, which share one disk as many clusters do. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
class SshTestbedIT {

    @TempDir
    Path work;

    private final List<Sshd> hosts = new ArrayList<>();
    private Path key;

    @BeforeEach
    void sshdIsInstalled() throws Exception {
        assumeTrue(Command.installed("sshd"), "sshd is not installed: apt-get install openssh-server");
        assumeTrue(Command.installed("nginx"), "nginx is not installed: apt-get install nginx-light");
        key = Sshd.userKey(work);
    }

    @AfterEach
    void stopHosts() throws IOException {
        hosts.forEach(Sshd::close);
        // JUnit warns of each link that leads out of its folder.
        Path bin = work.resolve("bin");
        for (Path link : Files.exists(bin) ? files(bin) : List.<Path>of()) {
            Files.delete(link);
        }
    }

    @Tag("quick")
    @Test
    void oneExperimentRunsOnThreeHostsAndLeavesNothingBehind() throws Exception {
        threeHosts();
        try (Nginx nginx = Nginx.start(work)) {
            Command run = run(nginx.url("/"), 3, "load.run-for=3s");

            assertThat(run.exitCode()).as(run.output()).isZero();
            List<String> log = nginx.stopAndReadLog();
            assertThat(folder().calls("ok")).isEqualTo(log.size()).isGreaterThan(100);
            assertThat(folder().calls("total")).isEqualTo(log.size());
        }
        for (int tester = 1; tester <= 3; tester++) {
            assertThat(work.resolve("out/logs/tester-" + tester + ".log")).exists();
        }
        nothingIsLeft();
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void hostsThatCannotBeUsedAreNamedAndTheRunContinuesWithTheRest() throws Exception {
        Path bin = programsWithoutJava();
        Sshd good = host("127.0.0.2");
        Sshd withoutJava = host("127.0.0.3", "SetEnv PATH=" + bin);
        Sshd changed = host("127.0.0.4");
        Sshd down = host("127.0.0.5");
        down.close();
        known(good.knownHostsLine(), withoutJava.knownHostsLine(), changed.knownHostsLineWithKeyOf(good));
        try (Nginx nginx = Nginx.start(work)) {
            Command run = run(nginx.url("/"), 1, "load.run-for=1s");

            assertThat(run.exitCode()).as(run.output()).isZero();
            assertThat(run.output())
                    .contains(withoutJava.name() + " is not used: no Java")
                    .contains(changed.name() + " is not used: its host key has changed")
                    .contains(work.resolve("known_hosts") + " line 3")
                    .contains(down.name() + " is not used: connection refused");
        }
        nothingIsLeft();
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void anUnknownHostIsRefusedUnlessNewKeysAreAccepted() throws Exception {
        Sshd host = host("127.0.0.2");
        known();
        try (Nginx nginx = Nginx.start(work)) {
            Command strict = run(nginx.url("/"), 1, "load.run-for=1s");
            assertThat(strict.exitCode()).as(strict.output()).isNotZero();
            assertThat(strict.output()).contains("host key is not known (SHA256:");

            Command accepting = run(nginx.url("/"), 1, "load.run-for=1s", "testbed.host-keys=accept-new");
            assertThat(accepting.exitCode()).as(accepting.output()).isZero();
        }
        assertThat(work.resolve("known_hosts")).hasContent(host.knownHostsLine());
        nothingIsLeft();
    }

    @Test
    void hostsBehindAJumpHostThatCannotReachTheControllerSendThroughSsh() throws Exception {
        Sshd head = host("127.0.0.2");
        Sshd behind = host("127.0.0.3");
        known(head.knownHostsLine(), behind.knownHostsLine());
        hosts.remove(head);
        try (head;
                Nginx nginx = Nginx.start(work)) {
            Command run =
                    run(nginx.url("/"), 2, "load.run-for=1s", "testbed.jump=" + head.name(), "testbed.transport=ssh");

            assertThat(run.exitCode()).as(run.output()).isZero();
            assertThat(head.log()).contains("Accepted publickey");
            List<String> log = nginx.stopAndReadLog();
            assertThat(folder().calls("ok")).isEqualTo(log.size()).isPositive();
        }
        assertThat(Files.readString(work.resolve("out/experiment.yml"))).contains("listen: \"127.0.0.1\"");
        nothingIsLeft();
    }

    /** Nobody behind the head node reaches the controller, so the relay there is dialled. */
    @Test
    void hostsBehindAHeadNodeThatLetsNothingOutJoinThroughARelayThatIsDialled() throws Exception {
        Sshd head = host("127.0.0.2");
        Sshd behind = host("127.0.0.3");
        known(head.knownHostsLine(), behind.knownHostsLine());
        hosts.remove(head);
        int port = FreePorts.take();
        try (head;
                Nginx nginx = Nginx.start(work);
                Command run = run(
                        nginx.url("/"),
                        2,
                        "load.run-for=1s",
                        "testbed.jump=" + head.name(),
                        "controller.relays=[127.0.0.3:" + port + " dialled at 127.0.0.2:" + port + "]",
                        // An address of documentation, where nobody is.
                        "controller.advertise=192.0.2.1")) {
            run.awaitOutput(output -> output.contains("relay-1.ticket"));
            try (Command relay = Command.diperf(
                    work,
                    "relay",
                    "--ticket",
                    work.resolve("out/control/relay-1.ticket").toString())) {
                assertThat(run.exitCode())
                        .as(run.output() + "\n" + relay.output())
                        .isZero();
                assertThat(relay.output()).contains("waiting for the controller");
            }
            List<String> log = nginx.stopAndReadLog();
            assertThat(folder().calls("ok")).isEqualTo(log.size()).isPositive();
        }
        nothingIsLeft();
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void whatIsKeptInTheCacheIsNotSentAgain() throws Exception {
        threeHosts();
        try (Nginx nginx = Nginx.start(work)) {
            Command first = run(nginx.url("/"), 3, "load.run-for=1s", "testbed.cache=keep");
            assertThat(first.exitCode()).as(first.output()).isZero();
            List<Path> kept = files(work.resolve("nodes/cache"));
            assertThat(kept).hasSize(1);
            Object before = Files.getAttribute(kept.get(0), "unix:ino");

            Command second = run(nginx.url("/"), 3, "load.run-for=1s", "testbed.cache=keep");
            assertThat(second.exitCode()).as(second.output()).isZero();
            assertThat(Files.getAttribute(kept.get(0), "unix:ino")).isEqualTo(before);
            assertThat(work.resolve("nodes/runs")).doesNotExist();

            Command last = run(nginx.url("/"), 3, "load.run-for=1s", "testbed.cache=remove");
            assertThat(last.exitCode()).as(last.output()).isZero();
        }
        nothingIsLeft();
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void deployedFilesStandInTheTestersFolder() throws Exception {
        threeHosts();
        Files.createDirectory(work.resolve("tools"));
        Path tool = Files.writeString(work.resolve("tools/check.sh"), "#!/bin/sh\ncat tools/data.txt\n");
        assertThat(tool.toFile().setExecutable(true)).isTrue();
        Files.writeString(work.resolve("tools/data.txt"), "deployed\n");
        try (Nginx nginx = Nginx.start(work)) {
            Command run = run(
                    nginx.url("/"),
                    3,
                    "load.run-for=1s",
                    "load.think=200ms",
                    "deploy=[tools]",
                    "client={plugin: exec, with: {command: [./tools/check.sh], success: {stdout: deployed}}}");
            assertThat(run.exitCode()).as(run.output()).isZero();
            assertThat(folder().calls("ok")).isEqualTo(folder().calls("total")).isPositive();
        }
        nothingIsLeft();
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void eachHostGetsTheDataFileAndGivesRowsOfItsOwn() throws Exception {
        threeHosts();
        String rows =
                IntStream.range(0, 5_000).mapToObj(i -> "order" + i + "\n").collect(Collectors.joining());
        Files.writeString(work.resolve("orders.csv"), "id\n" + rows);
        try (Nginx nginx = Nginx.start(work)) {
            Command run = run(
                    nginx.url("/"),
                    3,
                    "client={plugin: http, with: {path: '/order/${orders.id}'}}",
                    "data={orders: {file: orders.csv, give: per-call}}",
                    "load={clients: 30, calls: 900}");

            assertThat(run.exitCode()).as(run.output()).isZero();
            // Each of three testers has every third row, and ten of the clients with 30 calls each.
            assertThat(nginx.stopAndReadLog())
                    .containsExactlyInAnyOrderElementsOf(IntStream.range(0, 900)
                            .mapToObj(i -> "200 /order/order" + i)
                            .toList());
        }
        nothingIsLeft();
    }

    @Test
    void theServiceUnderTestRunsOnTheHostThatIsNamedAndLeavesNothingThere() throws Exception {
        assumeTrue(Command.installed("python3"), "python3 is not installed: apt-get install python3");
        threeHosts();
        Path page = Files.writeString(work.resolve("page.txt"), "hello");
        int port = FreePorts.take();
        Command run = run(
                "http://127.0.0.3:" + port + "/page.txt",
                2,
                "load.run-for=1s",
                "load.clients=2",
                "service={on: 127.0.0.3, deploy: [" + page.getFileName() + "], start: 'pwd >" + work.resolve("where")
                        + "; exec python3 -u -m http.server " + port + " --bind 127.0.0.3'}");

        assertThat(run.exitCode()).as(run.output()).isZero();
        assertThat(folder().calls("ok")).isEqualTo(folder().calls("total")).isPositive();
        assertThat(work.resolve("where"))
                .content()
                .startsWith(work.resolve("nodes").toString());
        assertThat(work.resolve("out/logs/service.log")).content().contains("GET /page.txt");
        nothingIsLeft();
        try (ServerSocket again = new ServerSocket()) {
            again.setReuseAddress(true);
            again.bind(new InetSocketAddress("127.0.0.3", port));
        }
    }

    @Test
    void nothingIsLeftAfterCtrlC() throws Exception {
        threeHosts();
        try (Nginx nginx = Nginx.start(work)) {
            Command run = run(nginx.url("/"), 3, "load.run-for=100s");
            run.awaitOutput(output -> output.contains("calls/s") || output.contains("/s"));
            // As a terminal's Ctrl-C, for the controller alone.
            new ProcessBuilder("kill", "-INT", String.valueOf(run.process().pid()))
                    .start()
                    .waitFor();
            assertThat(run.exitCode()).as(run.output()).isNotZero();
        }
        nothingIsLeft();
    }

    @Test
    void testersWhoseControllerIsKilledLeaveTheirSpoolsAloneAndResumingBringsThemHome() throws Exception {
        known(host("127.0.0.2").knownHostsLine(), host("127.0.0.3").knownHostsLine());
        try (CallLog target = CallLog.onLoopback()) {
            startAndKillTheController(target, 2, "testbed.testers-per-node=1", "testbed.linger=1s");
            awaitSpoolsAlone();
            assertThat(Files.readString(work.resolve("out/run.json")))
                    .contains("\"spools\" : [", "/spool/", "tester-1.spool", "scp -i ");

            Command second = Command.diperf(work, "run", "--no-report", "--resume", "out");
            assertThat(second.exitCode()).as(second.output()).isEqualTo(3);
            assertThat(second.output()).contains("tester-1 left", "tester-2 left");
            assertThat(folder().outcomesByCall().keySet())
                    .containsAll(target.seen().keySet());
            assertThat(target.doubles()).isZero();
            assertThat(work.resolve("out/control")).doesNotExist();
        }
        nothingIsLeft();
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void testersThatNoLongerReachTheirControllerAreEndedForWhatTheyHave() throws Exception {
        known(host("127.0.0.2").knownHostsLine());
        try (CallLog target = CallLog.onLoopback()) {
            // The way through ssh ends with the controller, and the testers wait for minutes.
            startAndKillTheController(target, 1, "testbed.transport=ssh", "testbed.linger=5m");
            TimeUnit.SECONDS.sleep(5);
            Command second = Command.diperf(work, "run", "--no-report", "--resume", "out");
            assertThat(second.exitCode()).as(second.output()).isEqualTo(3);
            assertThat(folder().outcomesByCall().keySet())
                    .containsAll(target.seen().keySet());
            assertThat(target.doubles()).isZero();
        }
        nothingIsLeft();
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void aSpoolOnAMachineThatIsDownIsNamedAndItsCopyTaken() throws Exception {
        known(host("127.0.0.2").knownHostsLine(), host("127.0.0.3").knownHostsLine());
        try (CallLog target = CallLog.onLoopback()) {
            startAndKillTheController(target, 2, "testbed.testers-per-node=1", "testbed.linger=1s");
            awaitSpoolsAlone();
            Sshd down = hosts.get(1);
            down.close();
            Command second = Command.diperf(work, "run", "--no-report", "--resume", "out");
            assertThat(second.exitCode()).as(second.output()).isEqualTo(3);
            assertThat(second.output())
                    .contains(
                            "may have left samples on " + down.name(),
                            "connection refused",
                            "To copy them by hand: scp");
            List<Path> left = filesOnHosts();
            assertThat(left)
                    .as("that of the machine that is up is not removed before the run has ended")
                    .hasSize(2);
            String missing = second.output().contains("tester-1 may have left") ? "tester-1" : "tester-2";
            Path copy = Files.copy(
                    left.stream()
                            .filter(file -> file.toString().contains(missing))
                            .findFirst()
                            .orElseThrow(),
                    work.resolve("copy.spool"));
            Command third = Command.diperf(work, "run", "--no-report", "--resume", "out", "--spool", copy.toString());
            assertThat(third.exitCode()).as(third.output()).isEqualTo(3);
            assertThat(third.output())
                    .contains("copy.spool: " + missing + " left", "could not be removed from their machines");
            assertThat(folder().outcomesByCall().keySet())
                    .containsAll(target.seen().keySet());
            assertThat(target.doubles()).isZero();
            assertThat(work.resolve("out/control")).doesNotExist();
        }
    }

    @Test
    void nothingIsLeftWhenTheTestersCannotStart() throws Exception {
        threeHosts();
        try (Nginx nginx = Nginx.start(work)) {
            Command run = run(nginx.url("/"), 3, "load.run-for=1s", "testbed.jvm=[-XX:+NoSuchFlag]");

            assertThat(run.exitCode()).as(run.output()).isNotZero();
            assertThat(run.output()).contains("NoSuchFlag", "exited with code 1");
        }
        nothingIsLeft();
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    void aJavaIsSentToAHostWithoutOne() throws Exception {
        Sshd host = host("127.0.0.3", "SetEnv PATH=" + programsWithoutJava());
        known(host.knownHostsLine());
        try (Nginx nginx = Nginx.start(work)) {
            Command run =
                    run(nginx.url("/"), 1, "load.run-for=1s", "testbed.runtime=" + System.getProperty("java.home"));
            assertThat(run.exitCode()).as(run.output()).isZero();
        }
        nothingIsLeft();
    }

    @Test
    void thirtyTestersRunOnThreeHosts() throws Exception {
        assumeTrue(Boolean.getBoolean("diperf.long"), "takes long: -Ddiperf.long=true");
        threeHosts();
        try (Nginx nginx = Nginx.start(work)) {
            Command run = run(nginx.url("/"), 30, "load.run-for=5s", "testbed.jvm=[-XX:+UseSerialGC, -Xmx96m]");

            assertThat(run.exitCode()).as(run.output()).isZero();
            List<String> log = nginx.stopAndReadLog();
            assertThat(folder().calls("ok")).isEqualTo(log.size()).isGreaterThan(100);
        }
        nothingIsLeft();
    }

    private void threeHosts() throws Exception {
        known(
                host("127.0.0.2").knownHostsLine(),
                host("127.0.0.3").knownHostsLine(),
                host("127.0.0.4").knownHostsLine());
    }

    private Sshd host(String address, String... more) throws Exception {
        Sshd host = Sshd.start(work, address, key, more);
        hosts.add(host);
        return host;
    }

    private void known(String... lines) throws IOException {
        Files.writeString(work.resolve("known_hosts"), String.join("", lines));
    }

    /** Links to all programs of this machine but Java. */
    private Path programsWithoutJava() throws IOException {
        Path bin = Files.createDirectory(work.resolve("bin"));
        try (Stream<Path> programs = Files.list(Path.of("/usr/bin"))) {
            for (Path program : programs.toList()) {
                if (!program.getFileName().toString().startsWith("java")) {
                    Files.createSymbolicLink(bin.resolve(program.getFileName()), program);
                }
            }
        }
        return bin;
    }

    /** Kills the controller of a run in the middle of its load, so that its testers run out of their lease. */
    private void startAndKillTheController(CallLog target, int testers, String... sets)
            throws IOException, InterruptedException {
        List<String> all = new ArrayList<>(List.of(sets));
        all.add("client={plugin: tcp, with: {send: \"${client}-${call}\\n\"}}");
        all.add("load={clients: 4, run-for: 60s, think: 5ms, timeout: 1s}");
        all.add("controller.lease=3s");
        Command run = run("tcp://127.0.0.1:" + target.port(), testers, all.toArray(String[]::new));
        run.awaitOutput(output -> target.seen().size() >= 400);
        run.process().destroyForcibly().waitFor();
    }

    private Command run(String target, int testers, String... sets) throws IOException, InterruptedException {
        Path file = Files.writeString(work.resolve("experiment.yml"), """
                target: %s
                testbed:
                  kind: ssh
                  testers: %d
                  testers-per-node: 10
                  candidates: [%s]
                  key: %s
                  known-hosts: %s
                  folder: %s
                  jvm: [-XX:+UseSerialGC, -Xmx256m, -XX:TieredStopAtLevel=1]
                controller: { advertise: 127.0.0.1 }
                load: { clients: 30, think: 20ms, run-for: 3s }
                """.formatted(
                        target,
                        testers,
                        hosts.stream().map(host -> "\"" + host.name() + "\"").collect(Collectors.joining(", ")),
                        key,
                        work.resolve("known_hosts"),
                        work.resolve("nodes")));
        List<String> arguments = new ArrayList<>(List.of(
                "run", "--no-report", file.toString(), "--out", nextOut().toString()));
        for (String set : sets) {
            arguments.addAll(List.of("--set", set));
        }
        return Command.diperf(work, arguments.toArray(String[]::new));
    }

    /** The run before, if any, makes room. */
    private Path nextOut() throws IOException {
        Path out = work.resolve("out");
        if (Files.exists(out)) {
            Files.move(out, Files.createTempDirectory(work, "before").resolve("out"));
        }
        return out;
    }

    private RunFolder folder() {
        return new RunFolder(work.resolve("out"));
    }

    private static List<Path> files(Path folder) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    /** No file of ours on the hosts, and no process that was started there. */
    private void nothingIsLeft() throws IOException {
        assertThat(work.resolve("nodes")).doesNotExist();
        assertThat(processesOnHosts()).isEmpty();
    }

    /** The shells that clean up after the testers name no folder of ours, so what counts is what they leave. */
    private void awaitSpoolsAlone() throws IOException, InterruptedException {
        for (int i = 0;
                i < 2_400 && (filesOnHosts().size() != 2 || !processesOnHosts().isEmpty());
                i++) {
            TimeUnit.MILLISECONDS.sleep(50);
        }
        assertThat(processesOnHosts()).isEmpty();
        assertThat(filesOnHosts())
                .extracting(file -> file.getFileName().toString())
                .containsExactlyInAnyOrder("tester-1.spool", "tester-2.spool");
    }

    private List<Path> filesOnHosts() throws IOException {
        try (Stream<Path> files = Files.walk(work.resolve("nodes"))) {
            return files.filter(Files::isRegularFile).toList();
        } catch (UncheckedIOException | NoSuchFileException e) {
            // A file went while the folders were walked.
            return List.of();
        }
    }

    private List<String> processesOnHosts() throws IOException {
        List<String> ours = new ArrayList<>();
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            for (Path process : processes
                    .filter(each -> each.getFileName().toString().matches("[0-9]+"))
                    .toList()) {
                try {
                    String line =
                            Files.readString(process.resolve("cmdline"), java.nio.charset.StandardCharsets.ISO_8859_1);
                    if (line.contains(work.resolve("nodes").toString())) {
                        ours.add(line.replace('\0', ' '));
                    }
                } catch (IOException gone) {
                    continue;
                }
            }
        }
        return ours;
    }
}
