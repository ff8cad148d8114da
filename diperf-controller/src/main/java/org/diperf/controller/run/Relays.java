package org.diperf.controller.run;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.diperf.controller.collect.Collector;
import org.diperf.controller.progress.RunFailedException;
import org.diperf.core.experiment.RelaySettings;
import org.diperf.core.folder.OwnerOnlyFiles;
import org.jspecify.annotations.Nullable;

/**
 * The relays of a run: their tickets, and which testers come to which.
 *
 * @param relays in the order of the file; none: testers come to the collector
 */
record Relays(List<RelaySettings> relays) {

    private static final long TURN_MILLIS = 200;

    /** Writes a ticket for each relay, and says how to start it. */
    void writeTickets(Collector collector, Path control, Consumer<String> announce) throws IOException {
        for (int i = 0; i < relays.size(); i++) {
            RelaySettings relay = relays.get(i);
            String via = relay.via();
            int number = i + 1;
            RelaySettings next = relays.stream()
                    .filter(other -> other.place().equals(via))
                    .findFirst()
                    .orElse(null);
            RelaySettings dialled = relay.dialledPlace();
            String ticket = dialled != null
                    ? collector.tickets().dialledRelay(number, relay.host(), relay.port())
                    : next == null
                            ? collector.tickets().relay(number, relay.port())
                            : collector.tickets().relay(number, List.of(next.host()), next.port(), relay.port());
            Path file = OwnerOnlyFiles.write(control.resolve("relay-" + number + ".ticket"), ticket);
            if (dialled != null) {
                collector.dial(number, dialled.host(), dialled.port());
            }
            announce.accept("start relay " + number + " on " + relay.host() + " with: diperf relay --ticket " + file);
        }
    }

    /**
     * Waits until the relays are there that lead to the collector; those behind them are seen by nobody but these.
     *
     * @param interruption why the run is to end; {@code null}: it is not
     */
    void await(Collector collector, Supplier<@Nullable String> interruption)
            throws RunFailedException, InterruptedException {
        for (int i = 0; i < relays.size(); i++) {
            CompletableFuture<Void> there =
                    relays.get(i).via() == null ? collector.relay(i + 1) : CompletableFuture.completedFuture(null);
            while (!there.isDone()) {
                if (interruption.get() != null) {
                    throw new RunFailedException(
                            "Interrupted (" + interruption.get() + ") before the relays connected");
                }
                try {
                    there.get(TURN_MILLIS, TimeUnit.MILLISECONDS);
                } catch (TimeoutException e) {
                    // looks for an interruption, and waits on
                } catch (ExecutionException e) {
                    throw new IllegalStateException("Waiting for a relay cannot fail", e);
                }
            }
        }
    }

    /** Makes the ticket of a tester, which leads to one of the outermost relays, in turn. */
    String ticket(Collector collector, int tester) {
        List<RelaySettings> outermost = RelaySettings.outermost(relays);
        if (outermost.isEmpty()) {
            return collector.tickets().tester(tester);
        }
        RelaySettings relay = outermost.get((tester - 1) % outermost.size());
        return collector.tickets().tester(tester, List.of(relay.host()), relay.port());
    }
}
