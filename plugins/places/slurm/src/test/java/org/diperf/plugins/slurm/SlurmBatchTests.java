package org.diperf.plugins.slurm;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Testbed;
import org.diperf.core.spi.TestbedContext;
import org.diperf.plugins.lib.batch.BatchContract;
import org.diperf.plugins.lib.batch.TestbedClock;

/** A Slurm whose commands are scripts. */
class SlurmBatchTests extends BatchContract {

    @Override
    protected Rig rig(Path folder) throws Exception {
        return new SlurmRig(new FakeSlurm(folder));
    }

    private static final class SlurmRig implements Rig {

        private static final String NODE = "n1";

        private final FakeSlurm slurm;
        private int reasons;

        SlurmRig(FakeSlurm slurm) {
            this.slurm = slurm;
        }

        @Override
        public Testbed open(TestbedContext run, TestbedClock time) throws Exception {
            Map<String, Object> with = Map.of("wait", WAIT.toSeconds() + "s");
            Settings settings = Settings.of(Parameters.read(new SlurmPlugin().parameters(), with, 0));
            return SlurmPlugin.open(run, settings, slurm.login(), time);
        }

        @Override
        public String refuses() throws Exception {
            slurm.breaks("sbatch", "sbatch: error: invalid partition specified: long");
            return "Slurm did not accept a job of 1 testers: sbatch: error: invalid partition specified: long";
        }

        @Override
        public String job() {
            return "Slurm job 41";
        }

        @Override
        public String waits() throws Exception {
            String reason = List.of("Resources", "Priority", "Dependency").get(reasons++);
            slurm.job("PENDING", "", reason);
            return reason;
        }

        @Override
        public String runs() throws Exception {
            slurm.job("RUNNING", NODE, "None");
            slurm.write("nodes", NODE + " alloc\n");
            slurm.runs(1, NODE);
            return NODE;
        }

        @Override
        public void says() throws Exception {
            slurm.logs("tester-1.log", "one\ntwo\n");
        }

        @Override
        public void ends(int exitCode) throws Exception {
            slurm.ended(1, exitCode);
            slurm.job("COMPLETED", "", "None");
        }

        @Override
        public String endsJob() throws Exception {
            slurm.job("TIMEOUT", "", "None");
            return "reached its time limit (TIMEOUT): see testbed.time-limit";
        }

        @Override
        public void forgets() throws Exception {
            slurm.write("jobs", "");
        }

        @Override
        public String goesAway() throws Exception {
            slurm.breaks("squeue", "slurm_load_jobs error");
            return "Slurm cannot be queried about the jobs: slurm_load_jobs error";
        }

        @Override
        public void comesBack() throws Exception {
            slurm.mends();
        }

        @Override
        public void isStubborn() throws Exception {
            slurm.write("stubborn", "");
        }

        @Override
        public int cancelled() throws Exception {
            return slurm.read("cancelled").size();
        }

        @Override
        public List<String> left() throws Exception {
            return slurm.sharedFolders().stream().map(Path::toString).toList();
        }

        @Override
        public void close() {
            // Its files go with the test's folder.
        }
    }
}
