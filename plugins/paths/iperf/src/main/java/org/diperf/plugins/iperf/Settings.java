package org.diperf.plugins.iperf;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.TargetAddress;

/**
 * What a client's tests are like.
 *
 * @param request what the server is asked for
 * @param timeNanos that count; 0 where bytes or blocks alone end a test
 * @param omitNanos before those
 */
record Settings(Request request, long timeNanos, long omitNanos) {

    static final int PORT = 5201;

    private static final long DEFAULT_UDP_RATE = 1_000_000;
    private static final String DEFAULT_TIME = "10s";

    static List<Parameter> parameters() {
        return List.of(
                Parameter.withDefault("protocol", Type.STRING, "tcp", "transport protocol")
                        .oneOf("tcp", "udp"),
                Parameter.optional(
                                "time",
                                Type.DURATION,
                                "duration of a test; " + DEFAULT_TIME + ", unless bytes or blocks end it")
                        .suchAs(DEFAULT_TIME),
                Parameter.optional("bytes", Type.SIZE, "the test ends after this many bytes, over all streams")
                        .suchAs("128MB"),
                Parameter.optional("blocks", Type.INTEGER, "the test ends after this many blocks, over all streams")
                        .suchAs("1000"),
                Parameter.withDefault(
                        "omit", Type.DURATION, "0s", "time at the start of a test that is excluded from its results"),
                Parameter.withDefault("parallel", Type.INTEGER, "1", "streams in each direction, 1 to 128"),
                Parameter.withDefault("reverse", Type.BOOLEAN, "false", "the server sends and the tester receives"),
                Parameter.withDefault("bidirectional", Type.BOOLEAN, "false", "both send at the same time"),
                Parameter.optional(
                                "rate",
                                Type.STRING,
                                "limit per stream in bits per second, 0 for none; default: 1Mbit/s for UDP, none for TCP")
                        .suchAs("100Mbit/s"),
                Parameter.optional(
                                "block", Type.SIZE, "bytes per write (default: 128KiB) or per datagram (default: 1460)")
                        .suchAs("64KiB"),
                Parameter.optional("window", Type.SIZE, "socket buffer size at both ends; default: the system's choice")
                        .suchAs("256KiB"),
                Parameter.optional("mss", Type.INTEGER, "bytes per TCP segment; default: the system's choice")
                        .suchAs("1400"),
                Parameter.optional("congestion", Type.STRING, "TCP congestion control; default: the system's choice")
                        .suchAs("cubic"),
                Parameter.withDefault("no-delay", Type.BOOLEAN, "false", "send small TCP segments immediately"));
    }

    /**
     * Reads the parameters.
     *
     * @throws IllegalArgumentException when they do not go together
     */
    static Settings of(Parameters with) {
        boolean udp = with.string("protocol").equals("udp");
        long bytes = with.has("bytes") ? within("bytes", with.integer("bytes"), 1, Long.MAX_VALUE) : 0;
        long blocks = with.has("blocks") ? within("blocks", with.integer("blocks"), 1, Long.MAX_VALUE) : 0;
        if (bytes > 0 && blocks > 0) {
            throw new IllegalArgumentException("blocks: expected either bytes or blocks, got both; drop one of them");
        }
        if (with.bool("reverse") && with.bool("bidirectional")) {
            throw new IllegalArgumentException(
                    "reverse: expected either reverse or bidirectional, got both; bidirectional includes reverse");
        }
        Duration time =
                with.has("time") ? with.duration("time") : bytes + blocks > 0 ? Duration.ZERO : Duration.ofSeconds(10);
        within("time in seconds", time.toSeconds(), bytes + blocks > 0 ? 0 : Long.MIN_VALUE, Request.MAX_SECONDS);
        if (time.isZero() && bytes + blocks == 0) {
            throw new IllegalArgumentException(
                    "time: expected more than 0s, got 0s; set a longer time, or set " + "bytes");
        }
        Duration omit = with.duration("omit");
        within("omit in seconds", omit.toSeconds(), 0, Request.MAX_OMIT_SECONDS);
        if (!udp) {
            tcpAlone(with);
        } else if (with.has("mss") || with.has("congestion") || with.bool("no-delay")) {
            throw new IllegalArgumentException(
                    "protocol: expected tcp for mss, congestion and no-delay, got udp; drop them or set protocol: "
                            + "tcp");
        }
        int defaultBlock = udp ? Request.DEFAULT_DATAGRAM : Request.DEFAULT_BLOCK;
        long block = with.has("block") ? with.integer("block") : defaultBlock;
        within("block", block, udp ? Request.MIN_DATAGRAM : 1, udp ? Request.MAX_DATAGRAM : Request.MAX_BLOCK);
        Request request = new Request(
                udp,
                seconds(omit),
                seconds(time),
                bytes,
                blocks,
                (int) within("parallel", with.integer("parallel"), 1, Request.MAX_PARALLEL),
                (int) block,
                with.has("rate") ? BitRate.parse(with.string("rate")) : udp ? DEFAULT_UDP_RATE : 0,
                with.has("window") ? (int) within("window", with.integer("window"), 1, Request.MAX_WINDOW) : 0,
                with.has("mss") ? (int) with.integer("mss") : 0,
                with.bool("no-delay"),
                with.bool("reverse"),
                with.bool("bidirectional"),
                true,
                with.has("congestion") ? with.string("congestion") : null);
        return new Settings(request, time.toNanos(), omit.toNanos());
    }

    private static void tcpAlone(Parameters with) {
        if (with.has("mss")) {
            within("mss", with.integer("mss"), 88, Request.MAX_MSS);
        }
        if (with.has("congestion") && !with.string("congestion").matches("[a-z0-9_-]{1,15}")) {
            throw new IllegalArgumentException("congestion: expected a name such as cubic or reno, got '"
                    + with.string("congestion") + "'; see net.ipv4.tcp_available_congestion_control");
        }
    }

    private static long within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(
                    name + ": expected " + Math.max(0, least) + " to " + most + ", got " + value);
        }
        return value;
    }

    /** The protocol has whole seconds; the client itself ends the test to the nanosecond. */
    private static int seconds(Duration time) {
        return (int) ((time.toNanos() + TimeUnit.SECONDS.toNanos(1) - 1) / TimeUnit.SECONDS.toNanos(1));
    }

    /** Returns how long a test takes at least. */
    Duration leastTime() {
        return Duration.ofNanos((request.hasQuota() ? 0 : timeNanos) + omitNanos);
    }

    /**
     * Reads a target.
     *
     * @throws IllegalArgumentException when it has no host
     */
    static TargetAddress address(Url target) {
        return TargetAddress.of(target, PORT, "iperf://HOST[:PORT]");
    }
}
