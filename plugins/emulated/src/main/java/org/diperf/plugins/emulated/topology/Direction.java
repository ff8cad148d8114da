package org.diperf.plugins.emulated.topology;

import java.time.Duration;
import org.diperf.core.spi.Quantity;

/**
 * A link as it is from one of its ends to the other.
 *
 * @param bitsPerSecond of IP packets with their headers; 0: not limited
 * @param latencyNanos from a packet's departure to its arrival, from 0
 * @param jitterNanos by which the latency of a packet may be more or less, all equally likely; at most the latency. Packets
 *     never overtake one another
 * @param queue before the link
 * @param loss of packets that come to the link
 */
public record Direction(double bitsPerSecond, long latencyNanos, long jitterNanos, Queue queue, Loss loss) {

    public Direction {
        if (!(bitsPerSecond >= 0) || latencyNanos < 0 || jitterNanos < 0 || jitterNanos > latencyNanos) {
            throw new IllegalArgumentException(
                    "Expected a rate and a latency of 0 or more and a jitter no larger than the latency; got "
                            + bitsPerSecond + " bit/s, " + latencyNanos + " ns, " + jitterNanos + " ns");
        }
    }

    /** Returns how long a packet of so many bytes is being sent. */
    public double nanos(long bytes) {
        return bitsPerSecond == 0 ? 0 : bytes * 8e9 / bitsPerSecond;
    }

    @Override
    public String toString() {
        return (bitsPerSecond == 0 ? "any rate" : BitRate.format(bitsPerSecond)) + ", " + time(latencyNanos)
                + (jitterNanos == 0 ? "" : " ± " + time(jitterNanos))
                + ", queue " + queue
                + (loss.rate() == 0 ? "" : ", loss " + loss.rate() * 100 + " %" + bursts());
    }

    private String bursts() {
        return loss.burst() == 1 ? "" : " in bursts of " + loss.burst();
    }

    static String time(long nanos) {
        return Quantity.format(Duration.ofNanos(nanos));
    }
}
