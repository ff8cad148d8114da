package org.diperf.plugins.emulated.routing;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.diperf.core.clock.NanoClock;
import org.diperf.plugins.emulated.topology.Address;
import org.diperf.plugins.emulated.topology.Change;
import org.diperf.plugins.emulated.topology.Routing;
import org.diperf.plugins.emulated.topology.Topology;
import org.jspecify.annotations.Nullable;

/**
 * Follows what routers do: whether all know their ways, and how they find others when a link is cut or mended. What it is given
 * out of order is put in order. Thread-safe; times are of the monotonic clock of this machine.
 */
public final class RoutingWatcher {

    /** Changes of one table that follow one another as soon are one event. */
    private static final long BURST_NANOS = 100_000_000;

    private static final long LOOK_MILLIS = 100;

    /** Takes what happened at routers during the load. */
    public interface Listener {

        /** Takes note of something. Called with the lock of the watch held. */
        void happened(long atNanos, String what);
    }

    private record Dated(long atNanos, Runnable action) {}

    private record Burst(int changes, long lastNanos) {}

    private final Topology topology;
    private final List<String> testers;
    private final String service;
    private final Listener listener;
    private final RouterTables tables;
    private final Map<String, Map<String, String>> neighbours = new LinkedHashMap<>();
    /** What has not been found yet, for people. */
    private final Set<String> missing = new LinkedHashSet<>();

    private final List<Dated> coming = new ArrayList<>();
    private final Map<String, Burst> bursts = new LinkedHashMap<>();
    private final List<Rerouting> done = new ArrayList<>();
    private @Nullable Rerouting open;
    private long startNanos = Long.MAX_VALUE;
    private long lastTableNanos = Long.MIN_VALUE;

    /**
     * @param testers hosts of testers
     * @param service host of the service; empty: every host is of interest
     */
    public RoutingWatcher(Topology topology, Routing routing, List<String> testers, String service, Listener listener) {
        this.topology = topology;
        this.testers = List.copyOf(testers);
        this.service = service;
        this.listener = listener;
        this.tables = new RouterTables(topology);
        RouterPlan plan = new RouterPlan(topology, routing);
        for (String router : topology.routers()) {
            Map<String, String> ofRouter = plan.neighbours(router);
            neighbours.put(router, ofRouter);
            ofRouter.values().forEach(words -> missing.add(router + " and " + words));
        }
    }

    /** Says when the load begins; from then on it tells what happens. */
    public synchronized void begun(long atNanos) {
        startNanos = atNanos;
    }

    /** Takes a line of a router's log. {@code wallNanos} is what the wall clock is ahead of the monotonic one. */
    public synchronized void log(String router, String line, long wallNanos) {
        BirdLog.parse(line).ifPresent(entry -> {
            long atNanos = entry.wallNanos() - wallNanos;
            coming.add(new Dated(atNanos, () -> said(router, entry.said(), atNanos)));
        });
    }

    /** Takes a line that tells of a router's table. */
    public synchronized void table(String router, String line, long wallNanos) {
        RouterTables.parse(line).ifPresent(entry -> {
            long atNanos = entry.wallNanos() - wallNanos;
            coming.add(new Dated(atNanos, () -> changed(router, entry, atNanos)));
        });
    }

    /** Takes a change of links that has been made. */
    public synchronized void changed(Change change, long atNanos) {
        coming.add(new Dated(atNanos, () -> {
            tables.change(change.parts());
            close();
            long sinceStart = atNanos - startNanos;
            open = new Rerouting(change.text(), sinceStart, !isWhole(), null, null);
        }));
    }

    /** Follows what has happened until an instant; what is earlier will not be told any more. */
    public synchronized void advance(long untilNanos) {
        coming.sort(Comparator.comparingLong(Dated::atNanos));
        int done = 0;
        while (done < coming.size() && coming.get(done).atNanos <= untilNanos) {
            coming.get(done).action.run();
            done++;
        }
        coming.subList(0, done).clear();
        bursts.entrySet().removeIf(each -> {
            boolean isOver = each.getValue().lastNanos < untilNanos - BURST_NANOS;
            if (isOver) {
                tell(each.getKey(), each.getValue());
            }
            return isOver;
        });
        notifyAll();
    }

    /**
     * Waits until routers lack nothing and have changed nothing for a time.
     *
     * @param quietNanos for which they must have changed nothing
     * @param mostNanos to wait
     * @return what they still lack; empty: nothing
     */
    public synchronized List<String> awaitWays(NanoClock clock, long quietNanos, long mostNanos)
            throws InterruptedException {
        long beginNanos = clock.nanoTime();
        List<String> lacks = lacks(beginNanos, quietNanos);
        while (!lacks.isEmpty() && clock.nanoTime() - beginNanos < mostNanos) {
            wait(LOOK_MILLIS);
            lacks = lacks(clock.nanoTime(), quietNanos);
        }
        return lacks;
    }

    private void said(String router, BirdLog.Said said, long atNanos) {
        if (said instanceof BirdLog.Said.Neighbour neighbour) {
            String words = neighbours.getOrDefault(router, Map.of()).get(neighbour.key());
            if (words == null) {
                return;
            }
            if (neighbour.isThere()) {
                missing.remove(router + " and " + words);
            }
            happened(atNanos, router + (neighbour.isThere() ? " has found " : " has lost ") + words);
        } else if (said instanceof BirdLog.Said.Route route && isHost(Address.parse(route.address()))) {
            Burst before = bursts.get(router);
            boolean isNew = before == null || before.lastNanos < atNanos - BURST_NANOS;
            if (before != null && isNew) {
                tell(router, before);
            }
            bursts.put(router, new Burst(before == null || isNew ? 1 : before.changes + 1, atNanos));
        } else if (said instanceof BirdLog.Said.Problem problem) {
            happened(atNanos, router + ": " + problem.text());
        }
    }

    private boolean isHost(int address) {
        return topology.hosts().stream().anyMatch(host -> host.address() == address);
    }

    private void tell(String router, Burst burst) {
        happened(
                burst.lastNanos,
                router + " has changed " + burst.changes + (burst.changes == 1 ? " way" : " ways") + " to hosts");
    }

    private void happened(long atNanos, String what) {
        if (atNanos >= startNanos) {
            listener.happened(atNanos, what);
        }
    }

    private void changed(String router, RouterTables.Entry entry, long atNanos) {
        if (!isHost(entry.address())) {
            return;
        }
        boolean was = isWhole();
        tables.take(router, entry);
        boolean is = isWhole();
        lastTableNanos = Math.max(lastTableNanos, atNanos);
        Rerouting of = open;
        if (of != null) {
            long sinceStart = atNanos - startNanos;
            open = new Rerouting(
                    of.cause(),
                    of.atNanos(),
                    of.broke() || !is,
                    is ? was ? of.restoredNanos() : (Long) sinceStart : null,
                    sinceStart);
        }
    }

    private boolean isWhole() {
        if (service.isEmpty()) {
            List<String> all =
                    topology.hosts().stream().map(host -> host.name()).toList();
            return all.stream().allMatch(host -> tables.isWhole(all, host));
        }
        return tables.isWhole(testers, service)
                && testers.stream().allMatch(tester -> tables.isWhole(List.of(service), tester));
    }

    private void close() {
        Rerouting of = open;
        if (of != null) {
            done.add(of);
        }
        open = null;
    }

    /** Says what routers lack; empty: nothing, and they have not changed anything for a time. */
    synchronized List<String> lacks(long nowNanos, long quietNanos) {
        List<String> lacks = new ArrayList<>();
        missing.forEach(words -> lacks.add(words + " are not neighbors yet"));
        lacks.addAll(tables.gaps());
        if (lacks.isEmpty() && !isWholeForAll()) {
            lacks.add("packets between some hosts are looping");
        }
        if (lacks.isEmpty() && nowNanos - lastTableNanos < quietNanos) {
            lacks.add("routes are still changing");
        }
        return lacks;
    }

    private boolean isWholeForAll() {
        List<String> all = topology.hosts().stream().map(host -> host.name()).toList();
        return all.stream().allMatch(host -> tables.isWhole(all, host));
    }

    /** Returns what followed each change of links until now. */
    public synchronized List<Rerouting> reroutings() {
        List<Rerouting> all = new ArrayList<>(done);
        Rerouting last = open;
        if (last != null) {
            all.add(last);
        }
        return all;
    }
}
