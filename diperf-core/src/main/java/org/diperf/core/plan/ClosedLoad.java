package org.diperf.core.plan;

/**
 * So many concurrent clients, each of which calls again when its last call has ended and it has thought.
 *
 * @param clients at least 1
 * @param startEveryNanos from one client's start to the next one's (the controlled ramp), at least 0
 * @param runForNanos how long each client lives, more than 0
 * @param think pause between the end of a call and the intended start of the client's next one
 * @param timeoutNanos upper bound for one call, more than 0
 */
public record ClosedLoad(int clients, long startEveryNanos, long runForNanos, Think think, long timeoutNanos)
        implements Load {

    public ClosedLoad {
        if (clients < 1 || startEveryNanos < 0 || runForNanos <= 0 || timeoutNanos <= 0) {
            throw new IllegalArgumentException("Closed load wants clients >= 1, start-every >= 0, run-for > 0 and"
                    + " timeout > 0; found clients=" + clients + ", start-every=" + startEveryNanos + " ns, run-for="
                    + runForNanos + " ns, timeout=" + timeoutNanos + " ns");
        }
    }

    /** Gives the instant at which a client starts: client i at i x start-every. */
    public long clientStartNanos(int client) {
        return client * startEveryNanos;
    }

    /** Gives the instant from which a client begins no more calls. */
    public long clientEndNanos(int client) {
        return clientStartNanos(client) + runForNanos;
    }

    /** {@code run-for + (clients - 1) x start-every}. */
    @Override
    public long lengthNanos() {
        return runForNanos + (clients - 1) * startEveryNanos;
    }

    @Override
    public String model() {
        return "closed";
    }
}
