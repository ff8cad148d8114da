package org.diperf.plugins.emulated.distributed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.cli.SliceMain;
import org.diperf.plugins.emulated.distributed.DistributedEmulation.Outcome;
import org.diperf.plugins.emulated.distributed.DistributedEmulation.Placement;
import org.diperf.plugins.emulated.engine.Slice;
import org.diperf.plugins.emulated.partition.Load;
import org.diperf.plugins.emulated.partition.Partition;
import org.diperf.plugins.emulated.partition.Partitioner;
import org.diperf.plugins.emulated.topology.Flow;
import org.diperf.plugins.emulated.topology.Topology;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Engines in processes of their own. */
@Timeout(300)
class DistributedEmulationTests {

    private static final long SEED = 5;
    private static final long MILLI = 1_000_000;
    private static final String JAVA = System.getProperty("java.home") + "/bin/java";
    private static final Duration LONG = Duration.ofSeconds(120);

    private static Placement placement(Duration maxSilence, String... prefix) {
        return new Placement(JAVA, SliceMain.class.getName(), List.of(List.of(prefix)), maxSilence);
    }

    private static List<Flow> flows(Topology topology, double skew, long seed) {
        return ModelNetwork.flows(topology, 300, 5 * MILLI, 100 * MILLI, skew, seed);
    }

    private static Outcome run(Topology topology, List<Flow> flows, Partition partition, long untilNanos)
            throws Exception {
        return new DistributedEmulation(topology, flows, partition, placement(LONG))
                .run(untilNanos, NanoClock.SYSTEM, pid -> {});
    }

    @ParameterizedTest
    @EnumSource(ModelNetwork.Shape.class)
    void oneTwoAndFourEnginesDoTheSame(ModelNetwork.Shape shape) throws Exception {
        Topology topology = ModelNetwork.of(shape, 200, SEED);
        List<Flow> flows = flows(topology, 0, SEED);
        Outcome one = here(topology, flows, Long.MAX_VALUE);
        assertThat(one.events()).isGreaterThan(20_000);
        Load load = one.load(topology, 100 * MILLI);
        for (int engines : new int[] {1, 2, 4}) {
            Outcome several = run(topology, flows, Partitioner.split(topology, load, engines, SEED), Long.MAX_VALUE);
            assertThat(several.digest()).as(engines + " engines, seed " + SEED).isEqualTo(one.digest());
            assertThat(several.events()).isEqualTo(one.events());
            assertThat(several.engines()).hasSize(engines).allMatch(engine -> engines == 1 || engine.received() > 0);
        }
    }

    /** Carries all in this process. */
    private static Outcome here(Topology topology, List<Flow> flows, long untilNanos) {
        Slice slice = new Slice(topology, flows, Partition.whole(topology), 0, Slice.Trace.NONE);
        slice.advance(untilNanos);
        return new Outcome(List.of(EngineResult.of(slice)), 1, 0, List.of(0L), 0);
    }

    @Test
    void partsByProfileAreBetterBalancedThanPartsByTopologyWhereTrafficIsSkewed() throws Exception {
        double sumOfTopology = 0;
        double sumOfProfile = 0;
        int seeds = 4;
        for (long seed = SEED; seed < SEED + seeds; seed++) {
            Topology topology = ModelNetwork.of(ModelNetwork.Shape.RING, 1_000, seed);
            List<Flow> flows = flows(topology, 0.8, seed);
            Load profile = here(topology, flows, 20 * MILLI).load(topology, 20 * MILLI);
            Load all = here(topology, flows, Long.MAX_VALUE).load(topology, 100 * MILLI);
            double ofTopology = all.imbalance(Partitioner.split(topology, Load.ofTopology(topology), 2, seed));
            double ofProfile = all.imbalance(Partitioner.split(topology, profile, 2, seed));
            assertThat(ofProfile)
                    .as("by profile, by topology " + ofTopology + ", seed " + seed)
                    .isLessThan(1.2)
                    .isLessThan(ofTopology + 0.05);
            sumOfTopology += ofTopology;
            sumOfProfile += ofProfile;
        }
        assertThat(sumOfTopology / seeds)
                .as("mean by topology, from seed " + SEED)
                .isGreaterThan(sumOfProfile / seeds + 0.2);
    }

    @Test
    void anEngineThatIsKilledEndsAllWithItsName() throws Exception {
        Topology topology = ModelNetwork.of(ModelNetwork.Shape.RING, 200, SEED);
        // More than there is time for.
        List<Flow> flows = ModelNetwork.flows(topology, 300, MILLI, 10_000_000 * MILLI, 0, SEED);
        Partition partition = Partitioner.split(topology, Load.ofTopology(topology), 2, SEED);
        List<Long> started = new CopyOnWriteArrayList<>();
        DistributedEmulation emulation = new DistributedEmulation(topology, flows, partition, placement(LONG));
        // It is read for each answer of an engine.
        AtomicInteger answers = new AtomicInteger();
        NanoClock killing = () -> {
            if (answers.incrementAndGet() == 500) {
                ProcessHandle.of(started.get(1)).orElseThrow().destroyForcibly();
            }
            return NanoClock.SYSTEM.nanoTime();
        };
        assertThatThrownBy(() -> emulation.run(Long.MAX_VALUE, killing, started::add))
                .isInstanceOf(IOException.class)
                .hasMessage("engine 2 of 2 has exited with code 137");
        assertThatAllEnd(started);
    }

    private static void assertThatAllEnd(List<Long> started) throws Exception {
        for (long pid : started) {
            ProcessHandle handle = ProcessHandle.of(pid).orElse(null);
            if (handle != null) {
                handle.onExit().get(30, TimeUnit.SECONDS);
            }
        }
    }

    @Test
    void anEngineThatDoesNotAnswerIsEnded() throws Exception {
        assertThatThrownBy(() -> wrong("sleep 60", Duration.ofSeconds(1)))
                .isInstanceOf(IOException.class)
                .hasMessage("engine 1 of 1 did not answer for 1 s");
    }

    @Test
    void anEngineThatSaysSomethingElseIsRefused() throws Exception {
        assertThatThrownBy(() -> wrong("yes hello", LONG))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("engine 1 of 1 sent something that is no frame");
        assertThatThrownBy(() -> wrong("sh -c 'echo no such machine >&2; exit 7'", LONG))
                .isInstanceOf(IOException.class)
                .hasMessage("engine 1 of 1 has exited with code 7: no such machine");
    }

    /** Starts another program; the command of the engine is its arguments, which the shell does not use. */
    private static void wrong(String command, Duration maxSilence) throws Exception {
        Topology topology = ModelNetwork.of(ModelNetwork.Shape.RING, 20, SEED);
        String[] prefix = {"sh", "-c", "exec " + command};
        new DistributedEmulation(
                        topology, flows(topology, 0, SEED), Partition.whole(topology), placement(maxSilence, prefix))
                .run(Long.MAX_VALUE, NanoClock.SYSTEM, pid -> {});
    }

    @Test
    void enginesInNetworksOfTheirOwnDoTheSame() throws Exception {
        assumeTrue(
                Files.exists(Path.of("/usr/bin/unshare"))
                        && new ProcessBuilder("unshare", "--net", "true")
                                        .start()
                                        .waitFor()
                                == 0,
                "needs the right to make network namespaces");
        Topology topology = ModelNetwork.of(ModelNetwork.Shape.RING, 100, SEED);
        List<Flow> flows = flows(topology, 0, SEED);
        Partition two = Partitioner.split(topology, Load.ofTopology(topology), 2, SEED);
        Outcome apart = new DistributedEmulation(topology, flows, two, placement(LONG, "unshare", "--net"))
                .run(Long.MAX_VALUE, NanoClock.SYSTEM, pid -> {});
        assertThat(apart.digest())
                .isEqualTo(here(topology, flows, Long.MAX_VALUE).digest());
    }
}
