package org.diperf.plugins.emulated.cli;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.distributed.DistributedEmulation;
import org.diperf.plugins.emulated.distributed.DistributedEmulation.Outcome;
import org.diperf.plugins.emulated.distributed.DistributedEmulation.Placement;
import org.diperf.plugins.emulated.distributed.ModelNetwork;
import org.diperf.plugins.emulated.partition.Load;
import org.diperf.plugins.emulated.partition.Partition;
import org.diperf.plugins.emulated.partition.Partitioner;
import org.diperf.plugins.emulated.topology.Flow;
import org.diperf.plugins.emulated.topology.Topology;

/**
 * Emulates a network by one and by several engines, and prints how well the work was split and how much faster it was. Exit code 3: an
 * engine failed, or engines did not agree on what happened.
 */
public final class DistributedMain {

    private static final String NETWORK = "network";
    private static final String HOSTS = "hosts";
    private static final String FLOWS = "flows";
    private static final String GAP = "gap";
    private static final String TIME = "time";
    private static final String SKEW = "skew";
    private static final String SEED = "seed";
    private static final String ENGINES = "engines";
    private static final String BY = "by";
    private static final String ON = "on";
    private static final String TOPOLOGY = "topology";
    private static final String PROFILE = "profile";

    private static final String HELP = """
            Emulates a network in virtual time by several processes. Options, each with its default:

              network=ring     or tree, scale-free
              hosts=10000      from 2
              flows=10000      between random hosts; a request each gap, of which two thirds are answered
              gap=20           mean, in ms
              time=1000        of the network, in ms
              skew=0           share of flows between the hosts of a quarter of the routers
              seed=1
              engines=1,2,4    numbers of processes
              by=topology,profile   how nodes are assigned to them: by the rates of links, or by the traffic of the first twentieth of the time
              on=              words before the commands of engines, for several separated by commas, such as
                               'on=ssh -o BatchMode=yes node1,ssh -o BatchMode=yes node2' (with this jar and java at the same place there)
            """;

    private static final int MAX_ENGINES = 64;

    /** Of the time, to measure traffic in. */
    private static final int PROFILE_SHARE = 20;

    private static final Duration MAX_SILENCE = Duration.ofMinutes(2);
    private static final double NANOS = 1e9;
    private static final double MILLIS = 1e6;

    private final Map<String, String> options;
    private final Topology topology;
    private final List<Flow> flows;
    private final long timeNanos;
    private final long seed;
    private final Placement placement;

    private DistributedMain(Map<String, String> options) {
        this.options = options;
        this.seed = number(SEED, "1", 0);
        this.timeNanos = Math.round(number(TIME, "1000", 1) * MILLIS);
        this.topology =
                ModelNetwork.of(shape(options.getOrDefault(NETWORK, "ring")), (int) number(HOSTS, "10000", 2), seed);
        this.flows = ModelNetwork.flows(
                topology,
                (int) number(FLOWS, "10000", 1),
                Math.round(number(GAP, "20", 1) * MILLIS),
                timeNanos,
                share(options.getOrDefault(SKEW, "0")),
                seed);
        List<List<String>> prefixes = Arrays.stream(options.getOrDefault(ON, "").split(","))
                .map(words -> Arrays.stream(words.split(" "))
                        .filter(word -> !word.isEmpty())
                        .toList())
                .toList();
        this.placement = new Placement(
                System.getProperty("java.home") + "/bin/java", SliceMain.class.getName(), prefixes, MAX_SILENCE);
    }

    private static ModelNetwork.Shape shape(String name) {
        for (ModelNetwork.Shape shape : ModelNetwork.Shape.values()) {
            if (shape.name().toLowerCase(Locale.ROOT).replace('_', '-').equals(name)) {
                return shape;
            }
        }
        throw new IllegalArgumentException(NETWORK + ": expected ring, tree or scale-free, got '" + name + "'");
    }

    private long number(String option, String otherwise, long least) {
        return number(option, options.getOrDefault(option, otherwise), least, Integer.MAX_VALUE);
    }

    private static long number(String option, String text, long least, long most) {
        if (!text.matches("[0-9]{1,10}") || Long.parseLong(text) < least || Long.parseLong(text) > most) {
            throw new IllegalArgumentException(
                    option + ": expected a number from " + least + " to " + most + ", got '" + text + "'");
        }
        return Long.parseLong(text);
    }

    private static double share(String text) {
        if (!text.matches("0(\\.[0-9]{1,9})?|1")) {
            throw new IllegalArgumentException(SKEW + ": expected a share from 0 to 1, got '" + text + "'");
        }
        return Double.parseDouble(text);
    }

    public static void main(String[] arguments) throws InterruptedException {
        int code;
        try {
            code = new DistributedMain(options(arguments)).run();
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.print(HELP);
            code = 2;
        } catch (IOException e) {
            System.err.println(e.getMessage());
            code = 3;
        }
        System.exit(code);
    }

    private static Map<String, String> options(String[] arguments) {
        Set<String> known = Set.of(NETWORK, HOSTS, FLOWS, GAP, TIME, SKEW, SEED, ENGINES, BY, ON);
        Map<String, String> options = new HashMap<>();
        for (String argument : arguments) {
            int equals = argument.indexOf('=');
            String name = argument.substring(0, Math.max(0, equals));
            if (!known.contains(name)) {
                throw new IllegalArgumentException(
                        "expected one of the options below with a value, got '" + argument + "'");
            }
            options.put(name, argument.substring(equals + 1));
        }
        return options;
    }

    private int run() throws IOException, InterruptedException {
        System.out.printf(
                Locale.ROOT,
                "%d hosts, %d routers, %d links, %d flows%n",
                topology.hosts().size(),
                topology.routers().size(),
                topology.links().size(),
                flows.size());
        System.out.println("engines  by        lookahead  windows     events  per engine: most / mean  from others"
                + "      wall  speed-up  busiest    digest");
        List<Outcome> outcomes = new ArrayList<>();
        for (String count : options.getOrDefault(ENGINES, "1,2,4").split(",")) {
            for (String by : options.getOrDefault(BY, TOPOLOGY + "," + PROFILE).split(",")) {
                int engines = (int) number(ENGINES, count, 1, MAX_ENGINES);
                if (engines > 1 || outcomes.isEmpty()) {
                    outcomes.add(run(engines, by, outcomes));
                }
            }
        }
        if (outcomes.stream().mapToLong(Outcome::digest).distinct().count() > 1) {
            System.err.println("Expected all engines to agree on when each packet was where, got differences");
            return 3;
        }
        return 0;
    }

    private Outcome run(int engines, String by, List<Outcome> before) throws IOException, InterruptedException {
        Partition partition =
                engines == 1 ? Partition.whole(topology) : Partitioner.split(topology, load(by), engines, seed);
        Outcome outcome = run(partition, timeNanos);
        Outcome first = before.isEmpty() ? outcome : before.get(0);
        long received =
                outcome.engines().stream().mapToLong(each -> each.received()).sum();
        System.out.printf(
                Locale.ROOT,
                "%7d  %-8s  %9s  %7d  %9d  %21.2f      %9.2f %%  %6.2f s  %8.2f  %5.2f s  %08x%n",
                engines,
                engines == 1 ? "-" : by,
                partition.lookaheadNanos() == Long.MAX_VALUE
                        ? "-"
                        : String.format(Locale.ROOT, "%.2f ms", partition.lookaheadNanos() / MILLIS),
                outcome.windows(),
                outcome.events(),
                outcome.imbalance(),
                100.0 * received / Math.max(1, outcome.events()),
                outcome.wallNanos() / NANOS,
                first.wallNanos() / (double) outcome.wallNanos(),
                outcome.chainNanos() / NANOS,
                outcome.digest() >>> Integer.SIZE);
        return outcome;
    }

    private Load load(String by) throws IOException, InterruptedException {
        if (by.equals(TOPOLOGY)) {
            return Load.ofTopology(topology);
        }
        if (!by.equals(PROFILE)) {
            throw new IllegalArgumentException(BY + ": expected topology or profile, got '" + by + "'");
        }
        long nanos = Math.max(1, timeNanos / PROFILE_SHARE);
        return run(Partition.whole(topology), nanos).load(topology, nanos);
    }

    private Outcome run(Partition partition, long untilNanos) throws IOException, InterruptedException {
        return new DistributedEmulation(topology, flows, partition, placement)
                .run(untilNanos, NanoClock.SYSTEM, pid -> {});
    }
}
