package org.diperf.controller.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Machines that are network namespaces, each with two cables to this one: one to the controller, which a test may cut or
 * slow down, and one to the target. Needs root; all names begin with {@code dpf}, and all goes when it is closed.
 *
 * <p>Tests of several JVMs have some at a time. A number in all names and addresses tells them apart: it belongs to whoever
 * made the bridge that is named by it.
 */
final class Namespaces implements AutoCloseable {

    private static final int NUMBERS = 100;
    /** Of this machine in each net. */
    private static final int HERE = 254;

    private final Path folder;
    private final int number;
    private final int count;

    private Namespaces(Path folder, int number, int count) {
        this.folder = folder;
        this.number = number;
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
            return "network namespaces cannot be created here: " + e.getMessage();
        }
    }

    /** @param count machines, numbered from 1 */
    static Namespaces open(Path folder, int count) throws IOException, InterruptedException {
        Namespaces made = withNumber(folder, count);
        try {
            made.ip("link", "add", made.bridge("c"), "type", "bridge");
            made.up(made.bridge("c"), made.controller());
            made.up(made.bridge("t"), made.target());
            for (int machine = 1; machine <= count; machine++) {
                made.add(machine);
            }
            return made;
        } catch (IOException | InterruptedException | RuntimeException e) {
            made.close();
            throw e;
        }
    }

    private static Namespaces withNumber(Path folder, int count) throws IOException, InterruptedException {
        for (int number = 0; ; number++) {
            Namespaces made = new Namespaces(folder, number, count);
            try {
                made.ip("link", "add", made.bridge("t"), "type", "bridge");
                return made;
            } catch (IOException e) {
                if (number == NUMBERS || !String.valueOf(e.getMessage()).contains("File exists")) {
                    throw e;
                }
            }
        }
    }

    /** Returns the address at which the machines reach the controller. */
    String controller() {
        return addressOfControl(HERE);
    }

    /** Returns the address at which the machines reach the target. */
    String target() {
        return address(HERE);
    }

    /** Returns the address of a machine on the side of the target. */
    String address(int machine) {
        return "10.78." + number + "." + machine;
    }

    /** Returns the address of a machine on the side of the controller. */
    String addressOfControl(int machine) {
        return "10.77." + number + "." + machine;
    }

    /** Returns the address of version 6 of a machine on the side of the target, after {@link #addSix}. */
    String six(int machine) {
        return "fd19:78:" + number + "::" + machine;
    }

    /** Gives machines, and this one, addresses of version 6 on the side of the target. */
    void addSix() throws IOException, InterruptedException {
        ip("-6", "addr", "add", six(HERE) + "/64", "dev", bridgeOfTarget(), "nodad");
        for (int machine = 1; machine <= count; machine++) {
            ip("-n", name(machine), "-6", "addr", "add", six(machine) + "/64", "dev", "t0", "nodad");
        }
    }

    /** Names what the cables of the target end at. */
    String bridgeOfTarget() {
        return bridge("t");
    }

    private String bridge(String kind) {
        return "dpf" + kind + number;
    }

    private void up(String bridge, String address) throws IOException, InterruptedException {
        ip("addr", "add", address + "/24", "dev", bridge);
        ip("link", "set", bridge, "up");
    }

    private void add(int machine) throws IOException, InterruptedException {
        String name = name(machine);
        ip("netns", "add", name);
        ip("-n", name, "link", "set", "lo", "up");
        cable(machine, "c", addressOfControl(machine));
        cable(machine, "t", address(machine));
    }

    private void cable(int machine, String kind, String address) throws IOException, InterruptedException {
        String here = cable(machine, kind);
        ip("link", "add", here, "type", "veth", "peer", "name", kind + "0", "netns", name(machine));
        ip("link", "set", here, "master", bridge(kind));
        ip("link", "set", here, "up");
        ip("-n", name(machine), "addr", "add", address + "/24", "dev", kind + "0");
        ip("-n", name(machine), "link", "set", kind + "0", "up");
    }

    /** Names this machine's end of a cable. */
    private String cable(int machine, String kind) {
        return bridge(kind) + "-" + machine;
    }

    private String name(int machine) {
        return "dpf" + number + "-" + machine;
    }

    /** Puts what runs a command on a machine before the command. */
    List<String> on(int machine, List<String> command) {
        List<String> all = new ArrayList<>(List.of("ip", "netns", "exec", name(machine)));
        all.addAll(command);
        return all;
    }

    /** Takes a machine's way to the controller away. */
    void cut(int machine) throws IOException, InterruptedException {
        ip("link", "set", cable(machine, "c"), "down");
    }

    void heal(int machine) throws IOException, InterruptedException {
        ip("link", "set", cable(machine, "c"), "up");
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
        SlurmCluster.await("the old cables gone", () -> !exists(cable(machine, "c")) && !exists(cable(machine, "t")));
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
            // Those that go with their namespace go some time later, and the number may be another's by then.
            for (String kind : List.of("c", "t")) {
                if (exists(cable(machine, kind))) {
                    ip("link", "del", cable(machine, kind));
                }
            }
            if (Files.exists(Path.of("/run/netns", name(machine)))) {
                ip("netns", "del", name(machine));
            }
        }
        for (String kind : List.of("c", "t")) {
            if (exists(bridge(kind))) {
                ip("link", "del", bridge(kind));
            }
        }
    }
}
