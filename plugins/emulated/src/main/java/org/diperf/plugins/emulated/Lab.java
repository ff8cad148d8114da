package org.diperf.plugins.emulated;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.Writer;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * The namespaces of an emulated network. Its first process is a shell in a process namespace of its own, which follows what
 * is written to its standard input and ends with it; the kernel then ends all others in that namespace, and with the last
 * process of a host goes the host's network. So nothing stays behind whoever is killed: this process, the shell, or both.
 * Nothing has a name by which it would outlive them. Confined to one thread.
 */
final class Lab implements AutoCloseable {

    private static final long END_SECONDS = 10;
    private static final String BEGUN = "begun";
    private static final String FAILED = "failed";
    /** What keeps signals of a terminal away, which are for the controller. */
    private static final String APART = "setsid";
    /** Goes into groups, up to the word that ends them, and then is the command. */
    private static final String START =
            "until [ \"$1\" = -- ]; do echo 0 > \"$1/cgroup.procs\" || exit; shift; done; shift;"
                    + " cd \"$0\" && exec \"$@\"";
    /** What a host calls its device in the network, as in host.sh. */
    private static final String DEVICE = "eth0";

    private final ScratchFolder files;
    private final Process process;
    private final Writer shell;
    private final BufferedReader said;
    private final ManagementNetwork management;
    private final long first;
    /** By name of the host: the process that holds its namespaces, by its number in the lab. */
    private final Map<String, Long> holders = new LinkedHashMap<>();

    private final Set<String> routers = new HashSet<>();

    private Lab(ScratchFolder files, Process process) throws IOException, InterruptedException {
        this.files = files;
        this.process = process;
        this.shell = process.outputWriter(StandardCharsets.UTF_8);
        this.said = process.inputReader(StandardCharsets.UTF_8);
        tell("set -e", "ip link set lo up", "ip link add mgmt type bridge", "ip link set mgmt up", "echo " + BEGUN);
        await(BEGUN);
        this.first = process.toHandle()
                .children()
                .findFirst()
                .orElseThrow(() -> new IOException("The shell of the emulated network has exited"))
                .pid();
        this.management = connect();
    }

    /** Makes a network namespace for the engine, and what joins it with this machine. */
    static Lab open() throws IOException, InterruptedException {
        ScratchFolder files = ScratchFolder.temporary();
        Process process;
        try {
            process = new ProcessBuilder(
                            APART,
                            "unshare",
                            "--mount",
                            "--pid",
                            "--net",
                            "--fork",
                            "--kill-child",
                            "--mount-proc",
                            "sh")
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            files.close();
            throw new IOException(
                    e.getMessage()
                            + ". Emulated networks need setsid, unshare and nsenter (util-linux) and ip (iproute2)",
                    e);
        }
        try {
            return new Lab(files, process);
        } catch (IOException | InterruptedException | RuntimeException e) {
            process.destroyForcibly().waitFor();
            files.close();
            throw e;
        }
    }

    private void tell(String... commands) throws IOException {
        try {
            shell.write(String.join("\n", commands) + "\n");
            shell.flush();
        } catch (IOException e) {
            throw new IOException("The emulated network is gone: " + rest(), e);
        }
    }

    /** Reads until a line begins with a word; returns what follows it. */
    private String await(String word) throws IOException {
        List<String> others = new ArrayList<>();
        for (String line = said.readLine(); line != null; line = said.readLine()) {
            if (line.equals(word) || line.startsWith(word + " ")) {
                return line.substring(word.length()).strip();
            }
            if (line.equals(FAILED)) {
                break;
            }
            others.add(line);
        }
        throw new IOException("The emulated network could not be created: " + String.join("; ", others));
    }

    private String rest() throws IOException {
        return String.join("; ", said.lines().toList());
    }

    /** Takes the first block of addresses that nobody on this machine has, by a cable into the lab. */
    private ManagementNetwork connect() throws IOException, InterruptedException {
        List<Integer> taken = addresses();
        String problem = "";
        for (int block = 0; block < ManagementNetwork.BLOCKS; block++) {
            ManagementNetwork tried = new ManagementNetwork(block);
            if (taken.stream().anyMatch(tried::holds)) {
                continue;
            }
            try {
                // Whoever makes the device of that name has the block.
                ip(
                        "link",
                        "add",
                        tried.device(),
                        "type",
                        "veth",
                        "peer",
                        "name",
                        "uplink",
                        "netns",
                        Long.toString(first));
            } catch (IOException e) {
                problem = String.valueOf(e.getMessage());
                continue;
            }
            return tried;
        }
        throw new IOException("Expected a free block of " + ManagementNetwork.NET
                + " for the management network, got none: " + problem);
    }

    private static List<Integer> addresses() throws SocketException {
        List<Integer> found = new ArrayList<>();
        for (NetworkInterface each : Collections.list(NetworkInterface.getNetworkInterfaces())) {
            for (InetAddress address : Collections.list(each.getInetAddresses())) {
                if (address.getAddress().length == Integer.BYTES) {
                    found.add(ByteBuffer.wrap(address.getAddress()).getInt());
                }
            }
        }
        return found;
    }

    private static void ip(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        Commands.run(command);
    }

    /** Returns the addresses of hosts and controller. */
    ManagementNetwork management() {
        return management;
    }

    /** Puts the controller next to the emulated network. */
    void joinBeside() throws IOException, InterruptedException {
        address(management.device());
        tell("ip link set uplink master mgmt up", "echo " + BEGUN);
        await(BEGUN);
    }

    /** Makes the controller's machine a host of the emulated network, by a device of the carrier. */
    private void joinWithin(String carried) throws IOException, InterruptedException {
        String device = management.hostDevice();
        // This process, as only this machine's numbers name it.
        Commands.run(List.of(
                "nsenter",
                "--target",
                Long.toString(first),
                "--net",
                "ip",
                "link",
                "set",
                carried,
                "netns",
                Long.toString(ProcessHandle.current().pid()),
                "name",
                device));
        ip("link", "set", device, "txqueuelen", "10000");
        address(device);
    }

    private void address(String device) throws IOException, InterruptedException {
        ip("addr", "add", management.controller() + "/" + ManagementNetwork.PREFIX_BITS, "dev", device);
        ip("link", "set", device, "up");
    }

    /**
     * Makes the hosts, all at once; the carrier's devices must be there.
     *
     * @param controller number of the host that the controller is; below 0: it is none
     */
    void addHosts(Topology topology, int controller, Carrier carrier) throws IOException, InterruptedException {
        if (controller >= 0) {
            joinWithin(carrier.device(controller));
        }
        Path script = files.path().resolve("host.sh");
        try (InputStream source = Lab.class.getResourceAsStream("host.sh")) {
            if (source == null) {
                throw new IllegalStateException("host.sh is missing from this jar");
            }
            Files.write(script, source.readAllBytes());
        }
        Files.writeString(files.path().resolve("hosts"), names(topology));
        Files.writeString(files.path().resolve("nsswitch.conf"), "hosts: files\n");
        for (int i = 0; i < topology.hosts().size(); i++) {
            if (i == controller) {
                continue;
            }
            EmulatedHost host = topology.hosts().get(i);
            tell("unshare --net --uts --mount sh "
                    + String.join(
                            " ",
                            quoted(script),
                            host.name(),
                            "'" + carrier.device(i) + "'",
                            Address.format(host.address()),
                            management.host(i),
                            Integer.toString(ManagementNetwork.PREFIX_BITS),
                            controller < 0 ? "m" + i : "-",
                            quoted(files.path()),
                            management.controller())
                    + " </dev/null || echo " + FAILED + " &");
        }
        awaitNodes(topology.hosts().size() - (controller < 0 ? 0 : 1));
    }

    /** Makes nodes that have a network of their own, and nothing else. */
    void addRouters(List<String> names) throws IOException {
        routers.addAll(names);
        for (String name : names) {
            tell("unshare --net sh -c 'ip link set lo up && echo up " + name
                    + " $$ && exec sleep infinity' </dev/null || echo " + FAILED + " &");
        }
        awaitNodes(names.size());
    }

    private void awaitNodes(int count) throws IOException {
        for (int i = 0; i < count; i++) {
            String[] up = await("up").split(" ");
            holders.put(up[0], Long.parseLong(up[1]));
        }
    }

    /** Returns the process that holds the network of a host or router, by its number in the lab. */
    long holder(String node) {
        Long holder = holders.get(node);
        if (holder == null) {
            throw new IllegalArgumentException("Expected one of " + holders.keySet() + ", got '" + node + "'");
        }
        return holder;
    }

    /** Returns a folder for files that go with the lab. */
    Path folder() {
        return files.path();
    }

    /** Returns the network namespace of a host or router, as a file that this process can open. */
    Path network(String node) {
        return file(holder(node), "ns/net");
    }

    private Path file(long holder, String name) {
        return Path.of("/proc", Long.toString(first), "root/proc", Long.toString(holder), name);
    }

    /** Returns what the devices of a host or router have done, as lines of proc(5). */
    List<String> devices(String node) throws IOException {
        return Files.readAllLines(file(holder(node), "net/dev"));
    }

    /** Counts packets that hosts and routers have dropped because the engine did not take them in time. */
    long droppedBefore() throws IOException {
        long dropped = 0;
        for (Map.Entry<String, Long> each : holders.entrySet()) {
            List<String> lines = devices(each.getKey());
            List<String> carried = routers.contains(each.getKey()) ? DeviceCounts.names(lines) : List.of(DEVICE);
            for (String device : carried) {
                dropped += DeviceCounts.of(lines, device).dropped();
            }
        }
        return dropped;
    }

    /** Makes a path one word of the shell. */
    private static String quoted(Path path) {
        return "'" + path.toString().replace("'", "'\\''") + "'";
    }

    private static String names(Topology topology) {
        StringBuilder lines = new StringBuilder("127.0.0.1 localhost\n");
        for (EmulatedHost host : topology.hosts()) {
            lines.append(Address.format(host.address()))
                    .append(' ')
                    .append(host.name())
                    .append('\n');
        }
        return lines.toString();
    }

    /** Returns a command that runs another where the engine is. */
    List<String> inside(List<String> command) {
        List<String> all = new ArrayList<>(
                List.of(APART, "nsenter", "--target", Long.toString(first), "--pid", "--mount", "--net"));
        all.addAll(command);
        return all;
    }

    /**
     * Returns a command that runs another on a host. Its process here waits for the real one, which is its only child and is
     * the first of a process group.
     *
     * @param folder in which it runs
     * @param groups control groups into which it goes
     */
    List<String> on(String host, Path folder, List<Path> groups, List<String> command) {
        List<String> all = new ArrayList<>(List.of(
                "nsenter",
                "--target",
                Long.toString(holder(host)),
                "--net",
                "--uts",
                "--mount",
                APART,
                "sh",
                "-c",
                START,
                folder.toString()));
        groups.forEach(group -> all.add(group.toString()));
        all.add("--");
        all.addAll(command);
        return inside(all);
    }

    /** Ends all processes of the network, and with them the network. */
    @Override
    public void close() throws IOException, InterruptedException {
        try {
            shell.close();
        } catch (IOException e) {
            // It has gone already.
        }
        if (!process.waitFor(END_SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly().waitFor();
        }
        files.close();
    }
}
