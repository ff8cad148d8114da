package org.diperf.controller.run;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.diperf.controller.run.HandDrivenRun.S;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.fleet.Roster;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.Node;
import org.diperf.core.spi.Place;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.core.wire.Ticket;
import org.diperf.core.wire.WireException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The phase before the load where it fails: what is said, and that nothing stays behind. */
@Timeout(60)
class TesterStartupTests {

    private static final String TWO = "testbed: { testers: 2 }\nload: { clients: 2, run-for: 10s, timeout: 1s }\n";

    @TempDir
    Path folder;

    private final ScriptedTestbed testbed = new ScriptedTestbed();

    private interface Step {
        void run() throws Exception;
    }

    /** A testbed that notes what it is told, and does what its test wants besides. */
    private static final class ScriptedTestbed implements TestbedPlugin, Testbed {

        final List<String> told = new ArrayList<>();
        List<Node> nodes = List.of();
        Step whenOpened = () -> {};
        Step whenSurveyed = () -> {};
        Step whenStarted = () -> {};
        Step whenClosed = () -> {};
        private @Nullable TestbedContext context;

        TestbedContext context() {
            return requireNonNull(context, "opened");
        }

        /** Returns the collector's port, once that listens. */
        int port() throws WireException {
            return Ticket.parse(context().ticket(1)).port();
        }

        @Override
        public String id() {
            return "scripted";
        }

        @Override
        public String summary() {
            return "testers that its test imagines";
        }

        @Override
        public Testbed open(TestbedContext given) throws Exception {
            context = given;
            whenOpened.run();
            return this;
        }

        @Override
        public List<Node> survey() throws Exception {
            whenSurveyed.run();
            return nodes;
        }

        @Override
        public void start(List<Place> places) throws Exception {
            told.add("start " + places.stream().map(Place::tester).toList());
            whenStarted.run();
        }

        @Override
        public void close() throws Exception {
            told.add("close");
            whenClosed.run();
        }
    }

    private HandDrivenRun run(String yaml) throws Exception {
        return new HandDrivenRun(folder, yaml, testbed);
    }

    private static TesterStartup opened(HandDrivenRun run) throws Exception {
        return new TesterStartup(run.scope, run.directory, run.reports);
    }

    private static void fails(String why) {
        throw new IllegalStateException(why);
    }

    private static boolean listens(int port) throws IOException {
        try (ServerSocket socket = new ServerSocket()) {
            socket.setReuseAddress(true);
            socket.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            return false;
        } catch (BindException e) {
            return true;
        }
    }

    @Test
    void aTestbedThatCannotBeOpenedEndsTheCollector() throws Exception {
        int[] port = {0};
        testbed.whenOpened = () -> {
            port[0] = testbed.port();
            assertThat(listens(port[0])).isTrue();
            fails("no licence");
        };
        try (HandDrivenRun run = run(TWO)) {
            assertThatThrownBy(() -> opened(run))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessage("The testbed 'local' cannot be used: no licence");
        }
        assertThat(listens(port[0])).isFalse();
        assertThat(testbed.told).isEmpty();
    }

    @Test
    void aTestbedThatDoesNotAnswerIsNoFailureOfTheDisk() throws Exception {
        testbed.whenOpened = () -> {
            throw new IOException("Slurm does not answer");
        };
        try (HandDrivenRun run = run(TWO)) {
            assertThatThrownBy(() -> opened(run))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessage("The testbed 'local' cannot be used: Slurm does not answer");
        }
    }

    @Test
    void aFullDiskIsToldAsThat() throws Exception {
        testbed.whenOpened = () -> {
            throw new IOException("No space left on device");
        };
        try (HandDrivenRun run = run(TWO)) {
            assertThatThrownBy(() -> opened(run))
                    .isInstanceOf(IOException.class)
                    .hasMessage("No space left on device");
        }
    }

    @Test
    void testersThatCannotBeStartedFailTheRunAndClosingEndsTheRest() throws Exception {
        testbed.whenStarted = () -> fails("no slot is free");
        int port;
        try (HandDrivenRun run = run(TWO);
                TesterStartup testers = opened(run)) {
            assertThatThrownBy(testers::start)
                    .isInstanceOf(RunFailedException.class)
                    .hasMessage("Could not start 2 testers: no slot is free");
            port = testbed.port();
            assertThat(listens(port)).isTrue();
        }
        assertThat(testbed.told).containsExactly("start [1, 2]", "close");
        assertThat(listens(port)).isFalse();
    }

    @Test
    void whereTheCollectorCannotListenThatIsTheFailureThatIsTold() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                HandDrivenRun run = run(
                        TWO + "controller: { ports: " + taken.getLocalPort() + "-" + taken.getLocalPort() + " }\n")) {
            testbed.whenStarted = testbed::port;
            String wanted = "Could not listen for testers: Expected a free port on 127.0.0.1:" + taken.getLocalPort()
                    + "-" + taken.getLocalPort() + ", got none: set different ports";
            try (TesterStartup testers = opened(run)) {
                assertThatThrownBy(testers::start)
                        .isInstanceOf(RunFailedException.class)
                        .hasMessageStartingWith(wanted);
                assertThatThrownBy(testers::testers)
                        .isInstanceOf(RunFailedException.class)
                        .hasMessageStartingWith(wanted);
            }
            assertThat(testbed.told).containsExactly("start [1, 2]", "close");
        }
    }

    @Test
    void aCollectorWhoseRelaysGetNoTicketIsClosed() throws Exception {
        int port = FreePorts.take();
        try (HandDrivenRun run =
                run(TWO + "controller: { ports: " + port + "-" + port + ", relays: [ \"127.0.0.1:7000\" ] }\n")) {
            // In place of a disk that is full.
            Files.createDirectory(run.directory.control().resolve("relay-1.ticket"));
            try (TesterStartup testers = opened(run)) {
                assertThatThrownBy(testers::testers)
                        .isInstanceOf(RunFailedException.class)
                        .hasMessageContainingAll("Could not write samples to ", "relay-1.ticket");
                assertThat(listens(port)).isFalse();
            }
        }
    }

    @Test
    void whereNoNodeCanBeUsedNothingIsStartedAndEachNodeIsNamed() throws Exception {
        testbed.nodes = List.of(new Node("a", Map.of(), Map.of(), Map.of(), "connection refused"));
        try (HandDrivenRun run = run(TWO);
                TesterStartup testers = opened(run)) {
            assertThatThrownBy(testers::start)
                    .isInstanceOf(RunFailedException.class)
                    .hasMessage("Expected nodes for at least 1 tester, got room for 0: a: connection refused");
            assertThat(run.shown).contains("node a is not used: connection refused");
        }
        assertThat(testbed.told).containsExactly("close");
    }

    @Test
    void nodesThatCannotBeListedFailTheRun() throws Exception {
        testbed.whenSurveyed = () -> {
            throw new IOException("hosts.txt cannot be read");
        };
        try (HandDrivenRun run = run(TWO);
                TesterStartup testers = opened(run)) {
            assertThatThrownBy(testers::start)
                    .isInstanceOf(RunFailedException.class)
                    .hasMessage("Could not probe the nodes of the testbed: hosts.txt cannot be read");
        }
        assertThat(testbed.told).containsExactly("close");
    }

    @Test
    void testersThatNeverJoinFailTheRunWhenPatienceIsOver() throws Exception {
        try (HandDrivenRun run = run(TWO);
                TesterStartup testers = opened(run)) {
            Fleet fleet = testers.start();
            long before = run.now();
            assertThatThrownBy(() -> run.assembled(fleet))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessageContainingAll(
                            "got 0: ",
                            "tester-1: it did not join within 60 s",
                            "tester-2: it did not join within 60 s");
            assertThat(run.now() - before).isBetween(60 * S, 61 * S);
            assertThat(run.told).isEmpty();
        }
        assertThat(testbed.told).containsExactly("start [1, 2]", "close");
    }

    @Test
    void anInterruptionEndsTheWait() throws Exception {
        try (HandDrivenRun run = run(TWO);
                TesterStartup testers = opened(run)) {
            Fleet fleet = testers.start();
            run.in(3 * S, () -> run.scope.troubles().interrupt("Ctrl-C"));
            long before = run.now();
            assertThatThrownBy(() -> run.assembled(fleet))
                    .isInstanceOf(RunFailedException.class)
                    .hasMessage("Interrupted (Ctrl-C) before the load started");
            assertThat(run.now() - before).isBetween(3 * S, 4 * S);
        }
    }

    @Test
    void aTesterThatEndsBeforeItJoinsIsNotWaitedForAndAfterAnInterruptionOnlyNoted() throws Exception {
        try (HandDrivenRun run = run(TWO);
                TesterStartup testers = opened(run)) {
            testers.start();
            testbed.context().failed(2, "exit code 1");
            assertThat(run.scope.roster().reasons(Roster.Phase.UNUSABLE)).isEqualTo("tester-2: exit code 1");
            run.scope.troubles().interrupt("Ctrl-C");
            testbed.context().failed(1, "exit code 143");
            assertThat(run.scope.roster().reasons(Roster.Phase.UNUSABLE)).isEqualTo("tester-2: exit code 1");
            assertThat(run.log()).contains("tester-1 ended: exit code 143");
        }
    }

    @Test
    void aTestbedThatDoesNotDoItsWorkAnyMoreMakesTheRunSuspectAndTheUserIsTold() throws Exception {
        try (HandDrivenRun run = run(TWO);
                TesterStartup testers = opened(run)) {
            testers.start();
            testbed.context().suspect("the network went down");
            assertThat(run.scope.troubles().warnings())
                    .containsExactly(Warning.suspect(Subject.TESTBED, "the network went down"));
            assertThat(run.shown).contains("the network went down");
            assertThat(run.log()).contains("the network went down");
        }
    }

    @Test
    void aTestbedThatCannotBeCleanedUpIsAWarningAndTheCollectorIsClosed() throws Exception {
        testbed.whenClosed = () -> {
            throw new IOException("job 41 is still there");
        };
        try (HandDrivenRun run = run(TWO)) {
            TesterStartup testers = opened(run);
            testers.testers();
            int port = testbed.port();
            testers.close();
            assertThat(run.shown).contains("warning: the testbed could not be cleaned up: job 41 is still there");
            assertThat(listens(port)).isFalse();
        }
    }

    @Test
    void anInterruptWhileTheTestbedIsClosedStaysAndTheCollectorIsClosed() throws Exception {
        testbed.whenClosed = () -> {
            throw new InterruptedException("enough");
        };
        try (HandDrivenRun run = run(TWO)) {
            TesterStartup testers = opened(run);
            testers.testers();
            int port = testbed.port();
            testers.close();
            assertThat(Thread.interrupted()).isTrue();
            assertThat(listens(port)).isFalse();
        }
    }

    @Test
    void aRunThatIsLeftKeepsItsTestbedAndWhatItNeedsToBeResumed() throws Exception {
        Path control;
        try (HandDrivenRun run = run(TWO)) {
            control = run.directory.control();
            TesterStartup testers = opened(run);
            testers.testers();
            int port = testbed.port();
            testers.leave();
            testers.close();
            assertThat(listens(port)).isFalse();
        }
        assertThat(testbed.told).isEmpty();
        assertThat(control.resolve("journal")).exists();
    }
}
