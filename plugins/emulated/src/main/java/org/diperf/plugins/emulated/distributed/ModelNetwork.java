package org.diperf.plugins.emulated.distributed;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.Direction;
import org.diperf.plugins.emulated.topology.EmulatedHost;
import org.diperf.plugins.emulated.topology.Flow;
import org.diperf.plugins.emulated.topology.Link;
import org.diperf.plugins.emulated.topology.Loss;
import org.diperf.plugins.emulated.topology.Queue;
import org.diperf.plugins.emulated.topology.Topology;

/** Networks of any size and traffic over them, made of a seed. Stateless. */
public final class ModelNetwork {

    /** The shapes of networks. */
    public enum Shape {
        /** Sites on a ring of long links, as a grid has them. */
        RING,
        /** Departments and floors below one router, as a campus has them. */
        TREE,
        /** Routers on a plane, each joined to two that are likely to have many links, as those of the Internet (Barabási and Albert 1999). */
        SCALE_FREE
    }

    private static final int FIRST_ADDRESS = Address.parse("10.0.0.1");
    private static final long MICRO = 1_000;
    private static final long MILLI = 1_000_000;
    private static final double MBIT = 1e6;
    private static final double GBIT = 1e9;
    private static final int HOSTS_OF_A_ROUTER = 50;
    private static final int MIN_SITES = 8;
    private static final int FLOORS = 8;
    private static final long SALT = 0x5deece66dL;

    private final SplittableRandom random;
    private final List<EmulatedHost> hosts = new ArrayList<>();
    private final List<String> routers = new ArrayList<>();
    private final List<Link> links = new ArrayList<>();

    private ModelNetwork(long seed) {
        random = new SplittableRandom(seed);
    }

    /**
     * Makes a network.
     *
     * @param hostCount at least 2
     */
    public static Topology of(Shape shape, int hostCount, long seed) {
        ModelNetwork network = new ModelNetwork(seed);
        int edge = Math.max(MIN_SITES, hostCount / HOSTS_OF_A_ROUTER);
        List<String> edges = switch (shape) {
            case RING -> network.ring(edge);
            case TREE -> network.tree(edge);
            case SCALE_FREE -> network.scaleFree(edge);
        };
        for (int i = 0; i < hostCount; i++) {
            String name = "h" + i;
            network.hosts.add(new EmulatedHost(name, "", FIRST_ADDRESS + i));
            network.link(name, edges.get(i % edges.size()), 100 * MBIT, network.micros(50, 200), 0, Loss.NONE);
        }
        return new Topology(seed, network.hosts, network.routers, network.links);
    }

    private long micros(int from, int to) {
        return MICRO * random.nextInt(from, to + 1);
    }

    private String router() {
        String name = "r" + routers.size();
        routers.add(name);
        return name;
    }

    private void link(String from, String to, double rate, long latencyNanos, long jitterNanos, Loss loss) {
        Direction direction = new Direction(rate, latencyNanos, jitterNanos, Queue.DEFAULT, loss);
        links.add(new Link("l" + links.size(), from, to, List.of(direction), List.of(direction)));
    }

    private List<String> ring(int edge) {
        int sites = Math.max(MIN_SITES, Math.min(32, edge / 4));
        List<String> edges = new ArrayList<>();
        List<String> cores = IntStream.range(0, sites).mapToObj(i -> router()).toList();
        for (int i = 0; i < sites; i++) {
            link(cores.get(i), cores.get((i + 1) % sites), 10 * GBIT, 2 * MILLI + micros(0, 8_000), MICRO, Loss.NONE);
            for (int j = 0; j < Math.max(1, edge / sites); j++) {
                String router = router();
                link(cores.get(i), router, GBIT, micros(200, 1_000), 0, new Loss(0.001, 2));
                edges.add(router);
            }
        }
        return edges;
    }

    private List<String> tree(int edge) {
        List<String> edges = new ArrayList<>();
        String root = router();
        for (int i = 0; i < Math.max(MIN_SITES, edge / FLOORS); i++) {
            String department = router();
            link(root, department, 10 * GBIT, micros(1_000, 3_000), 0, Loss.NONE);
            for (int j = 0; j < FLOORS; j++) {
                String floor = router();
                link(department, floor, GBIT, micros(100, 400), 10 * MICRO, new Loss(0.001, 1));
                edges.add(floor);
            }
        }
        return edges;
    }

    private List<String> scaleFree(int edge) {
        List<double[]> places = new ArrayList<>();
        // Each link puts both of its ends in: who has many is likely to be drawn.
        List<Integer> ends = new ArrayList<>();
        for (int i = 0; i < edge; i++) {
            router();
            places.add(new double[] {random.nextDouble(), random.nextDouble()});
            Set<Integer> joined = new HashSet<>();
            while (joined.size() < Math.min(2, i)) {
                int other = ends.isEmpty() ? 0 : ends.get(random.nextInt(ends.size()));
                if (other != i && joined.add(other)) {
                    double x = places.get(i)[0] - places.get(other)[0];
                    double y = places.get(i)[1] - places.get(other)[1];
                    long latency = 200 * MICRO + Math.round(20 * MILLI * StrictMath.sqrt(x * x + y * y));
                    link(routers.get(i), routers.get(other), 2 * GBIT, latency, 0, new Loss(0.0005, 1));
                }
            }
            for (int other : joined) {
                ends.add(other);
                ends.add(i);
            }
        }
        return List.copyOf(routers);
    }

    /**
     * Makes flows that begin within their first gap.
     *
     * @param gapNanos mean of the gaps between requests
     * @param nanos for which they send
     * @param skew share of flows, 0 to 1, between the hosts of a quarter of the routers, which are neighbours
     */
    public static List<Flow> flows(Topology topology, int count, long gapNanos, long nanos, double skew, long seed) {
        SplittableRandom random = new SplittableRandom(seed ^ SALT);
        List<Integer> all = IntStream.range(0, topology.hosts().size()).boxed().toList();
        int edges = (int) topology.links().stream()
                .filter(link -> link.from().startsWith("h"))
                .map(Link::to)
                .distinct()
                .count();
        List<Integer> busy =
                all.stream().filter(host -> host % edges < edges / 4).toList();
        List<Flow> flows = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            List<Integer> among = random.nextDouble() < skew && busy.size() > 1 ? busy : all;
            int from = random.nextInt(among.size());
            int to = (from + 1 + random.nextInt(among.size() - 1)) % among.size();
            flows.add(new Flow(
                    among.get(from),
                    among.get(to),
                    random.nextLong(gapNanos),
                    (int) Math.max(1, nanos / gapNanos),
                    random.nextInt(40, Topology.MTU + 1),
                    random.nextInt(3) == 0 ? 0 : random.nextInt(40, Topology.MTU + 1),
                    gapNanos,
                    random.nextInt(4) == 0));
        }
        return flows;
    }
}
