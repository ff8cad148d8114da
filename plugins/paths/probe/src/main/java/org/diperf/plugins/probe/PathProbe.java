package org.diperf.plugins.probe;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import org.diperf.core.clock.NanoClock;
import org.diperf.core.spi.CommandContext;
import org.diperf.plugins.lib.forecast.Battery;
import org.diperf.plugins.lib.forecast.Forecaster;
import org.diperf.plugins.lib.forecast.TransferForecast;
import org.diperf.plugins.probe.Calls.FailedException;
import org.diperf.plugins.probe.PathReport.Found;
import org.diperf.plugins.probe.PathReport.NotMeasured;
import org.diperf.plugins.probe.PathReport.Transfer;
import org.jspecify.annotations.Nullable;

/**
 * Probes a path from here to a host by whatever answers there: connections for the round trip, a {@code stamp} reflector for each
 * way and loss, an {@code iperf} server, or else an {@code nws} sensor, for what a transfer takes. One probe at a time. Confined to
 * one thread.
 */
final class PathProbe {

    private static final int WARM_UP = 3;
    private static final long FIRST_BYTES = 64 << 10;
    /** The largest size is found by doublings; the other two of a forecast lie so far below it. */
    private static final int BETWEEN_SIZES = 4;

    private static final long MAX_BYTES = 1L << 34;
    private static final int TRAIN = 20;
    private static final double BITS = 8e-6;

    private final PathRequest request;
    private final CommandContext context;
    private final NanoClock clock;
    private final List<Found> found = new ArrayList<>();
    private final List<Transfer> transfers = new ArrayList<>();
    private final List<NotMeasured> missing = new ArrayList<>();
    /** Median; 0 where it could not be measured. */
    private double roundTripSeconds;

    private PathProbe(PathRequest request, CommandContext context, NanoClock clock) {
        this.request = request;
        this.context = context;
        this.clock = clock;
    }

    private void progress(String now) {
        context.tell("probing " + request.host() + ": " + now);
    }

    /**
     * Probes, and tells what is measured now.
     *
     * @throws UnknownHostException when no name service knows the host
     */
    static PathReport make(PathRequest request, CommandContext context, NanoClock clock)
            throws UnknownHostException, InterruptedException {
        if (new InetSocketAddress(request.host(), request.port()).isUnresolved()) {
            throw new UnknownHostException(request.host());
        }
        PathProbe probe = new PathProbe(request, context, clock);
        probe.roundTrips();
        probe.ways();
        probe.transfers();
        return new PathReport(request.host(), probe.found, probe.transfers, probe.missing);
    }

    /** A series of values, forecast. */
    private static final class Series {

        private final Forecaster forecaster = new Forecaster(Battery.Kind.FIXED);
        private int count;

        void take(double value) {
            forecaster.take(value);
            count++;
        }
    }

    private void tell(String name, String unit, Series series, String how) {
        Forecaster.Standing next = series.forecaster.standing();
        if (next != null) {
            found.add(new Found(name, unit, series.count, next, how));
        }
    }

    /** A connection is there, or refused, after one round trip. */
    private void roundTrips() {
        progress("round trip");
        InetSocketAddress address = new InetSocketAddress(request.host(), request.port());
        Series series = new Series();
        boolean refused = false;
        int patience = (int) Math.max(1, request.timeout().toMillis());
        double[] taken = new double[request.rounds()];
        try {
            for (int i = -WARM_UP; i < request.rounds(); i++) {
                long beganNanos = clock.nanoTime();
                try (Socket socket = new Socket()) {
                    socket.connect(address, patience);
                } catch (ConnectException e) {
                    if (!String.valueOf(e.getMessage()).contains("refused")) {
                        throw e;
                    }
                    refused = true;
                }
                double millis = (clock.nanoTime() - beganNanos) / 1e6;
                if (i >= 0) {
                    series.take(millis);
                    taken[i] = millis;
                }
            }
        } catch (IOException e) {
            missing.add(new NotMeasured(
                    "round trip",
                    "port " + request.port() + " of " + request.host() + " does not answer (" + e.getMessage()
                            + "); specify a port that does: " + request.host() + ":PORT"));
            return;
        }
        Arrays.sort(taken);
        roundTripSeconds = taken[taken.length / 2] / 1e3;
        tell(
                "round-trip",
                "ms",
                series,
                refused ? "refused connections to port " + request.port() : "connections to port " + request.port());
    }

    /** Each way's delay, and what is lost on it. */
    private void ways() throws InterruptedException {
        progress("delay and loss in each direction");
        Map<String, Object> with = Map.of("count", TRAIN, "interval", "5ms", "wait", "300ms");
        List<String> tried = new ArrayList<>();
        for (int port : request.stampPorts()) {
            Calls reflector = new Calls(context, "stamp", request.host(), port, request.timeout());
            try {
                reflector.make(with);
                ways(reflector, with);
                return;
            } catch (FailedException e) {
                tried.add("port " + port + ": " + e.getMessage());
            }
        }
        missing.add(new NotMeasured(
                "delay and loss in each direction",
                "no reflector answers there (" + String.join(", ", tried)
                        + "); start one: diperf server stamp --listen 0.0.0.0 --port 8620"));
    }

    private void ways(Calls reflector, Map<String, Object> with) throws InterruptedException {
        Series there = new Series();
        Series back = new Series();
        double bound = 0;
        double[] lost = new double[2];
        int trains = 0;
        for (int i = 0; i < request.rounds(); i++) {
            try {
                Map<String, Double> train = reflector.make(with);
                take(there, train.get("there"));
                take(back, train.get("back"));
                bound = Math.max(bound, train.getOrDefault("bound", 0.0));
                lost[0] += train.getOrDefault("lost.there", 0.0);
                lost[1] += train.getOrDefault("lost.back", 0.0);
            } catch (FailedException e) {
                // Nothing of the train came back; on which way it was lost nobody can tell.
                lost[0] += TRAIN;
            }
            trains++;
        }
        String how = String.format(
                Locale.ROOT,
                "packet trains to port %d; clock error of at most %.3g ms",
                reflector.target().port(),
                bound);
        tell("delay.there", "ms", there, how);
        tell("delay.back", "ms", back, how);
        String datagrams = "of " + trains * TRAIN + " datagrams";
        found.add(share("loss.there", lost[0], trains, datagrams));
        found.add(share("loss.back", lost[1], trains, datagrams));
    }

    private static void take(Series series, @Nullable Double value) {
        if (value != null) {
            series.take(value);
        }
    }

    private static Found share(String name, double lost, int trains, String how) {
        return new Found(name, "%", trains, new Forecaster.Standing(100 * lost / (trains * TRAIN), null, "mean"), how);
    }

    private void transfers() throws InterruptedException {
        Calls iperf = new Calls(context, "iperf", request.host(), request.iperfPort(), request.timeout());
        String noIperf;
        try {
            iperf.make(iperf(FIRST_BYTES, false));
            direction(false, bytes -> seconds(iperf, iperf(bytes, false), "rate", bytes), iperf);
            // Here the time counts from the first byte that comes, which was sent half a round trip before.
            direction(true, bytes -> seconds(iperf, iperf(bytes, true), "rate", bytes) + roundTripSeconds / 2, iperf);
            return;
        } catch (FailedException e) {
            noIperf = e.getMessage();
        }
        Calls sensor = new Calls(context, "nws", request.host(), request.nwsPort(), request.timeout());
        try {
            sensor.make(nws(FIRST_BYTES));
            direction(false, bytes -> seconds(sensor, nws(bytes), "bandwidth", bytes), sensor);
            missing.add(new NotMeasured(
                    "transfers back",
                    "an nws sensor cannot send, and no iperf server answers (port " + request.iperfPort() + ": "
                            + noIperf + ")"));
        } catch (FailedException e) {
            missing.add(new NotMeasured(
                    "bandwidth and transfers",
                    "nothing there accepts transfers (iperf, port " + request.iperfPort() + ": " + noIperf
                            + "; nws, port " + request.nwsPort() + ": " + e.getMessage()
                            + "); start one: diperf server iperf --listen 0.0.0.0"));
        }
    }

    private static Map<String, Object> iperf(long bytes, boolean back) {
        return Map.of("bytes", String.valueOf(bytes), "reverse", back);
    }

    private static Map<String, Object> nws(long bytes) {
        Map<String, Object> with = new LinkedHashMap<>();
        with.put("size", String.valueOf(bytes));
        with.put("message", "64KiB");
        with.put("buffer", "4MiB");
        with.put("forecaster", "none");
        return with;
    }

    private static double seconds(Calls calls, Map<String, Object> with, String rate, long bytes)
            throws FailedException, InterruptedException {
        Double megabits = calls.make(with).get(rate);
        if (megabits == null || megabits <= 0) {
            throw new FailedException("no rate was reported");
        }
        return bytes * BITS / megabits;
    }

    /** Makes a transfer of so many bytes. */
    private interface Mover {
        double secondsFor(long bytes) throws FailedException, InterruptedException;
    }

    private void direction(boolean back, Mover mover, Calls calls) throws InterruptedException {
        String way = back ? "back" : "there";
        try {
            progress("transfers " + way);
            long[] sizes = sizes(mover);
            long largest = sizes[sizes.length - 1];
            progress("transfers " + way + ", up to " + largest + " bytes");
            List<double[]> rounds = new ArrayList<>();
            Series bandwidth = new Series();
            for (int i = 0; i < request.rounds(); i++) {
                double[] round = new double[sizes.length];
                for (int s = 0; s < sizes.length; s++) {
                    round[s] = mover.secondsFor(sizes[s]);
                }
                rounds.add(round);
                bandwidth.take(largest * BITS / round[sizes.length - 1]);
            }
            tell("bandwidth." + way, "Mbit/s", bandwidth, calls.target() + ", transfers of " + largest + " bytes");
            for (long bytes : request.bytes()) {
                transfers.add(new Transfer(back, bytes, TransferForecast.of(sizes, rounds, bytes), largest));
            }
        } catch (FailedException e) {
            missing.add(new NotMeasured(
                    "transfers " + way, calls.target() + " stopped answering: " + e.getMessage() + "; probe again"));
        }
    }

    /** Doubles the size until a transfer is long enough, or larger than any that is asked about. */
    private long[] sizes(Mover mover) throws FailedException, InterruptedException {
        long most = request.bytes().isEmpty()
                ? MAX_BYTES
                : request.bytes().get(request.bytes().size() - 1);
        Duration longest = request.longest();
        long size = Math.min(FIRST_BYTES, most);
        double limit = longest.toNanos() / 1e9;
        while (size < most && mover.secondsFor(size) < limit / 2) {
            size = Math.min(2 * size, most);
        }
        TreeSet<Long> sizes = new TreeSet<>(List.of(size));
        if (size < most || request.bytes().isEmpty()) {
            sizes.add(Math.max(1, size / BETWEEN_SIZES));
            sizes.add(Math.max(1, size / BETWEEN_SIZES / BETWEEN_SIZES));
        }
        for (long asked : request.bytes()) {
            if (asked < size) {
                sizes.add(asked);
            }
        }
        return sizes.stream().mapToLong(Long::longValue).toArray();
    }
}
