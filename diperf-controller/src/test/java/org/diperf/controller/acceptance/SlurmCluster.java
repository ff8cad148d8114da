package org.diperf.controller.acceptance;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.ports.FreePorts;

/**
 * A real Slurm with eight nodes on this machine, on the loopback alone: a munged with its own key and socket, a slurmctld,
 * and one slurmd a node. Needs root; touches nothing outside its folder.
 */
final class SlurmCluster implements AutoCloseable {

    static final int NODES = 8;

    private static final String CONF = """
            ClusterName=diperf
            SlurmctldHost=@HOST@(127.0.0.1)
            SlurmUser=root
            SlurmdUser=root
            SlurmctldPort=@PORT@
            AuthType=auth/munge
            AuthInfo=socket=@DIR@/munge.socket
            CryptoType=crypto/munge
            StateSaveLocation=@DIR@/state
            SlurmdSpoolDir=@DIR@/spool/%n
            SlurmctldPidFile=@DIR@/slurmctld.pid
            SlurmdPidFile=@DIR@/slurmd-%n.pid
            SlurmctldLogFile=@DIR@/slurmctld.log
            SlurmdLogFile=@DIR@/slurmd-%n.log
            ProctrackType=proctrack/pgid
            TaskPlugin=task/none
            JobAcctGatherType=jobacct_gather/none
            AccountingStorageType=accounting_storage/none
            SelectType=select/cons_tres
            SelectTypeParameters=CR_CPU
            SchedulerParameters=batch_sched_delay=0,sched_interval=1
            MpiDefault=none
            ReturnToService=2
            SlurmctldTimeout=10
            SlurmdTimeout=10
            KillWait=5
            SlurmdParameters=config_overrides
            CommunicationParameters=NoCtldInAddrAny,NoInAddrAny
            PartitionName=p Nodes=ALL Default=YES MaxTime=INFINITE State=UP OverSubscribe=NO
            """;

    private final Path folder;
    private final Map<String, String> environment;
    private final List<Process> daemons = new ArrayList<>();
    private final List<Process> nodes = new ArrayList<>();

    private SlurmCluster(Path folder) {
        this.folder = folder;
        this.environment = Map.of("SLURM_CONF", folder.resolve("slurm.conf").toString());
    }

    /** Says what keeps a cluster from being started here; empty: nothing. */
    static String missing() {
        for (String program : List.of("slurmctld", "slurmd", "sbatch", "munged")) {
            if (!Command.installed(program)) {
                return program + " is not installed: apt-get install slurmctld slurmd slurm-client munge";
            }
        }
        return System.getProperty("user.name").equals("root") ? "" : "slurmd needs root";
    }

    /** @param folder an existing one, with a short path */
    static SlurmCluster start(Path folder) throws IOException, InterruptedException {
        SlurmCluster cluster = new SlurmCluster(folder);
        try {
            cluster.startAll();
            return cluster;
        } catch (IOException | InterruptedException | RuntimeException | AssertionError e) {
            cluster.close();
            throw e;
        }
    }

    private void startAll() throws IOException, InterruptedException {
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createDirectories(folder.resolve("state"));
        Files.createDirectories(folder.resolve("spool"));
        Path key = Files.createFile(
                folder.resolve("munge.key"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
        byte[] secret = new byte[128];
        new SecureRandom().nextBytes(secret);
        Files.write(key, secret);
        // Slurm wants the name that this machine gives itself, without its domain.
        String host = InetAddress.getLocalHost().getHostName().replaceAll("\\..*", "");
        int port = FreePorts.take(NODES + 1);
        StringBuilder conf = new StringBuilder(CONF.replace("@DIR@", folder.toString())
                .replace("@HOST@", host)
                .replace("@PORT@", String.valueOf(port)));
        for (int node = 1; node <= NODES; node++) {
            conf.append("NodeName=n" + node + " NodeHostname=" + host + " NodeAddr=127.0.0.1 Port=" + (port + node)
                    + " CPUs=16 State=UNKNOWN\n");
        }
        Files.writeString(folder.resolve("slurm.conf"), conf);
        daemons.add(daemon(
                "munged",
                List.of(
                        program("munged"),
                        "--foreground",
                        "--force",
                        "--socket=" + folder.resolve("munge.socket"),
                        "--key-file=" + key,
                        "--log-file=" + folder.resolve("munge.log"),
                        "--pid-file=" + folder.resolve("munge.pid"),
                        "--seed-file=" + folder.resolve("munge.seed"))));
        await("munge's socket", () -> Files.exists(folder.resolve("munge.socket")));
        String file = environment.get("SLURM_CONF");
        daemons.add(daemon("slurmctld", List.of(program("slurmctld"), "-D", "-f", file)));
        for (int node = 1; node <= NODES; node++) {
            nodes.add(daemon("n" + node, List.of(program("slurmd"), "-D", "-N", "n" + node, "-f", file)));
        }
        awaitIdle();
    }

    /** Waits until all nodes can take a job. */
    void awaitIdle() throws IOException, InterruptedException {
        await(
                NODES + " idle nodes",
                () -> tell("sinfo", "--noheader", "--Node", "--format=%t")
                                .lines()
                                .filter("idle"::equals)
                                .count()
                        == NODES);
    }

    private static String program(String name) {
        return Files.isExecutable(Path.of("/usr/sbin", name)) ? "/usr/sbin/" + name : name;
    }

    private Process daemon(String name, List<String> command) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve(name + ".out").toFile());
        builder.environment().putAll(environment);
        return builder.start();
    }

    /** What is true at some time. */
    interface Condition {
        boolean holds() throws IOException, InterruptedException;
    }

    /** Asks five times a second, for a minute at most. */
    static void await(String what, Condition condition) throws IOException, InterruptedException {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!condition.holds()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("Expected " + what + " within a minute");
            }
            TimeUnit.MILLISECONDS.sleep(200);
        }
    }

    /** What Slurm's programs and DiPerF need to find this cluster. */
    Map<String, String> environment() {
        return environment;
    }

    /** Runs one of Slurm's programs and gives what it wrote. */
    String tell(String... command) throws IOException, InterruptedException {
        try (Command program = Command.start(folder, environment, List.of(command))) {
            program.exitCode();
            return program.output();
        }
    }

    /** Lists the jobs that are not over. */
    String jobs() throws IOException, InterruptedException {
        return tell("squeue", "--noheader", "--format=%i %T").strip();
    }

    /** Takes a node away at once, with all that runs on it, as a power failure would. */
    void kill(String node) {
        nodes.get(Integer.parseInt(node.substring(1)) - 1).destroyForcibly();
        for (ProcessHandle process : ofThisCluster("SLURMD_NODENAME=" + node)) {
            process.parent().filter(SlurmCluster::isStep).ifPresent(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Starts a node that was killed. */
    void startNode(String node) throws IOException {
        nodes.set(
                Integer.parseInt(node.substring(1)) - 1,
                daemon(node, List.of(program("slurmd"), "-D", "-N", node, "-f", environment.get("SLURM_CONF"))));
    }

    private static boolean isStep(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/cmdline"))
                    .startsWith("slurmstepd");
        } catch (IOException e) {
            return false;
        }
    }

    /** Finds the processes that were started by this cluster, with this in their environment besides. */
    List<ProcessHandle> ofThisCluster(String with) {
        String cluster = "SLURM_CONF=" + environment.get("SLURM_CONF");
        return ProcessHandle.allProcesses()
                .filter(process -> process.pid() != ProcessHandle.current().pid())
                .filter(process -> {
                    List<String> variables = List.of(environmentOf(process).split("\0"));
                    return variables.contains(cluster) && (with.isEmpty() || variables.contains(with));
                })
                .toList();
    }

    private static String environmentOf(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc/" + process.pid() + "/environ"), StandardCharsets.ISO_8859_1);
        } catch (IOException | UncheckedIOException e) {
            return "";
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        nodes.forEach(Process::destroy);
        for (Process node : nodes) {
            node.waitFor(5, TimeUnit.SECONDS);
        }
        daemons.forEach(Process::destroy);
        for (Process daemon : daemons) {
            daemon.waitFor(5, TimeUnit.SECONDS);
        }
        ofThisCluster("").forEach(ProcessHandle::destroyForcibly);
    }
}
