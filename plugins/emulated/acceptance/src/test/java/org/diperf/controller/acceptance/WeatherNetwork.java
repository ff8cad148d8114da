package org.diperf.controller.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * The Network Weather Service on an emulated network: sensors at two sites, whose only link all traffic between them shares, and a host of its own
 * for name server and memory. Confined to one thread.
 */
final class WeatherNetwork implements AutoCloseable {

    static final int SENSORS = 8;
    static final String BASE = "10.99.0.100";

    private static final int EACH_SITE = SENSORS / 2;

    private final Path work;
    private final EmulatedNetwork network;
    private final Map<Integer, EmulatedNetwork.Wire> running = new TreeMap<>();
    private final List<EmulatedNetwork.Wire> others = new ArrayList<>();

    /**
     * A probe, on the machine's monotonic clock.
     *
     * @param from the sensor that probes, from 1
     * @param endNanos {@link Long#MAX_VALUE} while it goes on
     */
    record Probe(int from, int to, int leader, long beganNanos, long endNanos, boolean ok) {}

    /**
     * Starts all of it; the test is skipped where no network can be made.
     *
     * @param work an existing folder
     * @param bone bits a second of the link between the sites
     */
    WeatherNetwork(Path work, String bone) throws Exception {
        EmulatedExperiment.needs();
        this.work = work;
        network = new EmulatedNetwork(
                work,
                "tun",
                Map.of(
                        "hosts",
                        Map.of(
                                "west", Map.of("count", (long) EACH_SITE, "address", "10.99.0.1"),
                                "east", Map.of("count", (long) EACH_SITE, "address", "10.99.0.11"),
                                "base", Map.of("address", BASE),
                                "x", Map.of("address", "10.99.0.101"),
                                "y", Map.of("address", "10.99.0.102")),
                        "routers",
                        List.of("w", "e"),
                        "links",
                        List.of(
                                link("west", "w", "1Gbit/s", "1ms"),
                                link("x", "w", "1Gbit/s", "1ms"),
                                link("base", "w", "1Gbit/s", "1ms"),
                                link("east", "e", "1Gbit/s", "1ms"),
                                link("y", "e", "1Gbit/s", "1ms"),
                                link("w", "e", bone, "8ms"))));
        try {
            others.add(start("base", "nameserver", "--listen", BASE));
            others.add(start("base", "memory", "--listen", BASE, "--name-server", BASE, "--dir", work + "/series"));
            for (int i = 1; i <= SENSORS; i++) {
                running.put(
                        i,
                        start(
                                host(i),
                                "sensor",
                                "--listen",
                                address(i),
                                "--name-server",
                                BASE,
                                "--memory",
                                BASE,
                                "--log",
                                log(i).toString()));
            }
            for (EmulatedNetwork.Wire each : all()) {
                SlurmCluster.await("a server", () -> each.execution().hasWritten("Ctrl-C"));
            }
        } catch (Exception e) {
            close();
            throw e;
        }
    }

    private List<EmulatedNetwork.Wire> all() {
        List<EmulatedNetwork.Wire> all = new ArrayList<>(others);
        all.addAll(running.values());
        return all;
    }

    private static Map<String, Object> link(String from, String to, String rate, String latency) {
        return Map.of("between", List.of(from, to), "rate", rate, "latency", latency, "queue", 100L);
    }

    static String host(int sensor) {
        return (sensor <= EACH_SITE ? "west-" : "east-") + ((sensor - 1) % EACH_SITE + 1);
    }

    static String address(int sensor) {
        return "10.99.0." + (sensor <= EACH_SITE ? sensor : 10 + sensor - EACH_SITE);
    }

    private Path log(int sensor) {
        return work.resolve("log-" + sensor);
    }

    private static List<String> command(String... arguments) {
        List<String> words = new ArrayList<>(List.of(
                Command.java(),
                "-XX:+UseSerialGC",
                "-Xmx64m",
                "-XX:TieredStopAtLevel=1",
                "-jar",
                Command.controllerJar().toString(),
                "nws"));
        words.addAll(List.of(arguments));
        return words;
    }

    private EmulatedNetwork.Wire start(String host, String... arguments) throws Exception {
        List<String> words = command(arguments);
        return network.start(host, words);
    }

    /** Carries a command of the service out on the base, and returns what it prints. */
    List<String> ask(String... arguments) throws Exception {
        return network.start("base", command(arguments)).printed();
    }

    /** Starts a clique of all sensors. */
    void clique(String name, String period) throws Exception {
        ask("clique", name, "--members", members(), "--period", period);
    }

    static String members() {
        return String.join(
                ",",
                IntStream.rangeClosed(1, SENSORS)
                        .mapToObj(WeatherNetwork::address)
                        .toList());
    }

    /** Starts the program {@code wire.c} on a host. */
    EmulatedNetwork.Wire wire(String host, Object... words) throws Exception {
        return network.start(host, words);
    }

    EmulatedNetwork.Wire readyWire(String host, Object... words) throws Exception {
        return network.startReady(host, words);
    }

    /**
     * Kills a sensor by its process; returns when it was certainly dead.
     *
     * @param sensor from 1
     */
    long kill(int sensor) throws Exception {
        ProcessHandle process = ProcessHandle.allProcesses()
                .filter(each -> commandLine(each).contains("nws\0sensor\0--listen\0" + address(sensor) + "\0"))
                .filter(each -> commandLine(each).startsWith(Command.java()))
                .findFirst()
                .orElseThrow();
        process.destroyForcibly();
        process.onExit().get();
        return System.nanoTime();
    }

    private static String commandLine(ProcessHandle process) {
        try {
            return Files.readString(Path.of("/proc", String.valueOf(process.pid()), "cmdline"));
        } catch (IOException gone) {
            return "";
        }
    }

    private static int sensor(String name) {
        int last = Integer.parseInt(name.replaceFirst(":.*", "").replaceFirst(".*\\.", ""));
        return last > 10 ? last - 10 + EACH_SITE : last;
    }

    /** Reads all probes from the sensors' own logs, the earliest first. */
    List<Probe> probes() throws IOException {
        List<Probe> all = new ArrayList<>();
        for (int i = 1; i <= SENSORS; i++) {
            if (!Files.exists(log(i))) {
                continue;
            }
            Probe open = null;
            for (String line : Files.readAllLines(log(i))) {
                String[] words = line.split(",");
                if (words.length < 7 || words[0].equals("event")) {
                    continue;
                }
                long nanos = Long.parseLong(words[6]);
                if (words[0].equals("begin")) {
                    open = new Probe(i, sensor(words[5]), Integer.parseInt(words[2]) + 1, nanos, Long.MAX_VALUE, false);
                } else if (open != null) {
                    all.add(new Probe(i, open.to(), open.leader(), open.beganNanos(), nanos, words[0].equals("end")));
                    open = null;
                }
            }
            if (open != null) {
                all.add(open);
            }
        }
        all.sort(Comparator.comparingLong(Probe::beganNanos));
        return all;
    }

    @Override
    public void close() throws Exception {
        for (EmulatedNetwork.Wire each : all()) {
            each.end();
        }
        network.close();
    }
}
