package org.diperf.plugins.probe;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import org.diperf.core.spi.ExportedCall;
import org.diperf.plugins.lib.forecast.TransferForecast;

/**
 * The transfers of a run, one after another, as rounds of probes: the n-th of each size belong to round n. So a forecast has in it what
 * a transfer takes next to its bytes: commands, connections for data, answers. Where connections are kept, calls that had to open one
 * first are left out.
 */
public final class RunTransfers {

    /** More sizes than one would choose are sizes that happened. */
    private static final int MAX_SIZES = 32;

    private static final int MAX_CALLS = 1_000_000;

    private final long[] sizes;
    private final List<double[]> rounds;

    private RunTransfers(long[] sizes, List<double[]> rounds) {
        this.sizes = sizes;
        this.rounds = rounds;
    }

    /** The run does not tell; says why, and which run would. */
    public static final class UnfitException extends Exception {

        private static final long serialVersionUID = 1;

        UnfitException(String message) {
            super(message);
        }
    }

    private record Transfer(long sentNanos, long endNanos, long bytes, boolean first) {}

    /** The calls of a run. */
    @FunctionalInterface
    public interface Source {

        /** Gives one call after another; the object is reused for the next one. */
        void read(Consumer<ExportedCall> to) throws IOException;
    }

    /**
     * Reads the calls of a run.
     *
     * @throws UnfitException when they are not transfers of a few sizes, one after another
     */
    public static RunTransfers of(Source run) throws IOException, UnfitException {
        List<Transfer> transfers = new ArrayList<>();
        boolean[] tooMany = {false};
        run.read(call -> {
            if (transfers.size() == MAX_CALLS) {
                tooMany[0] = true;
            } else if (call.outcome().equals("ok") && call.bytes() > 0) {
                long intended = call.intendedNanos();
                transfers.add(new Transfer(
                        intended + Math.max(0, call.lagNanos()),
                        intended + call.responseNanos(),
                        call.bytes(),
                        call.first()));
            }
        });
        if (transfers.isEmpty() || tooMany[0]) {
            throw new UnfitException(
                    tooMany[0]
                            ? "it has more than " + MAX_CALLS + " transfers"
                            : "none of its calls transferred any bytes");
        }
        return of(transfers);
    }

    private static RunTransfers of(List<Transfer> transfers) throws UnfitException {
        List<Transfer> ordered = new ArrayList<>(transfers);
        ordered.sort(Comparator.comparingLong(Transfer::sentNanos));
        for (int i = 1; i < ordered.size(); i++) {
            if (ordered.get(i).sentNanos() < ordered.get(i - 1).endNanos()) {
                throw new UnfitException(
                        "its transfers overlapped, so none shows the duration of a single transfer; run them one after "
                                + "another: load.clients: 1");
            }
        }
        if (ordered.stream().anyMatch(each -> !each.first())) {
            ordered.removeIf(Transfer::first);
        }
        Map<Long, List<Double>> bySize = new TreeMap<>();
        for (Transfer each : ordered) {
            bySize.computeIfAbsent(each.bytes(), size -> new ArrayList<>())
                    .add((each.endNanos() - each.sentNanos()) / 1e9);
            if (bySize.size() > MAX_SIZES) {
                throw new UnfitException("its transfers have more than " + MAX_SIZES
                        + " sizes; transfer a few sizes many times (client.journeys with a step for each size)");
            }
        }
        int count = bySize.values().stream().mapToInt(List::size).min().orElseThrow();
        List<double[]> rounds = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int round = i;
            rounds.add(bySize.values().stream()
                    .mapToDouble(each -> each.get(round))
                    .toArray());
        }
        long[] sizes = new TreeSet<>(bySize.keySet())
                .stream().mapToLong(Long::longValue).toArray();
        return new RunTransfers(sizes, rounds);
    }

    /** Returns the sizes that were transferred, in bytes, growing. */
    public long[] sizes() {
        return sizes.clone();
    }

    /** Returns how often all of them were. */
    public int rounds() {
        return rounds.size();
    }

    /** @param bytes of the transfer that is asked about, at least 1 */
    public TransferForecast forecast(long bytes) {
        return TransferForecast.of(sizes, rounds, bytes);
    }
}
