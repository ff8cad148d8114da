package org.diperf.controller.acceptance;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.diperf.core.ports.FreePorts;

/**
 * Real GRAM5 gatekeepers with the job manager "fork", started as the examples start one: each on a machine of its own, all with the
 * same authority. Killing one ends all that runs on it.
 */
final class Gatekeepers implements AutoCloseable {

    private static final Path SCRIPT = Path.of("../examples/servers/gram-server.sh");
    private static final Pattern STATE =
            Pattern.compile("event=gram\\.set_job_status\\.start .*gramid=(\\S+) state=(\\d+)");

    private final List<String> addresses = new ArrayList<>();
    private final List<Integer> ports = new ArrayList<>();
    private final List<Process> servers = new ArrayList<>();

    /** Says what keeps a gatekeeper from being started here; empty: nothing. */
    static String missing() {
        for (String program : List.of("globus-gatekeeper", "globus-job-manager", "grid-proxy-init")) {
            if (!Command.installed(program) && !Files.isExecutable(Path.of("/usr/sbin", program))) {
                return program + " is not installed: apt-get install globus-gatekeeper"
                        + " globus-gram-job-manager-fork globus-proxy-utils";
            }
        }
        if (!Files.exists(Path.of("/usr/share/perl5/Globus/GRAM/JobManager/fork.pm"))) {
            return "globus-gram-job-manager-fork is not installed";
        }
        return System.getProperty("user.name").equals("root") ? "" : "a gatekeeper runs jobs as root alone";
    }

    /**
     * Starts one more, and waits until it can be reached.
     *
     * @param before what runs a command on its machine; empty: here
     */
    void start(List<String> before, String address) throws IOException, InterruptedException {
        assumeTrue(missing().isEmpty(), missing());
        int port = FreePorts.take();
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of("sh", SCRIPT.toString(), String.valueOf(port)));
        if (!ports.isEmpty()) {
            command.add(String.valueOf(ports.get(0)));
        }
        Process server = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.INHERIT)
                .start();
        addresses.add(address);
        ports.add(port);
        servers.add(server);
        SlurmCluster.await("a gatekeeper at " + address + ':' + port, () -> {
            if (!server.isAlive()) {
                throw new AssertionError("The gatekeeper exited with code " + server.exitValue());
            }
            try (Socket socket = new Socket()) {
                socket.connect(new InetSocketAddress(InetAddress.getByName(address), port), 1_000);
                return true;
            } catch (IOException e) {
                return false;
            }
        });
    }

    /** Names one, from 0, whose certificate is of localhost. */
    String contact(int which) {
        return addresses.get(which) + ':' + ports.get(which) + "/jobmanager-fork:/O=Grid/OU=test/CN=localhost";
    }

    /** Returns a file that the first of them has made. */
    Path file(String name) {
        return folder(0).resolve(name);
    }

    private Path folder(int which) {
        return Path.of("/tmp/diperf-gram", String.valueOf(ports.get(which)));
    }

    /** Takes one away at once, with all that runs on it, as a power failure would. */
    void kill(int which) throws InterruptedException {
        Process server = servers.get(which);
        // Its shell ends the process namespace, with which all in it ends.
        server.destroy();
        server.waitFor(10, TimeUnit.SECONDS);
    }

    /** Lists what jobs have left in the home folder of one, and what its job manager keeps of them. */
    List<String> left(int which) throws IOException {
        try (Stream<Path> home = Files.walk(folder(which).resolve("home"));
                Stream<Path> state = Files.walk(folder(which).resolve("state"))) {
            return Stream.concat(home, state)
                    .filter(path -> Files.isRegularFile(path) || path.endsWith(".cache"))
                    .map(path -> folder(which).relativize(path).toString())
                    // The cache's own settings stay, whoever used it.
                    .filter(path -> path.startsWith("home/gram_scratch")
                            || path.startsWith("home/.cache")
                            || path.contains(".gass_cache") && !path.endsWith(".gass_cache/config")
                            || path.matches(".*/job\\.[^/]*"))
                    .toList();
        } catch (UncheckedIOException changing) {
            return List.of("still being removed");
        }
    }

    /** Lists the jobs of one that have not ended, by its job manager's log. */
    List<String> unfinished(int which) throws IOException {
        List<String> begun = new ArrayList<>();
        for (String line : Files.readAllLines(folder(which).resolve("jobmanager.log"))) {
            Matcher state = STATE.matcher(line);
            if (state.find()) {
                begun.remove(state.group(1));
                // 4 is failed, 8 done.
                if (!state.group(2).equals("4") && !state.group(2).equals("8")) {
                    begun.add(state.group(1));
                }
            }
        }
        return begun;
    }

    @Override
    public void close() throws InterruptedException {
        for (int which = 0; which < servers.size(); which++) {
            kill(which);
        }
    }
}
