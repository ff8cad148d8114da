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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.diperf.core.folder.ScratchFolder;
import org.diperf.plugins.emulated.engine.Engine;
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
    /** What a host calls its device in the network, as in host.sh. */
    private static final String DEVICE = "eth0";

    private final ScratchFolder files;
    private final Process process;
    private final Writer shell;
    private final BufferedReader said;
    private final Management management;
    private final long first;
    /** By name of the host: the process that holds its namespaces, by its number in the lab. */
    private final Map<String, Long> holders = new LinkedHashMap<>();

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
                .orElseThrow(() -> new IOException("The shell of the emulated network has ended"))
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
            throw new IOException("The emulated network has gone: " + rest(), e);
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
        throw new IOException("The emulated network could not be made: " + String.join("; ", others));
    }

    private String rest() throws IOException {
        return String.join("; ", said.lines().toList());
    }

    /** Takes the first block of addresses that nobody on this machine has, and leads it into the lab. */
    private Management connect() throws IOException, InterruptedException {
        List<Integer> taken = addresses();
        String problem = "";
        for (int block = 0; block < Management.BLOCKS; block++) {
            Management tried = new Management(block);
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
            ip("addr", "add", tried.controller() + "/" + Management.PREFIX_BITS, "dev", tried.device());
            ip("link", "set", tried.device(), "up");
            tell("ip link set uplink master mgmt up", "echo " + BEGUN);
            await(BEGUN);
            return tried;
        }
        throw new IOException(
                "Wanted a free block of " + Management.NET + " for the management network, found none: " + problem);
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

    /** Returns the address at which hosts reach the controller. */
    String controller() {
        return management.controller();
    }

    /** Makes the hosts, all at once; the engine's devices must be there. */
    void addHosts(Topology topology) throws IOException {
        Path script = files.path().resolve("host.sh");
        try (InputStream source = Lab.class.getResourceAsStream("host.sh")) {
            if (source == null) {
                throw new IllegalStateException("host.sh is part of this jar");
            }
            Files.write(script, source.readAllBytes());
        }
        Files.writeString(files.path().resolve("hosts"), names(topology));
        Files.writeString(files.path().resolve("nsswitch.conf"), "hosts: files\n");
        for (int i = 0; i < topology.hosts().size(); i++) {
            EmulatedHost host = topology.hosts().get(i);
            tell("unshare --net --uts --mount sh "
                    + String.join(
                            " ",
                            quoted(script),
                            host.name(),
                            Engine.device(i),
                            Address.format(host.address()),
                            management.host(i),
                            Integer.toString(Management.PREFIX_BITS),
                            "m" + i,
                            quoted(files.path()))
                    + " </dev/null || echo " + FAILED + " &");
        }
        for (int i = 0; i < topology.hosts().size(); i++) {
            String[] up = await("up").split(" ");
            holders.put(up[0], Long.parseLong(up[1]));
        }
    }

    /** Counts packets that hosts have dropped because the engine did not take them in time. */
    long droppedBefore() throws IOException {
        long dropped = 0;
        for (long holder : holders.values()) {
            Path devices = Path.of("/proc", Long.toString(first), "root/proc", Long.toString(holder), "net/dev");
            dropped += DeviceDrops.of(Files.readAllLines(devices), DEVICE);
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
     */
    List<String> on(String host, Path folder, List<String> command) {
        Long holder = holders.get(host);
        if (holder == null) {
            throw new IllegalArgumentException("Wanted one of " + holders.keySet() + ", found '" + host + "'");
        }
        List<String> all = new ArrayList<>(List.of(
                "nsenter",
                "--target",
                Long.toString(holder),
                "--net",
                "--uts",
                "--mount",
                APART,
                "sh",
                "-c",
                "cd \"$0\" && exec \"$@\"",
                folder.toString()));
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
