package org.diperf.plugins.slurm;

import java.io.IOException;
import java.util.List;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.core.spi.TestbedPlugin;
import org.diperf.plugins.lib.batch.BatchTestbed;
import org.diperf.plugins.lib.batch.TestbedClock;

/** Has Slurm start the testers, as the tasks of a batch job. */
public final class SlurmPlugin implements TestbedPlugin {

    @Override
    public String id() {
        return "slurm";
    }

    @Override
    public String summary() {
        return "runs testers as tasks of a Slurm job, on nodes that Slurm chooses";
    }

    @Override
    public List<Parameter> parameters() {
        return List.of(
                Parameter.optional(Settings.PARTITION, Type.STRING, "partition; default: Slurm's default partition"),
                Parameter.optional(Settings.ACCOUNT, Type.STRING, "account to charge"),
                Parameter.optional(
                        Settings.NODES, Type.INTEGER, "number of nodes for the testers; default: Slurm decides"),
                Parameter.optional(
                        Settings.TESTERS_PER_NODE, Type.INTEGER, "maximum testers per node; default: Slurm decides"),
                Parameter.optional(
                        Settings.TIME_LIMIT,
                        Type.DURATION,
                        "time after which Slurm kills the testers; must be longer than the run; default: the "
                                + "partition's limit"),
                BatchTestbed.WAIT,
                Parameter.optional(Settings.EXTRA, Type.TEXTS, "extra sbatch options, such as --constraint=avx"),
                Parameter.optional(
                        Settings.FOLDER,
                        Type.STRING,
                        "existing folder shared by all nodes, in which the run creates a private folder; default: "
                                + "the home folder"),
                Parameter.optional(
                        Settings.SUBMIT_ON,
                        Type.STRING,
                        "[user@]host with sbatch, reached with the ssh command; default: this machine"));
    }

    @Override
    public Testbed open(TestbedContext context) throws IOException, InterruptedException {
        Settings settings = Settings.of(context.with());
        return open(context, settings, login(settings), TestbedClock.SYSTEM);
    }

    @Override
    public Testbed resume(TestbedContext context, List<SpoolLocation> places) throws IOException, InterruptedException {
        Settings settings = Settings.of(context.with());
        return resume(context, settings, login(settings), TestbedClock.SYSTEM, places);
    }

    static Testbed open(TestbedContext context, Settings settings, LoginNode login, TestbedClock time)
            throws IOException, InterruptedException {
        return BatchTestbed.open(context, SlurmSystem.open(context, settings, login), settings.patience(), time);
    }

    static Testbed resume(
            TestbedContext context, Settings settings, LoginNode login, TestbedClock time, List<SpoolLocation> places)
            throws IOException, InterruptedException {
        SlurmSystem system = SlurmSystem.resume(context, settings, login, places);
        return BatchTestbed.resume(context, system, settings.patience(), time, system.jobs());
    }

    private static LoginNode login(Settings settings) {
        return settings.submitOn().isEmpty() ? LoginNode.here() : LoginNode.over(settings.submitOn());
    }
}
