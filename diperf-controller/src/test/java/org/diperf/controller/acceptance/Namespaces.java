package org.diperf.controller.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Machines that are network namespaces, each with two cables to this one: one to the controller, which a test may cut or
 * slow down, and one to the target. Needs root; all names begin with {@code dpf}, and all goes when it is closed.
 */
final class Namespaces implements AutoCloseable {

    private static final String CONTROL = "198.19.77.";
    private static final String TARGET = "198.19.78.";
    private static final String SIX = "fd19:78::";

    private final Path folder;
    private final String prefix = "dpf" + ProcessHandle.current().pid() % 100_000;
    private final int count;

    private Namespaces(Path folder, int count) {
        this.folder = folder;
        this.count = count;
    }

    /** Says what keeps namespaces from being made here; empty: nothing. */
    static String missing(Path folder) throws IOException, InterruptedException {
        if (!Command.installed("ip")) {
            return "ip is not installed: apt-get install iproute2";
        }
        try (Namespaces tried = open(folder, 1)) {
            return tried.count == 1 ? "" : "no namespace";
        } catch (IOException e) {
            return "network namespaces cannot be made here: " + e.getMessage();
        }
    }

    /** @param count machines, numbered from 1 */
    static Namespaces open(Path folder, int count) throws IOException, InterruptedException {
        Namespaces made = new Namespaces(folder, count);
        try {
            made.bridge("c", CONTROL);
            made.bridge("t", TARGET);
            for (int machine = 1; machine <= count; machine++) {
                made.add(machine);
            }
            return made;
        } catch (IOException | InterruptedException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    /** Returns the address at which the machines reach the controller. */
    static String controller() {
        return CONTROL + "254";
    }

    /** Returns the address at which the machines reach the target. */
    static String target() {
        return TARGET + "254";
    }

    /** Returns the address of a machine on the side of the target. */
    static String address(int machine) {
        return TARGET + machine;
    }

    /** Returns the address of a machine on the side of the controller. */
    static String addressOfControl(int machine) {
        return CONTROL + machine;
    }

    /** Returns the address of version 6 of a machine on the side of the target, after {@link #addSix}. */
    static String six(int machine) {
        return SIX + machine;
    }

    /** Gives machines, and this one, addresses of version 6 on the side of the target. */
    void addSix() throws IOException, InterruptedException {
        ip("-6", "addr", "add", SIX + "254/64", "dev", prefix + "t", "nodad");
        for (int machine = 1; machine <= count; machine++) {
            ip("-n", name(machine), "-6", "addr", "add", six(machine) + "/64", "dev", "t0", "nodad");
        }
    }

    /** Names what the cables of the target end at. */
    String bridgeOfTarget() {
        return prefix + "t";
    }

    private void bridge(String kind, String net) throws IOException, InterruptedException {
        ip("link", "add", prefix + kind, "type", "bridge");
        ip("addr", "add", net + "254/24", "dev", prefix + kind);
        ip("link", "set", prefix + kind, "up");
    }

    private void add(int machine) throws IOException, InterruptedException {
        String name = name(machine);
        ip("netns", "add", name);
        ip("-n", name, "link", "set", "lo", "up");
        cable(machine, "c", CONTROL);
        cable(machine, "t", TARGET);
    }

    private void cable(int machine, String kind, String net) throws IOException, InterruptedException {
        String here = prefix + kind + machine;
        ip("link", "add", here, "type", "veth", "peer", "name", kind + "0", "netns", name(machine));
        ip("link", "set", here, "master", prefix + kind);
        ip("link", "set", here, "up");
        ip("-n", name(machine), "addr", "add", net + machine + "/24", "dev", kind + "0");
        ip("-n", name(machine), "link", "set", kind + "0", "up");
    }

    private String name(int machine) {
        return prefix + "-" + machine;
    }

    /** Puts what runs a command on a machine before the command. */
    List<String> on(int machine, List<String> command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", name(machine)));
        all.addAll(command);
        return all;
    }

    /** Takes a machine's way to the controller away. */
    void cut(int machine) throws IOException, InterruptedException {
        ip("link", "set", prefix + "c" + machine, "down");
    }

    void heal(int machine) throws IOException, InterruptedException {
        ip("link", "set", prefix + "c" + machine, "up");
    }

    /** Lets no more than this pass from a machine to the controller. */
    void slow(int machine, String rate) throws IOException, InterruptedException {
        run(on(
                machine,
                List.of(
                        "tc", "qdisc", "add", "dev", "c0", "root", "tbf", "rate", rate, "burst", "4kb", "latency",
                        "200ms")));
    }

    /** Makes a machine anew, as one that has booted again; what ran there must have been ended. */
    void reboot(int machine) throws IOException, InterruptedException {
        ip("netns", "del", name(machine));
        SlurmCluster.await(
                "the old cables gone", () -> !exists(prefix + "c" + machine) && !exists(prefix + "t" + machine));
        add(machine);
    }

    private boolean exists(String link) {
        return Files.exists(Path.of("/sys/class/net", link));
    }

    private void ip(String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>(List.of("ip"));
        command.addAll(List.of(arguments));
        run(command);
    }

    private void run(List<String> command) throws IOException, InterruptedException {
        try (Command run = Command.start(folder, command)) {
            if (run.exitCode() != 0) {
                throw new IOException(
                        String.join(" ", command) + ": " + run.output().strip());
            }
        }
    }

    @Override
    public void close() throws IOException, InterruptedException {
        for (int machine = 1; machine <= count; machine++) {
            if (Files.exists(Path.of("/run/netns", name(machine)))) {
                ip("netns", "del", name(machine));
            }
        }
        for (String kind : List.of("c", "t")) {
            if (exists(prefix + kind)) {
                ip("link", "del", prefix + kind);
            }
        }
    }
}
