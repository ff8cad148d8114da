package org.diperf.plugins.slurm;

import static org.diperf.plugins.slurm.LoginNode.quoted;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.diperf.core.spi.SpoolLocation;
import org.diperf.core.spi.TestbedContext;
import org.diperf.plugins.lib.batch.BatchSnapshot;
import org.diperf.plugins.lib.batch.BatchSnapshot.JobView;
import org.diperf.plugins.lib.batch.BatchSnapshot.NodeState;
import org.diperf.plugins.lib.batch.BatchSnapshot.Phase;
import org.diperf.plugins.lib.batch.BatchSnapshot.TesterView;
import org.diperf.plugins.lib.batch.BatchSystem;
import org.diperf.plugins.lib.batch.Job;

/** Slurm as one run uses it: its own commands, and a folder that its nodes share. */
final class SlurmSystem implements BatchSystem {

    /** Its KillWait is 30 s. */
    private static final Duration CANCELLING = Duration.ofSeconds(45);

    private final TestbedContext context;
    private final Settings settings;
    private final LoginNode login;
    private final SharedFolder folder;
    /** Read without the testbed's lock: Slurm may take its time while somebody writes down where they are. */
    private final List<SpoolLocation> spools = new CopyOnWriteArrayList<>();

    private boolean deployed;

    private SlurmSystem(TestbedContext context, Settings settings, LoginNode login, SharedFolder folder) {
        this.context = context;
        this.settings = settings;
        this.login = login;
        this.folder = folder;
    }

    static SlurmSystem open(TestbedContext context, Settings settings, LoginNode login)
            throws IOException, InterruptedException {
        LoginNode.Answer answer = login.run("command -v sbatch squeue scancel sinfo && sinfo --version");
        if (!answer.isGood()) {
            throw new IOException("expected sbatch, squeue, scancel and sinfo on " + login.name() + ", got: "
                    + answer.words() + ". Install slurm-client, or set testbed.submit-on to a log-in node");
        }
        return new SlurmSystem(context, settings, login, SharedFolder.make(login, settings.folder()));
    }

    /** Takes up the folder of a killed controller, which is known by where its testers leave their samples. */
    static SlurmSystem resume(TestbedContext context, Settings settings, LoginNode login, List<SpoolLocation> places)
            throws IOException {
        SlurmSystem system =
                new SlurmSystem(context, settings, login, SharedFolder.at(login, SharedFolder.ofSpools(places)));
        system.spools.addAll(places);
        return system;
    }

    /** Lists the jobs that were submitted by whoever made the folder. */
    List<Job> jobs() throws IOException, InterruptedException {
        return folder.notedJobs();
    }

    static Job job(int number, String id, List<Integer> testers) {
        return new Job(number, id, "job " + id, testers);
    }

    @Override
    public String name() {
        return "Slurm";
    }

    @Override
    public Submission submit(int firstNumber, List<Integer> testers) throws IOException, InterruptedException {
        if (!deployed) {
            folder.deploy(context);
            deployed = true;
        }
        String script = folder.prepare(firstNumber, testers, context);
        testers.forEach(tester -> spools.add(folder.spool(tester)));
        LoginNode.Answer answer = login.run(folder.noting(
                firstNumber,
                "sbatch --parsable " + quoted(settings.options(testers.size())) + " --output="
                        + quoted(folder.path() + "/logs/job-" + firstNumber + ".log") + ' ' + quoted(script)));
        // With several clusters the name of one follows.
        String id = answer.output().strip().replaceAll(";.*", "");
        if (!answer.isGood() || !id.matches("[0-9]+")) {
            throw new IOException("Slurm did not accept a job of " + testers.size() + " testers: " + answer.words());
        }
        return new Submission(List.of(job(firstNumber, id, testers)), Map.of());
    }

    @Override
    public BatchSnapshot poll(List<Job> jobs) throws IOException, InterruptedException {
        String ids = jobs.stream().map(Job::id).collect(Collectors.joining("|"));
        LoginNode.Answer answer = login.run(Scripts.poll(folder.path(), ids));
        if (!answer.isGood()) {
            throw new IOException(answer.words());
        }
        SlurmSnapshot said = SlurmSnapshot.parse(answer.output());
        Map<String, JobView> views = new HashMap<>();
        Map<Integer, TesterView> testers = new HashMap<>();
        for (Job job : jobs) {
            JobState known = said.jobs().get(job.id());
            JobState state = known == null ? remembered(job) : known;
            views.put(job.id(), view(state));
            for (int tester : begun(job, said)) {
                String node = said.nodeOf().getOrDefault(tester, "");
                NodeState nodeState = said.nodeFailed(tester, state)
                        ? NodeState.FAILED
                        : said.isSilent(node) ? NodeState.SILENT : NodeState.ANSWERS;
                testers.put(
                        tester,
                        new TesterView(node, nodeState, said.exitCodeOf().get(tester)));
            }
        }
        return new BatchSnapshot(views, testers);
    }

    private static Set<Integer> begun(Job job, SlurmSnapshot said) {
        Set<Integer> begun = new HashSet<>(said.nodeOf().keySet());
        begun.addAll(said.exitCodeOf().keySet());
        begun.retainAll(job.testers());
        return begun;
    }

    private static JobView view(JobState state) {
        if (state.isPending()) {
            return new JobView(Phase.WAITING, state.waiting());
        }
        if (state.isOver()) {
            return new JobView(state.isGone() ? Phase.GONE : Phase.ENDING, state.ending());
        }
        return new JobView(
                Phase.RUNNING, state.nodes(), state.state().equals("SUSPENDED") ? "is suspended (SUSPENDED)" : "");
    }

    /** Asks the accounting, where there is one, for a job that Slurm's controller has forgotten. */
    private JobState remembered(Job job) throws IOException, InterruptedException {
        LoginNode.Answer answer = login.run(
                "sacct --noheader --parsable2 --allocations --format=State --jobs=" + job.id() + " 2>/dev/null");
        String state = answer.isGood() ? answer.output().strip().replaceAll("(?s)[ +\n].*", "") : "";
        return new JobState(job.id(), state.isEmpty() ? "UNKNOWN" : state, "", "", "");
    }

    @Override
    public void cancel(List<Job> jobs) throws IOException, InterruptedException {
        String ids = jobs.stream().map(Job::id).collect(Collectors.joining(" "));
        LoginNode.Answer answer = login.run("scancel --quiet " + ids);
        if (!answer.isGood()) {
            throw new IOException("Slurm did not cancel job " + ids + ": " + answer.words());
        }
    }

    @Override
    public Duration cancelling() {
        return CANCELLING;
    }

    @Override
    public String lastWords(int tester) throws IOException, InterruptedException {
        return folder.lastWords(tester);
    }

    @Override
    public String lastWords(Job job) throws IOException, InterruptedException {
        return folder.lastWordsOfJob(job.number());
    }

    @Override
    public List<SpoolLocation> spools() {
        return List.copyOf(spools);
    }

    @Override
    public Map<Integer, String> bring(List<SpoolLocation> places, Path into) throws InterruptedException {
        return folder.bringSpools(places, into);
    }

    @Override
    public void drop(List<SpoolLocation> places) throws IOException, InterruptedException {
        folder.dropSpools(places);
    }

    @Override
    public void fetchLogs(Path into) throws IOException, InterruptedException {
        folder.fetchLogs(into);
    }

    @Override
    public void close() throws IOException, InterruptedException {
        folder.remove();
    }
}
