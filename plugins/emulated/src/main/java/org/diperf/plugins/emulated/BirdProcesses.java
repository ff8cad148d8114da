package org.diperf.plugins.emulated;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.engine.Engine;
import org.diperf.plugins.emulated.routing.Rerouting;
import org.diperf.plugins.emulated.routing.RouterPlan;
import org.diperf.plugins.emulated.routing.RoutingWatcher;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Routing;
import org.diperf.plugins.emulated.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * The birds of the routers of a lab, and a thread that reads what they and the kernel's tables say. They end with the lab. Confined to
 * one thread, but for that one.
 */
final class BirdProcesses implements AutoCloseable {

    private static final String BIRD = "bird";
    private static final List<String> SYSTEM_FOLDERS = List.of("/usr/sbin", "/usr/local/sbin", "/sbin");
    private static final long LOOK_MILLIS = 40;
    /** Lines of different files that are as close are put in order. */
    private static final long ORDER_NANOS = 100_000_000;

    private static final long SECOND_NANOS = 1_000_000_000;
    private static final long CONVERGE_SECONDS = 20;
    /** Of the time after which a silent neighbour is given up: routers may begin to wait for one another more than once. */
    private static final int CONVERGE_WAITS = 4;

    private static final long QUIET_NANOS = 1_500_000_000;
    private static final int MAX_NAMED = 4;
    private static final int MAX_TRIES = 500;
    /** Of documents (RFC 5737). */
    private static final String NOBODY = "192.0.2.1";

    private final RoutingWatcher watch;
    private final Consumer<String> announce;
    private final long mostSeconds;
    private final Map<String, Lines> logs = new LinkedHashMap<>();
    private final Map<String, Lines> tables = new LinkedHashMap<>();
    private final Map<String, Lines> ends = new LinkedHashMap<>();
    private final Thread reader;
    private final CountDownLatch end = new CountDownLatch(1);

    private BirdProcesses(Routing routing, RoutingWatcher watch, Consumer<String> announce) {
        this.watch = watch;
        this.announce = announce;
        this.mostSeconds = CONVERGE_SECONDS + CONVERGE_WAITS * Math.max(routing.deadSeconds(), routing.holdSeconds());
        this.reader = new Thread(this::read, "diperf-emulated-routing");
        reader.setDaemon(true);
    }

    /** Says what this machine lacks for routing; empty: nothing. */
    static String missing(Routing routing) {
        return routing.isStatic() || command() != null
                ? ""
                : "testbed.routing needs the routing daemon bird, got none; install the package bird2";
    }

    private static @Nullable Path command() {
        String path = System.getenv("PATH");
        return Stream.concat(Stream.of((path == null ? "" : path).split(":")), SYSTEM_FOLDERS.stream())
                .filter(folder -> !folder.isEmpty())
                .map(folder -> Path.of(folder, BIRD))
                .filter(Files::isExecutable)
                .findFirst()
                .orElse(null);
    }

    /**
     * Starts the routers of a lab, whose engine's devices are there.
     *
     * @param logs an existing folder, which gets the log of each router
     * @param announce gets what the user must know
     */
    static BirdProcesses start(
            Lab lab, Topology topology, Routing routing, RoutingWatcher watch, Path logs, Consumer<String> announce)
            throws IOException, InterruptedException {
        Path bird = command();
        if (bird == null) {
            throw new IOException(missing(routing));
        }
        lab.addRouters(topology.routers());
        BirdProcesses birds = new BirdProcesses(routing, watch, announce);
        RouterPlan plan = new RouterPlan(topology, routing);
        List<String> script = new ArrayList<>(List.of("set -e"));
        for (String router : topology.routers()) {
            long holder = lab.holder(router);
            String in = "nsenter --target " + holder + " --net ";
            script.add(in + "sh -c 'cd /proc/sys/net && echo 0 > ipv4/conf/all/rp_filter"
                    + " && echo 0 > ipv4/conf/default/rp_filter && echo 1 > ipv4/fib_multipath_hash_policy"
                    + " && { [ ! -e ipv6 ] || echo 1 > ipv6/conf/default/disable_ipv6; }"
                    + " && echo 1 > ipv4/ip_forward'");
            plan.devices(router)
                    .forEach((device, number) -> script.add(
                            "ip link set " + Engine.device(number) + " netns " + holder + " name " + device));
            Path file = lab.folder().resolve(router);
            Path log = logs.resolve("bird-" + router + ".log").toAbsolutePath();
            Files.write(file.resolveSibling(router + ".ip"), plan.addresses(router));
            Files.writeString(file.resolveSibling(router + ".conf"), plan.configuration(router, log));
            script.add(in + "ip -batch " + file + ".ip");
            script.add("TZ=UTC " + in + "ip -ts -o -4 monitor route < /dev/null > " + file + ".routes 2>&1 &");
            // What happens before it listens it does not tell of.
            script.add("n=0; until [ -s " + file + ".routes ] || [ $n = " + MAX_TRIES + " ]; do n=$((n + 1)); " + in
                    + "ip route add blackhole " + NOBODY + "; " + in + "ip route del blackhole " + NOBODY + "; done");
            script.add("{ " + in + bird + " -f -c " + file + ".conf -s " + file + ".control < /dev/null > " + file
                    + ".said 2>&1; echo \"exited with code $?\" >> " + file + ".said; } > /dev/null 2>&1 &");
            birds.logs.put(router, new Lines(log));
            birds.tables.put(router, new Lines(Path.of(file + ".routes")));
            birds.ends.put(router, new Lines(Path.of(file + ".said")));
        }
        Path file = lab.folder().resolve("routers.sh");
        Files.write(file, script);
        Commands.run(
                lab.inside(List.of("sh", file.toString())),
                Commands.forNodes(topology.routers().size()));
        birds.reader.start();
        return birds;
    }

    /** Returns when all routers know the ways and have not changed them for a time. */
    void awaitWays() throws IOException, InterruptedException {
        List<String> lacks = watch.awaitWays(NanoClock.SYSTEM, QUIET_NANOS, mostSeconds * SECOND_NANOS);
        if (!lacks.isEmpty()) {
            throw new IOException("the routers in the emulated network did not find routes within " + mostSeconds
                    + " s: " + String.join("; ", lacks.subList(0, Math.min(MAX_NAMED, lacks.size())))
                    + (lacks.size() > MAX_NAMED ? "; and " + (lacks.size() - MAX_NAMED) + " more" : "")
                    + ". Their logs are logs/bird-*.log in the run's folder");
        }
    }

    /** Takes note of a change of links that was made. */
    void changed(Change change, long atNanos) {
        watch.changed(change, atNanos);
    }

    void begun(long startNanos) {
        watch.begun(startNanos);
    }

    List<Rerouting> reroutings() {
        return watch.reroutings();
    }

    private void read() {
        try {
            do {
                look();
            } while (!end.await(LOOK_MILLIS, TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            // It is to end.
        } catch (IOException | RuntimeException e) {
            announce.accept("the routers in the emulated network can no longer be monitored: " + e);
        }
    }

    private void look() throws IOException {
        Instant wall = Instant.now();
        long nanos = NanoClock.SYSTEM.nanoTime();
        long ahead = wall.getEpochSecond() * SECOND_NANOS + wall.getNano() - nanos;
        for (Map.Entry<String, Lines> each : logs.entrySet()) {
            each.getValue().read().forEach(line -> watch.log(each.getKey(), line, ahead));
        }
        for (Map.Entry<String, Lines> each : tables.entrySet()) {
            each.getValue().read().forEach(line -> watch.table(each.getKey(), line, ahead));
        }
        for (Map.Entry<String, Lines> each : ends.entrySet()) {
            each.getValue().read().forEach(line -> {
                announce.accept("bird on router " + each.getKey() + ": " + line);
            });
        }
        watch.advance(nanos - ORDER_NANOS);
    }

    @Override
    public void close() throws InterruptedException {
        end.countDown();
        reader.join();
        for (Map<String, Lines> files : List.of(logs, tables, ends)) {
            files.values().forEach(Lines::close);
        }
    }

    /** A file that grows. Confined to one thread. */
    private static final class Lines {

        private final Path path;
        private @Nullable RandomAccessFile file;
        private String rest = "";

        Lines(Path path) {
            this.path = path;
        }

        /** Returns the lines that have come since the last time. */
        List<String> read() throws IOException {
            RandomAccessFile from = file;
            if (from == null) {
                if (!Files.exists(path)) {
                    return List.of();
                }
                from = new RandomAccessFile(path.toFile(), "r");
                file = from;
            }
            long size = from.length();
            if (size <= from.getFilePointer()) {
                return List.of();
            }
            byte[] bytes = new byte[(int) Math.min(1 << 20, size - from.getFilePointer())];
            from.readFully(bytes);
            String text = rest + new String(bytes, StandardCharsets.US_ASCII);
            int end = text.lastIndexOf('\n');
            rest = text.substring(end + 1);
            return end < 0 ? List.of() : text.substring(0, end).lines().toList();
        }

        void close() {
            try {
                if (file != null) {
                    file.close();
                }
            } catch (IOException e) {
                // Nothing was written.
                return;
            }
        }
    }
}
