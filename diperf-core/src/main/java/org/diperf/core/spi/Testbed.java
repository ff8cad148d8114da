package org.diperf.core.spi;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/** A testbed opened for one run. Used by one thread of the controller at a time. */
public interface Testbed extends AutoCloseable {

    /**
     * Probes all candidate nodes at once, including unusable ones. Starts nothing.
     *
     * @return the nodes in the order of the file; empty if the testbed does not know its nodes in advance and places testers
     *     itself
     * @throws Exception if the candidates cannot even be listed
     */
    default List<Node> survey() throws Exception {
        return List.of();
    }

    /**
     * Starts testers without waiting for them; each joins the run by its ticket. A tester that cannot be started is
     * reported through {@link TestbedContext#failed}. Called again for testers that replace lost ones.
     *
     * @param places of testers that were not started before
     * @throws Exception if none of them can be started, with the reason
     */
    void start(List<Place> places) throws Exception;

    /**
     * Takes note that the load begins at an instant, shortly before it. Called once, after the testers were told. What a testbed
     * does by itself from then on, it reports through {@link TestbedContext#changed}.
     *
     * @param startNanos on this machine's monotonic clock, {@link System#nanoTime}
     * @throws Exception if it cannot do what the file wants of it during the load; the run fails
     */
    default void begun(long startNanos) throws Exception {}

    /**
     * Returns how long testers may take from {@link #start} until they have joined; the run starts without those that
     * have not. Includes what the testbed waits for, such as a queue.
     */
    default Duration patience() {
        return Duration.ofSeconds(60);
    }

    /**
     * Returns a machine on which the controller may run programs, such as the service under test.
     *
     * @param name as in the file
     * @throws Exception if this testbed has no such machine, or it cannot be reached
     */
    default Host host(String name) throws Exception {
        throw new IllegalArgumentException(
                "Expected a machine of the testbed, got '" + name + "': this kind of testbed runs nothing but testers");
    }

    /**
     * Lists where the testers that were started leave samples that no controller took. Testers that leave them in the
     * {@linkplain TestbedContext#privateFolder private folder} are not among them.
     */
    default List<SpoolPlace> spools() {
        return List.of();
    }

    /**
     * Ends testers that still run, which then leave what they have. Called before {@link #bring} for testers that cannot
     * reach the controller. Others that can only be ended together with them are ended too.
     *
     * @param places of the testers, as {@link #spools} lists them
     * @throws Exception if some cannot be ended, naming them
     */
    default void endTesters(List<SpoolPlace> places) throws Exception {}

    /**
     * Copies samples that testers have left to this machine. They stay on their machines until {@link #drop}.
     *
     * @param places as {@link #spools} lists them
     * @param into an existing folder; the samples of tester N come as {@code tester-N.spool}, readable by their owner alone
     * @return by tester why it could not be found out whether it has left any; those alone
     */
    default Map<Integer, String> bring(List<SpoolPlace> places, Path into) throws InterruptedException {
        return Map.of();
    }

    /**
     * Removes samples from the machines on which testers have left them: they are safe here.
     *
     * @param places as {@link #spools} lists them
     * @throws Exception naming what could not be removed
     */
    default void drop(List<SpoolPlace> places) throws Exception {}

    /**
     * Describes the network that this testbed has made for testers and service, with what it has carried until now. Asked
     * when the record of the run is written, the last time after the load and before {@link #close}.
     *
     * @return empty: it has made none
     */
    default Optional<Network> network() {
        return Optional.empty();
    }

    /**
     * Runs an action in the network of one of its machines: sockets that it makes are there, and stay there. On the calling thread, which is
     * in its own network before and after. May be called by any thread after {@link #start}.
     *
     * @param host as in the file
     * @throws IllegalArgumentException if there is no such machine, or its machines have no networks of their own here
     * @throws Exception what the action throws
     */
    default <T> T within(String host, Callable<T> action) throws Exception {
        throw new IllegalArgumentException("expected a host with a network of its own on this machine, got '" + host
                + "': only emulated networks have such hosts");
    }

    /**
     * Makes a monitor of that network. Asked once, after {@link #start}; its metrics are named by {@link Network#metric}.
     *
     * @return empty: it has made none, or one that cannot be watched
     */
    default Optional<Monitor> networkMonitor() {
        return Optional.empty();
    }

    /**
     * Ends everything this testbed started that still runs, and removes what it left on its machines but for {@link
     * #spools}, even after failures. Called once, at the end of the run.
     */
    @Override
    void close() throws Exception;

    /**
     * A network that a testbed has made, for which it answers: what is declared, and how it came up to that. Hosts that are
     * alike are one node here, and links that join them one link.
     *
     * @param nodes in the order of the file
     * @param links likewise
     * @param shortestRoundTripNanos least time there and back that is declared between a tester and the service; 0: none
     * @param shortestWayNanos least time that any packet from one host to another takes as declared; 0: none, or not known
     * @param carried how it did its work; {@code null}: not known
     * @param reroutings what its routers did after changes of links, in their order; empty where they do nothing of the kind
     */
    record Network(
            List<Node> nodes,
            List<Link> links,
            long shortestRoundTripNanos,
            long shortestWayNanos,
            @Nullable Carried carried,
            List<Rerouting> reroutings) {

        /** Kind of the monitor of such a network. */
        public static final String MONITOR = "network";

        /** Metric of a part of a link: share of its time in which it sends, percent; absent where its rate is not limited. */
        public static final String USE = "use";

        /** Metric of a part of a link: what it sends, bit/s. */
        public static final String RATE = "rate";

        /** Metric of a part of a link: packets that it loses as declared or because it is cut, packets/s. */
        public static final String LOST = "lost";

        /** Metric of a part of a link: packets that found no room in its queue, packets/s. */
        public static final String OVERFLOWED = "overflowed";

        /** Metric of a part of a link: packets in its queue when it was looked at. */
        public static final String QUEUE = "queue";

        /** Metric of a part of a link: most packets in its queue at a time since it was looked at before. */
        public static final String LONGEST_QUEUE = "queue.most";

        /**
         * Metric of all of it: share of the time in which any packet was overdue, percent. Told by slices of time, each at its end; between
         * slices that are told there are none.
         */
        public static final String LATE = "late";

        /** Metric of all of it: by how much the latest packet was late of those given to hosts in such a slice, ms; at its end. */
        public static final String LATEST = "late.most";

        public Network {
            nodes = List.copyOf(nodes);
            links = List.copyOf(links);
            // Records of before know none.
            reroutings = reroutings == null ? List.of() : List.copyOf(reroutings);
        }

        /** Makes one whose routers have done nothing. */
        public Network(
                List<Node> nodes,
                List<Link> links,
                long shortestRoundTripNanos,
                long shortestWayNanos,
                @Nullable Carried carried) {
            this(nodes, links, shortestRoundTripNanos, shortestWayNanos, carried, List.of());
        }

        /**
         * How routers found other ways after a change of links, until the next one. Times are after the start of the load, ns.
         *
         * @param cause the change, for people
         * @param atNanos when it was made
         * @param broke whether testers and service could not reach one another by the ways that the routers knew
         * @param restoredNanos when they last became able to again; {@code null}: they have not, or always were
         * @param settledNanos when a router last changed a way to a host; {@code null}: none did
         */
        public record Rerouting(
                String cause,
                long atNanos,
                boolean broke,
                @Nullable Long restoredNanos,
                @Nullable Long settledNanos) {}

        /**
         * Names a metric of its monitor. One that was 0 from the begin need not be told until it is something else.
         *
         * @param part as in {@link Way#parts}
         * @param what such as {@link #USE}
         */
        public static String metric(String part, String what) {
            return part + "." + what;
        }

        /**
         * A host or router, or several hosts that are alike.
         *
         * @param name as links call it
         * @param count how many, at least 1
         * @param site label; empty: none
         * @param role what it is for
         */
        public record Node(String name, int count, String site, Role role) {}

        /** What a node is for. */
        public enum Role {
            ROUTER,
            TESTERS,
            SERVICE,
            /** Testers and the service under test. */
            BOTH,
            /** A host for nothing that is known here. */
            HOST
        }

        /**
         * A link, or several that are alike.
         *
         * @param name as in the file
         * @param count how many, at least 1
         * @param from name of the node at one end
         * @param to name of the node at the other
         * @param there as it is from {@code from} to {@code to}
         * @param back the other way
         */
        public record Link(String name, int count, String from, String to, Way there, Way back) {}

        /**
         * One direction of a link, or of several.
         *
         * @param words what is declared, for people
         * @param bitsPerSecond that each part can send; 0: not limited
         * @param latencyNanos of each part
         * @param parts names of the physical links, at least one
         * @param packets that came to all of them
         * @param bytes that all of them have sent
         * @param lost packets that they lost as declared, or because they were cut
         * @param overflowed packets that found no room in their queues
         */
        public record Way(
                String words,
                double bitsPerSecond,
                long latencyNanos,
                List<String> parts,
                long packets,
                long bytes,
                long lost,
                long overflowed) {

            public Way {
                parts = List.copyOf(parts);
            }
        }

        /**
         * How it carried packets: how many since it is there, how late since the load began.
         *
         * @param engine what carried them; {@code null}: records of before do not say
         * @param packets that it has given to hosts
         * @param lateness of these, or of the probes, after the instant at which they should have come
         * @param probes packets of a link beside those that are declared, of which alone the lateness is known; {@code null}: it is that of
         *     all packets
         * @param turns in which it looked at what was due, in each of which nothing else could be done; {@code null}: it has none
         * @param droppedBefore packets that a host had no room for because they were not taken from it in time; {@code null}: not known
         * @param refused packets that a host did not take, or for which there was no memory
         * @param strays packets for nobody in this network
         */
        public record Carried(
                @Nullable String engine,
                long packets,
                Times lateness,
                @Nullable Long probes,
                @Nullable Times turns,
                @Nullable Long droppedBefore,
                long refused,
                long strays) {}

        /** Of many times: the one that half of them do not exceed, that 99 % do not exceed, and the longest. */
        public record Times(long p50Nanos, long p99Nanos, long mostNanos) {}
    }
}
