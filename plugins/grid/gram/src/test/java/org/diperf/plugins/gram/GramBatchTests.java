package org.diperf.plugins.gram;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.testbeds.BareContext;
import org.diperf.plugins.lib.batch.BatchContract;
import org.diperf.plugins.lib.batch.HandTime;
import org.diperf.plugins.lib.batch.TestbedClock;
import org.diperf.plugins.lib.gsi.GsiWorld;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A gatekeeper in this process whose jobs are in the hands of the test. */
class GramBatchTests extends BatchContract {

    @TempDir
    static Path home;

    private static GsiWorld world;

    @BeforeAll
    static void makeWorld() throws Exception {
        world = GsiWorld.make(home);
    }

    @Override
    protected Rig rig(Path folder) throws Exception {
        return new GramRig();
    }

    @Test
    void aCredentialThatHasEndedIsRefusedAsByTheClient(@TempDir Path folder) {
        String ended = home.resolve("ended.pem").toString();
        assertThatThrownBy(() -> open(folder, "contacts", List.of("127.0.0.1:1/jobmanager"), "proxy-file", ended))
                .hasMessageContaining("proxy-file: expected a valid credential, got one that expired at");
    }

    @Test
    void aJobMustBeAllowedToWait() {
        Parameters with = parameters("contacts", List.of("127.0.0.1:1/jobmanager"), "wait", "0s");
        assertThatThrownBy(() -> new GramTestbedPlugin().check(with))
                .isInstanceOfSatisfying(
                        Parameters.Unusable.class,
                        unusable -> assertThat(unusable.parameter()).isEqualTo("wait"))
                .hasMessageContaining("expected more than 0");
    }

    @Test
    void whoWaitsForASilentGatekeeperIsTold(@TempDir Path folder) throws Exception {
        HandTime time = new HandTime();
        try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            String contact = "127.0.0.1:" + silent.getLocalPort() + "/jobmanager";
            silent.setSoTimeout(30_000);
            Path tester = Files.createFile(folder.resolve("tester.jar"));
            BareContext run = new BareContext(parameters("contacts", List.of(contact)), folder) {
                @Override
                public List<Path> testerClassPath() {
                    return List.of(tester);
                }
            };
            CompletableFuture<String> refused = new CompletableFuture<>();
            Thread opening = new Thread(() -> {
                try {
                    GramTestbedPlugin.open(run, time).close();
                    refused.complete("");
                } catch (Exception e) {
                    refused.complete(String.valueOf(e.getMessage()));
                }
            });
            opening.setDaemon(true);
            opening.start();
            try (Socket asked = silent.accept()) {
                assertThat(asked.isConnected()).isTrue();
                time.look(3 * HandTime.S);
                time.look(3 * HandTime.S);
                assertThat(run.announced())
                        .containsExactly(
                                "GRAM is waiting for an answer from " + contact + "; each step can take up to 30 s");
            }
            assertThat(refused.get(30, TimeUnit.SECONDS)).contains("got none; " + contact + ": GSI: ");
            assertThat(time.isWatched()).isFalse();
        }
    }

    private static Parameters parameters(Object... more) {
        return Parameters.read(new GramTestbedPlugin().parameters(), world.with(more), 1);
    }

    private static void open(Path folder, Object... more) throws Exception {
        GramTestbedPlugin.open(new BareContext(parameters(more), folder), new HandTime())
                .close();
    }

    private static final class GramRig extends GramStandIn.Behaviour implements Rig {

        private final GramStandIn gatekeeper;
        private final List<String> messages = new CopyOnWriteArrayList<>();
        private volatile String refusal = "";
        private volatile boolean isAway;
        private volatile boolean forgets;
        private volatile boolean isStubborn;
        private volatile JobState state = JobState.UNSUBMITTED;
        private volatile String callback = "";
        private volatile String log = "";
        private @Nullable Path privateFolder;
        private String said = "";
        private int reasons;

        GramRig() throws Exception {
            gatekeeper = GramStandIn.start(world.credentials("proxy.pem"), this);
        }

        @Override
        @Nullable
        String replies(String path, String message, String usual) {
            messages.add(message);
            if (message.contains("rsl:") && !refusal.isEmpty()) {
                return refusal;
            }
            if (message.contains("rsl:")) {
                try {
                    Map<String, String> request = GramMessage.read(message);
                    callback = request.getOrDefault("callback-url", "");
                    log = request.getOrDefault("rsl", "").replaceAll("(?s).*\\(stdout=\"([^\"]*)\"\\).*", "$1");
                } catch (GramMessage.MalformedMessageException e) {
                    throw new AssertionError(e);
                }
                return usual;
            }
            if (message.contains("\"status\"")) {
                return isAway
                        ? ""
                        : GramStandIn.reply("protocol-version: 2\r\nstatus: " + state.code() + "\r\nfailure-code: "
                                + (forgets ? GramError.JOB_CONTACT_NOT_FOUND : 0) + "\r\njob-failure-code: 0\r\n");
            }
            return usual;
        }

        @Override
        List<String> tells(List<String> usual) {
            return List.of();
        }

        @Override
        String writes(String usual) {
            return "";
        }

        @Override
        boolean tellsFirst() {
            return true;
        }

        @Override
        boolean cancels() {
            return !isStubborn;
        }

        private void tell(JobState next, int failureCode) throws Exception {
            state = next;
            gatekeeper
                    .tell(callback, GramStandIn.stateMessage("https://127.0.0.1:1/1/", state.code(), failureCode))
                    .get(30, TimeUnit.SECONDS);
        }

        @Override
        public Testbed open(TestbedContext run, TestbedClock time) throws Exception {
            privateFolder = run.privateFolder();
            String contact = gatekeeper.target().toString().substring("gram://".length());
            Parameters with = Parameters.read(
                    new GramTestbedPlugin().parameters(),
                    world.with("contacts", List.of(contact.replace("%20", " ")), "wait", WAIT.toSeconds() + "s"),
                    1);
            return GramTestbedPlugin.open(run, with, time);
        }

        @Override
        public String refuses() {
            refusal = GramStandIn.reply("protocol-version: 2\r\nstatus: 17\r\n");
            return "GRAM at " + place() + " did not accept the tester's job: submit: 17 JOB_EXECUTION_FAILED";
        }

        private String place() {
            return "127.0.0.1:" + gatekeeper.target().port() + "/jobmanager-stand-in";
        }

        @Override
        public String job() {
            return "GRAM job 1 at " + place();
        }

        @Override
        public String waits() throws Exception {
            boolean pending = reasons++ % 2 == 0;
            tell(pending ? JobState.PENDING : JobState.SUSPENDED, 0);
            return pending ? "it is waiting for resources (PENDING)" : "it is held (SUSPENDED)";
        }

        @Override
        public String runs() throws Exception {
            tell(JobState.ACTIVE, 0);
            return place();
        }

        @Override
        public void says() {
            said = "one\ntwo\n";
        }

        @Override
        public void ends(int exitCode) throws Exception {
            gatekeeper.send(log, said + TesterJob.EXIT + exitCode + "\n").get(30, TimeUnit.SECONDS);
            tell(JobState.DONE, 0);
        }

        @Override
        public String endsJob() throws Exception {
            tell(JobState.FAILED, 17);
            return "failed: 17 JOB_EXECUTION_FAILED";
        }

        @Override
        public void forgets() {
            forgets = true;
        }

        @Override
        public String goesAway() {
            isAway = true;
            return "GRAM gets no response from node " + place();
        }

        @Override
        public void comesBack() {
            isAway = false;
            refusal = "";
        }

        @Override
        public void isStubborn() {
            isStubborn = true;
        }

        @Override
        public int cancelled() {
            return (int) messages.stream()
                    .filter(message -> message.contains("\"cancel\""))
                    .count();
        }

        @Override
        public List<String> left() throws Exception {
            try (var files = Files.list(Path.of(String.valueOf(privateFolder)))) {
                return files.map(Path::toString)
                        .filter(file -> file.endsWith(".ticket"))
                        .toList();
            }
        }

        @Override
        public void close() {
            gatekeeper.close();
        }
    }
}
