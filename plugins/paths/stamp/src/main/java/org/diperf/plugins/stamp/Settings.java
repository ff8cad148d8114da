package org.diperf.plugins.stamp;

import java.time.Duration;
import java.util.List;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.netty.TargetAddress;

/**
 * What a client's trains are like.
 *
 * @param count datagrams of a train
 * @param bytes of each, without the headers of UDP and IP
 * @param intervalNanos between them
 * @param waitNanos for answers, after the last
 * @param counts whether the reflector numbers its answers by itself
 * @param mtu whether the largest packet is looked for
 */
record Settings(int count, int bytes, long intervalNanos, long waitNanos, boolean counts, boolean mtu) {

    static final int PORT = 862;

    private static final int MAX_COUNT = 100_000;
    private static final int MAX_BYTES = 65_507;

    static List<Parameter> parameters() {
        return List.of(
                Parameter.withDefault("count", Type.INTEGER, "100", "datagrams per call, 1 to 100000"),
                Parameter.withDefault(
                        "size", Type.SIZE, "64", "bytes per datagram, 44 to 65507, without UDP and IP headers"),
                Parameter.withDefault("interval", Type.DURATION, "10ms", "time from one datagram to the next"),
                Parameter.withDefault("wait", Type.DURATION, "1s", "time to wait for answers after the last datagram"),
                Parameter.withDefault(
                                "reflector",
                                Type.STRING,
                                "stateful",
                                "whether the reflector numbers its own answers; if not, the direction in which datagrams are "
                                        + "lost is unknown")
                        .oneOf("stateful", "stateless"),
                Parameter.withDefault(
                        "mtu",
                        Type.BOOLEAN,
                        "false",
                        "after the train, find the largest packet that arrives unfragmented"));
    }

    /**
     * Reads the parameters.
     *
     * @throws IllegalArgumentException when one is out of its range
     */
    static Settings of(Parameters with) {
        return new Settings(
                (int) within("count", with.integer("count"), 1, MAX_COUNT),
                (int) within("size", with.integer("size"), Packet.BYTES, MAX_BYTES),
                with.duration("interval").toNanos(),
                with.duration("wait").toNanos(),
                with.string("reflector").equals("stateful"),
                with.bool("mtu"));
    }

    private static long within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + ": expected " + least + " to " + most + ", got " + value);
        }
        return value;
    }

    /** Returns how long a train takes whose answers are all lost. */
    Duration mostTime() {
        return Duration.ofNanos((count - 1) * intervalNanos + waitNanos);
    }

    /**
     * Reads a target.
     *
     * @throws IllegalArgumentException when it has no host
     */
    static TargetAddress address(Url target) {
        return TargetAddress.of(target, PORT, "stamp://HOST[:PORT]");
    }
}
