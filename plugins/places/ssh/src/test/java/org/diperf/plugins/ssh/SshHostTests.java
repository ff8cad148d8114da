package org.diperf.plugins.ssh;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.net.httpserver.HttpServer;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.Host;
import org.diperf.core.spi.Node;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.Url;
import org.diperf.core.testbeds.BareContext;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A machine of the testbed and programs on it that are no testers, over a real sshd. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SshHostTests {

    @TempDir
    Path work;

    private Process sshd;
    private HttpServer service;
    private Testbed testbed;
    private String name;

    @BeforeEach
    void startSshd() throws Exception {
        assumeTrue(Files.exists(Path.of("/usr/sbin/sshd")), "sshd is not installed: apt-get install openssh-server");
        int port = FreePorts.take();
        for (String key : List.of("user", "host")) {
            run(
                    "ssh-keygen",
                    "-q",
                    "-t",
                    "ed25519",
                    "-N",
                    "",
                    "-f",
                    work.resolve(key).toString());
        }
        Path config = Files.writeString(
                work.resolve("config"), """
                ListenAddress 127.0.0.2
                Port %d
                HostKey %s
                AuthorizedKeysFile %s
                StrictModes no
                UsePAM no
                PidFile none
                """.formatted(port, work.resolve("host"), work.resolve("user.pub")));
        Files.createDirectories(Path.of("/run/sshd"));
        sshd = new ProcessBuilder(
                        "/usr/sbin/sshd",
                        "-D",
                        "-f",
                        config.toString(),
                        "-E",
                        work.resolve("log").toString())
                .start();
        awaitListening(port);
        name = System.getProperty("user.name") + "@127.0.0.2:" + port;
        byte[] bytes = new byte[2 << 20];
        service = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 5);
        service.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, bytes.length);
            try (OutputStream body = exchange.getResponseBody()) {
                body.write(bytes);
            }
        });
        service.start();
        testbed = new SshTestbedPlugin().open(new Context());
    }

    private Parameters parameters() {
        return Parameters.read(
                new SshTestbedPlugin().parameters(),
                Map.of(
                        "candidates",
                        List.of(name),
                        "key",
                        work.resolve("user").toString(),
                        "known-hosts",
                        work.resolve("known").toString(),
                        "host-keys",
                        "accept-new",
                        "bandwidth",
                        "http://127.0.0.1:" + service.getAddress().getPort() + "/big",
                        "folder",
                        work.resolve("node").toString()),
                1);
    }

    private void awaitListening(int port) throws Exception {
        for (int i = 0; i < 200 && sshd.isAlive(); i++) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.2", port), 1_000);
                return;
            } catch (java.io.IOException notYet) {
                sshd.waitFor(50, TimeUnit.MILLISECONDS);
            }
        }
        throw new AssertionError("sshd does not listen: " + Files.readString(work.resolve("log")));
    }

    @AfterEach
    void stopSshd() throws Exception {
        if (sshd != null) {
            testbed.close();
            assertThat(work.resolve("node")).doesNotExist();
            sshd.descendants().forEach(ProcessHandle::destroyForcibly);
            sshd.destroyForcibly().waitFor();
            service.stop(0);
        }
    }

    @Test
    void aProgramRunsInTheHostsFolderWithItsFilesAndEnvironment() throws Exception {
        Path script = Files.writeString(work.resolve("say.sh"), "#!/bin/sh\necho \"$1 $WORD\"\nexit 7\n");
        assertThat(script.toFile().setExecutable(true)).isTrue();
        Host host = testbed.host("127.0.0.2");
        host.put(script, "bin/say.sh");

        Host.Execution run = host.start("bin/say.sh it\\'s", Map.of("WORD", "a 'quoted' word"));

        awaitEnd(run);
        assertThat(run.exitCode()).isEqualTo(7);
        assertThat(run.lastWords()).isEqualTo("it's a 'quoted' word");
        assertThat(run.hasWritten("it's a 'quoted'")).isTrue();
        assertThat(run.hasWritten(".*")).isFalse();
    }

    @Test
    void endingAProgramEndsWhatItStartedToo() throws Exception {
        Host host = testbed.host(name);
        // The grandchild leaves the process group and does not listen to SIGTERM.
        Host.Execution run =
                host.start("setsid sh -c 'trap \"\" TERM; echo $$ >pid; while :; do sleep 1; done' & wait", Map.of());
        Path pid = Path.of(host.folder()).resolve("pid");
        for (int i = 0; i < 200 && !(Files.exists(pid) && Files.size(pid) > 0); i++) {
            sshd.waitFor(50, TimeUnit.MILLISECONDS);
        }
        long grandchild = Long.parseLong(Files.readString(pid).strip());
        assertThat(run.ended()).isFalse();
        assertThatThrownBy(run::exitCode).isInstanceOf(IllegalStateException.class);

        run.end(TimeUnit.MILLISECONDS.toNanos(300));
        run.end(0);

        // Ended, it stays in the list until its new parent takes note.
        for (int i = 0; i < 200 && ProcessHandle.of(grandchild).isPresent(); i++) {
            sshd.waitFor(50, TimeUnit.MILLISECONDS);
        }
        assertThat(ProcessHandle.of(grandchild)).isEmpty();
        assertThat(run.ended()).isTrue();
        assertThat(run.exitCode()).isGreaterThan(128);
    }

    @Test
    void whatAMachineSaysIsTakenUpToALimitThatIsTold() throws Exception {
        Address address = Address.parse(name, new LoginSettings("nobody", SshConfig.NONE));
        SshConnector access = access(work.resolve("user"), null, SshConfig.NONE);
        try (Connection connection = access.connect(address)) {
            assertThatThrownBy(() -> connection.run(
                            new Script("", "head -c 3000000 /dev/zero\nexec sleep 60\n"), Duration.ofSeconds(30)))
                    .hasMessage("expected at most 1048576 bytes from " + name + ", got more; the rest was not read");
            Connection.Result loud = connection.run(
                    new Script("", "head -c 100000 /dev/zero | tr '\\0' x >&2\n"), Duration.ofSeconds(30));
            assertThat(loud.exitCode()).isZero();
            assertThat(loud.error()).endsWith("x... (34464 more bytes omitted)");
        }
    }

    private SshConnector access(@Nullable Path key, @Nullable Path agent, SshConfig config) {
        return new SshConnector(new SshConnector.Settings(
                key,
                agent == null ? null : agent.toString(),
                work.resolve("home"),
                work.resolve("known"),
                true,
                null,
                config,
                Duration.ofSeconds(10)));
    }

    private SshConfig config(String text) throws Exception {
        Path file = Files.writeString(work.resolve("ssh_config"), text.replace("@", work.toString()));
        return SshConfig.read(file, work);
    }

    private String port() {
        return name.substring(name.lastIndexOf(':') + 1);
    }

    @Test
    void aNameOfTheUsersConfigurationLeadsToItsMachineThroughItsJumpHost() throws Exception {
        SshConfig config = config("""
                Host head
                  HostName 127.0.0.2
                Host node
                  HostName 127.0.0.2
                  ProxyJump head
                  HostKeyAlias node-of-the-test
                Host *
                  User %s
                  Port %s
                  IdentityFile @/user
                """.formatted(System.getProperty("user.name"), port()));
        Address node = Address.parse("node", new LoginSettings(null, config));
        assertThat(node).hasToString(System.getProperty("user.name") + "@node:" + port());
        try (Connection connection = access(null, null, config).connect(node)) {
            String way = connection
                    .run(new Script("", "echo $SSH_CONNECTION\n"), Duration.ofSeconds(30))
                    .out();
            assertThat(way).matches("127\\.0\\.0\\.1 [0-9]+ 127\\.0\\.0\\.2 " + port() + "\\s+");
        }
        assertThat(work.resolve("known"))
                .content()
                .contains("node-of-the-test ssh-ed25519 ", "[127.0.0.2]:" + port() + " ssh-ed25519 ");
        assertThat(Files.readString(work.resolve("log")).split("Accepted publickey"))
                .hasSize(3);
    }

    @Test
    void aKeyWithAPassphraseIsForTheAgent() throws Exception {
        Path locked = work.resolve("locked");
        run("ssh-keygen", "-q", "-t", "ed25519", "-N", "secret", "-f", locked.toString());
        Address address = Address.parse(name, new LoginSettings(null, SshConfig.NONE));
        String remedy = "eval \"$(ssh-agent)\"; ssh-add '" + locked + "'";

        assertThatThrownBy(() -> access(locked, null, SshConfig.NONE).check())
                .hasMessageContainingAll("without a passphrase", "got an encrypted one", remedy);
        assertThatThrownBy(() ->
                        access(null, null, config("IdentityFile @/locked\n")).connect(address))
                .hasMessageContainingAll("got encrypted keys: [" + locked + "]", remedy);
        run(
                "ssh-keygen",
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                work.resolve("stranger").toString());
        SshConfig both = config("IdentityFile @/locked\nIdentityFile @/stranger\n");
        assertThatThrownBy(() -> access(null, null, both).connect(address))
                .hasMessageContainingAll(
                        "was refused with the keys [" + work.resolve("stranger") + "]",
                        "not tried because it has a passphrase: " + locked,
                        remedy);
    }

    @Test
    void keysOfTheAgentAreTriedAfterThoseOfTheConfiguration() throws Exception {
        Path socket = work.resolve("agent");
        run(
                "ssh-keygen",
                "-q",
                "-t",
                "ed25519",
                "-N",
                "",
                "-f",
                work.resolve("stranger").toString());
        SshConfig config = config("IdentityFile @/stranger\n");
        Address address = Address.parse(name, new LoginSettings(null, config));
        Process agent = new ProcessBuilder("ssh-agent", "-D", "-a", socket.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();
        try {
            for (int i = 0; i < 200 && !Files.exists(socket); i++) {
                agent.waitFor(50, TimeUnit.MILLISECONDS);
            }
            ProcessBuilder add =
                    new ProcessBuilder("ssh-add", "-q", work.resolve("user").toString());
            add.environment().put("SSH_AUTH_SOCK", socket.toString());
            assertThat(add.start().waitFor()).isZero();

            access(null, socket, config).connect(address).close();
            SshConfig alone = config("IdentityFile @/stranger\nIdentitiesOnly yes\n");
            assertThatThrownBy(() -> access(null, socket, alone).connect(address))
                    .hasMessageContaining("was refused with the keys [" + work.resolve("stranger") + "]: ");
        } finally {
            agent.destroyForcibly().waitFor();
        }
    }

    private static void run(String... command) throws Exception {
        assertThat(new ProcessBuilder(command).start().waitFor()).isZero();
    }

    @Test
    void aMachineThatIsNotInTheTestbedIsNamed() {
        assertThatThrownBy(() -> testbed.host("elsewhere"))
                .hasMessageContaining("'elsewhere'")
                .hasMessageContaining(name);
    }

    @Test
    void theSurveySaysWhatTheMachineIs() throws Exception {
        Node node = testbed.survey().get(0);

        assertThat(node.trouble()).isEmpty();
        assertThat(node.measures())
                .containsKeys(
                        Node.CORES,
                        Node.MEMORY,
                        Node.FREE,
                        Node.AVAILABLE,
                        Node.LOAD,
                        Node.DISK,
                        Node.RTT,
                        Node.BANDWIDTH,
                        Node.OFFSET,
                        Node.JAVA);
        assertThat(node.measures().get(Node.JAVA)).isGreaterThanOrEqualTo(17);
        assertThat(node.measures().get(Node.FREE))
                .isBetween(1.0, node.measures().get(Node.MEMORY));
        assertThat(node.measures().get(Node.AVAILABLE)).isBetween(0.0, 1.0);
        assertThat(node.facts()).containsKeys("system", "java", "folder");
        assertThat(node.facts().get("round trip")).contains("TCP connect to the target http://127.0.0.1:");
        assertThat(node.facts().get("bandwidth")).contains("/big, 2048 KiB");
        assertThat(work.resolve("node")).doesNotExist();
    }

    /** A run whose tester gets its ticket when its test says so. */
    private final class SlowContext extends Context {

        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch mayStart = new CountDownLatch(1);
        volatile boolean cleanedMeanwhile;

        @Override
        public String ticket(int tester) {
            asked.countDown();
            try {
                mayStart.await();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            return "ticket";
        }

        /** Takes the logs, which are brought before the machine's folder is removed. */
        @Override
        public Path folder() {
            if (asked.getCount() == 0 && mayStart.getCount() > 0) {
                cleanedMeanwhile = true;
            }
            return super.folder();
        }
    }

    private static Thread began(Callable<?> work) {
        Thread thread = new Thread(() -> {
            try {
                work.call();
            } catch (InterruptedException e) {
                // as its test wants
            } catch (Exception e) {
                throw new AssertionError(e);
            }
        });
        thread.start();
        return thread;
    }

    @Test
    void aMachineIsNotCleanedWhileATesterIsStartedOnIt() throws Exception {
        SlowContext context = new SlowContext();
        Testbed starting = new SshTestbedPlugin().open(context);
        Thread start = began(() -> {
            starting.start(List.of(Place.anywhere(1)));
            return null;
        });
        context.asked.await();
        start.interrupt();
        start.join();
        Thread end = began(() -> {
            starting.close();
            return null;
        });
        while (!context.cleanedMeanwhile
                && Stream.of(end.getStackTrace())
                        .noneMatch(frame -> frame.getMethodName().equals("settle"))) {
            Thread.onSpinWait();
        }
        context.mayStart.countDown();
        end.join();
        assertThat(context.cleanedMeanwhile).isFalse();
        assertThat(work.resolve("node")).doesNotExist();
    }

    private void awaitEnd(Host.Execution run) throws Exception {
        for (int i = 0; i < 200 && !run.ended(); i++) {
            sshd.waitFor(50, TimeUnit.MILLISECONDS);
        }
        assertThat(run.ended()).isTrue();
    }

    private class Context extends BareContext {

        Context() {
            super(parameters(), work);
        }

        @Override
        public List<Url> targets() {
            return List.of(Url.of("http://127.0.0.1:" + service.getAddress().getPort() + "/"));
        }

        @Override
        public InetSocketAddress controller() {
            return new InetSocketAddress("127.0.0.1", 1);
        }

        @Override
        public List<Path> testerClassPath() {
            // Its content does not matter: hosts get none of it.
            return List.of(work.resolve("config"));
        }

        @Override
        public void failed(int tester, String reason) {
            throw new AssertionError(reason);
        }
    }
}
