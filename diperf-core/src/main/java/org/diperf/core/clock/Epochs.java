package org.diperf.core.clock;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The exchanges of all clients with all the clocks that answered them, brought to one clock. A time server's clock is known
 * by its epoch, the boot of its machine. Exchanges with different epochs are never compared as they are: global time is the
 * clock of the controller, which the stamps on frames are of. Exchanges with another clock count as far as the controller
 * asked that clock too, as client {@value #CONTROLLER}: its stamps are carried over to the controller's clock, with what is
 * not known of that added on both sides. Confined to one thread.
 */
public final class Epochs {

    /** Number of the controller as a client of a time server; testers are numbered from 1. */
    public static final int CONTROLLER = 0;

    /** Where the epoch is not known. */
    private static final long UNKNOWN = 0;

    private final Map<Integer, Map<Long, ClockBounds>> clients = new TreeMap<>();
    private final Map<Long, Optional<Corridor>> carriers = new HashMap<>();
    private final Map<Integer, ClockBounds> brought = new HashMap<>();
    private @Nullable Long own;
    private @Nullable Long first;
    private long unusable;

    /**
     * Adds an exchange. All are added before the first is asked for.
     *
     * @param epoch of the server's clock, 0: not known, which is taken for the controller's
     * @param clientWallMillis the client's wall clock when it sent, 0: unknown
     */
    public void add(int client, long epoch, Exchange exchange, Source source, long clientWallMillis) {
        if (!source.isProbe() && epoch != UNKNOWN) {
            own = epoch;
        }
        if (first == null) {
            first = epoch;
        }
        clients.computeIfAbsent(client, number -> new TreeMap<>())
                .computeIfAbsent(epoch, clock -> new ClockBounds())
                .add(exchange, source, clientWallMillis);
    }

    /** Returns the exchanges with a client's clock, as if the controller's clock had answered all of them. */
    public ClockBounds of(int client) {
        ClockBounds known = brought.get(client);
        if (known == null) {
            known = bring(client);
            brought.put(client, known);
        }
        return known;
    }

    /** Counts the exchanges with clocks that the controller did not ask. */
    public long unusable() {
        clients.keySet().forEach(this::of);
        return unusable;
    }

    private ClockBounds bring(int client) {
        ClockBounds all = new ClockBounds();
        Map<Long, ClockBounds> clocks = clients.getOrDefault(client, Map.of());
        clocks.forEach((epoch, bounds) -> {
            if (isOwn(epoch)) {
                all.addAll(bounds);
                return;
            }
            Corridor carrier =
                    carriers.computeIfAbsent(epoch, clock -> carrier(clock)).orElse(null);
            if (carrier == null) {
                unusable += client == CONTROLLER ? 0 : bounds.added();
                return;
            }
            for (ClockBounds.Observed one : bounds.exchanges()) {
                all.add(carried(one.exchange(), carrier), one.source(), one.wallMillis());
            }
        });
        noteRestarts(clocks, all);
        return all;
    }

    private boolean isOwn(long epoch) {
        Long known = own;
        return epoch == UNKNOWN || (known != null ? epoch == known : first == null || epoch == first);
    }

    /** Makes the corridor from another clock to the controller's: the controller's exchanges with it, turned round. */
    private Optional<Corridor> carrier(long epoch) {
        ClockBounds asked = clients.getOrDefault(CONTROLLER, Map.of()).get(epoch);
        if (asked == null) {
            return Optional.empty();
        }
        ClockBounds turned = new ClockBounds();
        for (ClockBounds.Observed one : asked.exchanges()) {
            Exchange exchange = one.exchange();
            turned.add(
                    new Exchange(
                            exchange.clientSent(),
                            exchange.serverReceived(),
                            exchange.serverSent(),
                            exchange.clientReceived()),
                    one.source(),
                    0);
        }
        return Corridor.of(turned);
    }

    private static Exchange carried(Exchange exchange, Corridor carrier) {
        return new Exchange(
                carrier.globalNanos(exchange.serverSent()) - carrier.boundNanos(exchange.serverSent()),
                exchange.clientReceived(),
                exchange.clientSent(),
                carrier.globalNanos(exchange.serverReceived()) + carrier.boundNanos(exchange.serverReceived()));
    }

    /** A time server's clock that came in the place of another one is that of a machine that was restarted. */
    private void noteRestarts(Map<Long, ClockBounds> clocks, ClockBounds to) {
        List<ClockBounds.Observed> probes = clocks.values().stream()
                .flatMap(bounds -> bounds.exchanges().stream())
                .filter(one -> one.source().isProbe())
                .sorted((a, b) ->
                        Long.compare(a.exchange().clientSent(), b.exchange().clientSent()))
                .toList();
        Map<ClockBounds.Observed, Long> epochs = new java.util.IdentityHashMap<>();
        clocks.forEach((epoch, bounds) -> bounds.exchanges().forEach(one -> epochs.put(one, epoch)));
        for (int i = 1; i < probes.size(); i++) {
            Long before = epochs.get(probes.get(i - 1));
            Long after = epochs.get(probes.get(i));
            if (before != null && after != null && !before.equals(after) && before != UNKNOWN && after != UNKNOWN) {
                to.note(new ClockEvent(
                        ClockEvent.Kind.SERVER_RESTART,
                        probes.get(i - 1).exchange().clientSent(),
                        probes.get(i).exchange().clientSent(),
                        0));
            }
        }
    }
}
