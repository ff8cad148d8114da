package org.diperf.plugins.gram;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.diperf.core.ports.FreePorts;
import org.diperf.core.spi.Url;
import org.junit.jupiter.api.Assumptions;

/** A globus-gatekeeper of the test's own with the job manager "fork", started as the examples start it. */
final class RealGatekeeper implements AutoCloseable {

    private static final Path SCRIPT = Path.of("../../../examples/servers/gram-server.sh");
    private static final Pattern STATUS =
            Pattern.compile("event=gram\\.set_job_status\\.start .*gramid=(\\S+) state=(\\d+)");

    private final Process process;
    private final int port;

    private RealGatekeeper(Process process, int port) {
        this.process = process;
        this.port = port;
    }

    static RealGatekeeper start() throws Exception {
        for (String program : List.of("globus-gatekeeper", "globus-job-manager")) {
            Assumptions.assumeTrue(Files.isExecutable(Path.of("/usr/sbin", program)), program + " is not installed");
        }
        Assumptions.assumeTrue(
                Files.exists(Path.of("/usr/share/perl5/Globus/GRAM/JobManager/fork.pm")),
                "globus-gram-job-manager-fork is not installed");
        Assumptions.assumeTrue(
                Files.isExecutable(Path.of("/usr/bin/grid-proxy-init")), "grid-proxy-init is not installed");
        Assumptions.assumeTrue("root".equals(System.getProperty("user.name")), "a gatekeeper runs jobs as root alone");
        int port = FreePorts.take();
        Process process = new ProcessBuilder("sh", SCRIPT.toString(), Integer.toString(port))
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
        RealGatekeeper made = new RealGatekeeper(process, port);
        made.awaitReady();
        return made;
    }

    private void awaitReady() throws Exception {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(40);
        while (true) {
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress("127.0.0.1", port), 1_000);
                return;
            } catch (IOException e) {
                if (System.nanoTime() > until || process.waitFor(20, TimeUnit.MILLISECONDS)) {
                    throw e;
                }
            }
        }
    }

    Url target() {
        return Url.of("gram://localhost:" + port + "/jobmanager-fork");
    }

    Path file(String name) {
        return Path.of("/tmp/diperf-gram", Integer.toString(port), name);
    }

    Map<String, Object> with(Object... pairs) {
        Map<String, Object> with = new HashMap<>(Map.of(
                "rsl",
                "&(executable=/bin/true)",
                "proxy-file",
                file("proxy.pem").toString(),
                "ca-dir",
                file("trusted").toString()));
        for (int i = 0; i < pairs.length; i += 2) {
            with.put((String) pairs[i], pairs[i + 1]);
        }
        return with;
    }

    /** Returns how many jobs were in each state, as the job manager wrote it down. */
    Map<JobState, Integer> jobsByState() throws IOException {
        Map<JobState, Set<String>> jobs = new HashMap<>();
        for (String line : Files.readAllLines(file("jobmanager.log"))) {
            Matcher status = STATUS.matcher(line);
            if (status.find()) {
                JobState.of(Integer.parseInt(status.group(2)))
                        .ifPresent(state -> jobs.computeIfAbsent(state, any -> new HashSet<>())
                                .add(status.group(1)));
            }
        }
        Map<JobState, Integer> counted = new HashMap<>();
        jobs.forEach((state, names) -> counted.put(state, names.size()));
        return counted;
    }

    /** Counts processes whose command line begins so. */
    static long processes(String command) {
        return ProcessHandle.allProcesses()
                .map(ProcessHandle::info)
                .map(info -> info.command().orElse("") + " "
                        + String.join(" ", info.arguments().orElse(new String[0])))
                .filter(line -> line.contains(command))
                .count();
    }

    /** Returns the files that the job manager keeps of jobs. */
    Collection<Path> files() throws IOException {
        Path jobs = file("state");
        try (var all = Files.walk(jobs)) {
            return all.filter(path -> path.getFileName().toString().startsWith("job."))
                    .toList();
        }
    }

    @Override
    public void close() throws Exception {
        process.destroy();
        process.waitFor(5, TimeUnit.SECONDS);
    }
}
