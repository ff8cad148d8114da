package org.diperf.controller.run;

import java.io.IOException;
import java.net.SocketException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.diperf.analyzer.text.Numbers;
import org.diperf.controller.collect.Collector;
import org.diperf.controller.collect.CollectorConfig;
import org.diperf.controller.collect.Testers;
import org.diperf.controller.experiment.TesterCounts;
import org.diperf.controller.fleet.Candidate;
import org.diperf.controller.fleet.Fleet;
import org.diperf.controller.fleet.FleetBuilder;
import org.diperf.controller.fleet.Member;
import org.diperf.controller.fleet.TesterQuorum;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.controller.run.directory.RunDirectory;
import org.diperf.controller.run.live.TesterReports;
import org.diperf.core.experiment.ControllerSettings;
import org.diperf.core.experiment.Experiment;
import org.diperf.core.folder.DiskFailure;
import org.diperf.core.plan.Targets;
import org.diperf.core.run.Warning;
import org.diperf.core.run.Warning.Subject;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedPlugin;

/**
 * The phase before the load: the collector listens, the testbed starts testers on nodes that qualify, those that join
 * share the load and prepare it. Confined to the run's thread; closing it ends testers, testbed and collector.
 */
final class TesterStartup implements AutoCloseable {

    private static final long SECOND = 1_000_000_000L;
    private static final long JOIN_NANOS = 60 * SECOND;

    private final RunScope scope;
    private final Experiment experiment;
    private final RunDirectory directory;
    private final TesterReports reports;
    private final Relays relays;
    private final CollectorStartup starting;
    private final Testbed testbed;
    /** Testers that are placed; 0: not known yet. */
    private volatile int placed;

    private boolean leaves;
    private boolean concluded;

    /** Makes the collector, meanwhile, and opens the testbed; no tester is started. */
    TesterStartup(RunScope scope, RunDirectory directory, TesterReports reports)
            throws RunFailedException, IOException {
        this.scope = scope;
        this.experiment = scope.experiment();
        this.directory = directory;
        this.reports = reports;
        this.relays = new Relays(experiment.controller().relays());
        this.starting = new CollectorStartup(relays, this::collector);
        try {
            this.testbed = openTestbed();
        } catch (RunFailedException | IOException | RuntimeException e) {
            starting.close();
            throw e;
        }
    }

    Testbed testbed() {
        return testbed;
    }

    /** Returns the collector, as soon as it listens. */
    Testers testers() throws RunFailedException, InterruptedException {
        return starting.await();
    }

    private Collector collector() throws RunFailedException {
        ControllerSettings choice = experiment.controller();
        CollectorConfig config = new CollectorConfig(
                new CollectorConfig.Listen(choice.listen(), choice.advertise(), choice.firstPort(), choice.lastPort()),
                new CollectorConfig.Files(directory.samples(), directory.clockCsv(), directory.control(), false),
                CollectorConfig.MAX_TESTERS,
                scope.leaseNanos(),
                experiment.clock().sync().toNanos(),
                choice.collectInMemory() ? Runtime.getRuntime().maxMemory() / 2 : 0,
                choice.datagrams());
        try {
            return withTickets(new Collector(config, scope.clock(), reports));
        } catch (SocketException e) {
            throw new RunFailedException(
                    "Could not listen for testers: " + e.getMessage() + ". Choose a different address or port with "
                            + "controller.listen and controller.ports",
                    e);
        } catch (IOException e) {
            DiskFailure failure = DiskFailure.of(e, scope.options().runDir());
            throw new RunFailedException(
                    "Could not write samples to " + scope.options().runDir() + ": "
                            + failure.found() + ". Nothing was measured; " + failure.remedy()
                            + ", then run it again, or choose a different folder with --out",
                    e);
        }
    }

    /** Writes the relays' tickets of a collector, which is closed where that fails. */
    private Collector withTickets(Collector collector) throws IOException {
        try {
            relays.writeTickets(collector, directory.control(), scope.output()::announce);
            return collector;
        } catch (IOException | RuntimeException e) {
            try (collector) {
                throw e;
            }
        }
    }

    private Testbed openTestbed() throws RunFailedException, IOException {
        TestbedPlugin plugin = scope.testbed();
        Parameters with =
                Parameters.read(plugin.parameters(), experiment.testbed().with(), experiment.seed());
        Map<String, Path> deployed = DeployedFiles.of(experiment.deploy());
        RunTestbedContext context = new RunTestbedContext(
                scope,
                with,
                () -> Math.max(1, placed > 0 ? placed : experiment.testbed().testers()),
                plugin.sendsFiles() ? DataFiles.with(deployed, experiment) : deployed,
                directory,
                starting,
                this::failed);
        try {
            return plugin.open(context);
        } catch (Exception e) {
            if (e instanceof IOException io
                    && DiskFailure.of(io, scope.options().runDir()).isOfDisk()) {
                throw io;
            }
            throw new RunFailedException(
                    "The testbed '" + experiment.testbed().kind() + "' cannot be used: " + e.getMessage(), e);
        }
    }

    private void failed(int tester, String reason) {
        if (scope.troubles().interruption() == null) {
            reports.failed(tester, reason);
        } else {
            scope.output().note("tester-" + tester + " ended: " + reason);
        }
    }

    /** Looks at the nodes of the testbed and starts testers on the best; they come up while the run's keys are made. */
    Fleet start() throws RunFailedException, InterruptedException {
        Fleet fleet = fleet();
        if (!relays.relays().isEmpty()) {
            scope.output().phase("waiting for the relays");
            relays.await(starting.await(), scope.troubles()::interruption);
        }
        try {
            testbed.start(fleet.places());
        } catch (InterruptedException e) {
            throw e;
        } catch (Exception e) {
            // Without a collector there are no tickets: its failure is then the one to tell.
            starting.await();
            throw new RunFailedException(
                    "Could not start " + Numbers.count(fleet.testers(), "tester") + ": " + e.getMessage(), e);
        }
        return fleet;
    }

    private Fleet fleet() throws RunFailedException, InterruptedException {
        scope.output().phase("checking the nodes");
        Fleet fleet = FleetBuilder.of(testbed, experiment);
        for (Candidate candidate : fleet.candidates()) {
            if (!candidate.chosen()) {
                scope.output().announce("node " + candidate.node().name() + " is not used: " + candidate.reason());
            }
        }
        if (!fleet.isEnough()) {
            throw new RunFailedException("Expected nodes for at least " + Numbers.count(fleet.needed(), "tester")
                    + ", got room for " + fleet.testers() + ": " + TesterQuorum.skipped(fleet));
        }
        placed = fleet.testers();
        DescriptorLimit.check(fleet.testers(), experiment.controller());
        for (int tester = 1; tester <= fleet.testers(); tester++) {
            scope.roster().expect(tester);
        }
        return fleet;
    }

    /**
     * Waits for the testers, divides the load among those that have come, and waits until they are ready.
     *
     * @param testers that were started
     */
    static PlanShares assemble(
            RunScope scope, Testers testers, Fleet fleet, Assignments assignments, long patienceNanos)
            throws RunFailedException, InterruptedException {
        Experiment experiment = scope.experiment();
        scope.output().phase("waiting for " + Numbers.count(fleet.testers(), "tester"));
        TesterQuorum assembly = new TesterQuorum(
                experiment.testbed().fleet(),
                scope.roster(),
                fleet,
                scope.clock(),
                scope.options().runDir().resolve("logs").toString(),
                scope.troubles()::preventsStart);
        List<Member> members = assembly.joined(patienceNanos);
        checkCounts(experiment, members);
        PlanShares division = PlanShares.of(experiment, scope.course(), members, fleet::groupOf);
        scope.troubles().warn(division.warnings());
        for (Member member : division.members()) {
            scope.roster().slot(member.tester(), member.slot());
            testers.assign(member.tester(), assignments.of(division, member.slot()));
        }
        scope.output().phase("testers are preparing their clients");
        assembly.ready(scope.debug() ? 10 * JOIN_NANOS : Math.max(patienceNanos, JOIN_NANOS));
        // The whole load is offered by fewer testers; one that fails from here on leaves a gap.
        if (fleet.testers() < fleet.expected()) {
            scope.troubles()
                    .warn(Warning.note(
                            Subject.TESTER,
                            "there was room for " + fleet.testers() + " of " + Numbers.count(fleet.expected(), "tester")
                                    + ", which shared the load; not used: " + TesterQuorum.skipped(fleet)));
        }
        return division;
    }

    /** Checks that as many testers as have joined can share the load. */
    private static void checkCounts(Experiment experiment, List<Member> members) throws RunFailedException {
        boolean perHost = experiment.targets().per() == Targets.Per.HOST;
        if (perHost || members.size() != experiment.testbed().testers()) {
            int hosts = PlanShares.hosts(members).size();
            String problems = String.join(
                    "; ",
                    TesterCounts.problems(experiment.targets(), experiment.load(), members.size(), hosts)
                            .values());
            if (!problems.isEmpty()) {
                throw new RunFailedException(
                        "With " + Numbers.count(members.size(), "tester") + " joined: " + problems);
            }
        }
    }

    /** Leaves testers and testbed to whoever resumes the run: {@link #close} then ends the collector alone. */
    void leave() {
        leaves = true;
        directory.leaveControl();
    }

    /** Takes note that all is kept: nothing that fails from now on costs the run anything. */
    void concluded() {
        concluded = true;
    }

    @Override
    public void close() throws IOException {
        if (!leaves) {
            starting.bye();
            try {
                testbed.close();
            } catch (Exception e) {
                if (e instanceof InterruptedException) {
                    Thread.currentThread().interrupt();
                }
                scope.output().warn("the testbed could not be cleaned up: " + e.getMessage());
            }
        }
        try {
            starting.close();
        } catch (IOException e) {
            // Whoever leaves the run has said why.
            if (!leaves && !concluded) {
                throw e;
            }
            scope.output().note("the collector could not be closed cleanly: " + e.getMessage());
        }
    }
}
