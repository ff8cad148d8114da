package org.diperf.controller.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import org.diperf.core.folder.FolderTree;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/**
 * However a run is interrupted, and whoever is away for up to three times the lease, no call is kept twice and none is lost
 * that its tester was told it may forget. What was not acknowledged is lost only with a tester that was killed; what was held
 * in memory, only with the controller. A tester that has carried out its plan was not lost. The report of such a run names who is missed, and the number of calls or blocks.
 * {@code -Ddiperf.simulation=SEED} replays one run and tells its story.
 */
@Timeout(120)
class SimulationTests {

    private static final int SEEDS = 200;
    private static final int MANY_SEEDS = 100_000;

    @TempDir
    Path folder;

    private Simulation.Setting setting;
    private int concluded;
    private int machinesFailed;

    @BeforeEach
    void readSetting() throws Exception {
        setting = Simulation.Setting.read(folder);
    }

    @Test
    void noSampleIsLostOrDoubled() throws Exception {
        Long only = Long.getLong("diperf.simulation");
        if (only != null) {
            simulate(only).story().forEach(System.out::println);
            return;
        }
        for (long seed = 1; seed <= SEEDS; seed++) {
            Simulation simulation = simulate(seed);
            concluded += simulation.isConcluded() ? 1 : 0;
            machinesFailed += simulation.hasMachineFailed() ? 1 : 0;
        }
        assertThat(concluded).isGreaterThan(SEEDS / 2);
        assertThat(machinesFailed).isGreaterThan(SEEDS / 50);
    }

    @Test
    @EnabledIfSystemProperty(named = "diperf.long", matches = "true")
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void noSampleIsLostOrDoubledInManySimulations() {
        long first = Long.getLong("diperf.seed", System.nanoTime());
        System.out.println("SimulationTests seeds from " + first);
        LongStream.range(first, first + MANY_SEEDS).parallel().forEach(this::simulate);
    }

    private Simulation simulate(long seed) {
        Path its = folder.resolve("seed-" + seed);
        Simulation simulation = new Simulation(setting, seed, its);
        try {
            simulation.run();
            FolderTree.delete(its);
        } catch (AssertionError | Exception e) {
            throw new AssertionError(
                    "seed " + seed + " (replay: -Ddiperf.simulation=" + seed + "): " + e.getMessage() + "\n"
                            + String.join("\n", simulation.story()),
                    e);
        }
        return simulation;
    }
}
