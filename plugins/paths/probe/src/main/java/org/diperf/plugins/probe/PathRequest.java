package org.diperf.plugins.probe;

import java.time.Duration;
import java.util.List;
import org.diperf.plugins.lib.forecast.TransferForecast;

/**
 * What is asked about a path.
 *
 * @param host at its other end
 * @param port to which the round trip is measured; any answer will do, also a refusal
 * @param bytes of the transfers that are to be forecast, growing, each at least 1
 * @param rounds of probes, from 1
 * @param longest transfers that probe are about so long
 * @param timeout of one probe
 * @param iperfPort where an {@code iperf} server may listen
 * @param stampPorts where a {@code stamp} reflector may listen; the first that answers is taken
 * @param nwsPort where an {@code nws} sensor may listen
 */
record PathRequest(
        String host,
        int port,
        List<Long> bytes,
        int rounds,
        Duration longest,
        Duration timeout,
        int iperfPort,
        List<Integer> stampPorts,
        int nwsPort) {

    /** Rounds without a word about it: the fewest of which an interval can be told. */
    static final int USUAL_ROUNDS = TransferForecast.FEWEST_ROUNDS;

    PathRequest {
        bytes = List.copyOf(bytes);
        stampPorts = List.copyOf(stampPorts);
        if (rounds < 1 || longest.isZero() || longest.isNegative() || timeout.compareTo(longest) <= 0) {
            throw new IllegalArgumentException("Expected at least 1 round, and 0 < longest < timeout; got rounds="
                    + rounds + ", longest=" + longest + ", timeout=" + timeout);
        }
    }
}
