package org.diperf.plugins.nws;

import java.net.InetSocketAddress;
import java.util.List;
import org.diperf.core.spi.Parameter;
import org.diperf.core.spi.Parameter.Type;
import org.diperf.core.spi.Parameters;
import org.diperf.core.spi.Url;
import org.diperf.plugins.lib.forecast.Battery;
import org.jspecify.annotations.Nullable;

/**
 * What a client's probes are like.
 *
 * @param size bytes sent to measure bandwidth
 * @param buffer bytes of the socket's buffers
 * @param message bytes of each write
 * @param battery which forecasters, {@code null} for none
 */
record Settings(long size, int buffer, int message, Battery.@Nullable Kind battery) {

    static final int PORT = 8060;
    static final int MAX_BUFFER = 64 << 20;
    static final long MAX_SIZE = 1L << 40;

    static List<Parameter> parameters() {
        return List.of(
                Parameter.withDefault("size", Type.SIZE, "64KiB", "bytes sent to measure bandwidth, 1 to 1TiB"),
                Parameter.withDefault("buffer", Type.SIZE, "32KiB", "socket buffer size at both ends, 1KiB to 64MiB"),
                Parameter.withDefault("message", Type.SIZE, "16KiB", "bytes per write, 1 to 64MiB"),
                Parameter.withDefault(
                                "forecaster",
                                Type.STRING,
                                "nws-fixed",
                                "forecasters as in the source code of NWS (nws), as its authors intended "
                                        + "(nws-fixed), or none")
                        .oneOf("nws", "nws-fixed", "none"));
    }

    /**
     * Reads the parameters.
     *
     * @throws IllegalArgumentException when one is out of its range
     */
    static Settings of(Parameters with) {
        String forecaster = with.string("forecaster");
        return new Settings(
                within("size", with.integer("size"), 1, MAX_SIZE),
                (int) within("buffer", with.integer("buffer"), 1 << 10, MAX_BUFFER),
                (int) within("message", with.integer("message"), 1, MAX_BUFFER),
                forecaster.equals("none") ? null : forecaster.equals("nws") ? Battery.Kind.NWS : Battery.Kind.FIXED);
    }

    private static long within(String name, long value, long least, long most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(name + ": expected " + least + " to " + most + " bytes, got " + value);
        }
        return value;
    }

    /**
     * Reads a target.
     *
     * @throws IllegalArgumentException when it has no host
     */
    static InetSocketAddress address(Url target) {
        if (target.host() == null) {
            throw new IllegalArgumentException("target: expected nws://HOST[:PORT], got '" + target + "'");
        }
        int port = target.port() < 0 ? PORT : target.port();
        return InetSocketAddress.createUnresolved(target.host(), port);
    }
}
