package org.diperf.core.plan;

/**
 * A number of concurrent clients, each of which calls again after its last call has ended and it has paused.
 *
 * @param clients number of clients, at least 1
 * @param lives when each of them starts and ends
 * @param think pause between the end of a call and the intended start of the client's next one
 * @param quota after which clients start no more calls
 * @param onFailure what a failed call does
 * @param timeoutNanos time limit of one call, more than 0
 */
public record ClosedLoad(
        int clients, ClientLifetimes lives, ThinkTime think, Quota quota, OnFailure onFailure, long timeoutNanos)
        implements Load {

    public ClosedLoad {
        if (clients < 1 || timeoutNanos <= 0) {
            throw new IllegalArgumentException("Closed load: expected clients >= 1 and timeout > 0, got clients="
                    + clients + ", timeout=" + timeoutNanos + " ns");
        }
        if (lives instanceof ClientLifetimes.Ramp ramp && Math.max(ramp.from(), ramp.to()) > clients) {
            throw new IllegalArgumentException("Closed load: expected a ramp of at most " + clients
                    + " clients, got a ramp from " + ramp.from() + " to " + ramp.to());
        }
    }

    /** Makes a load of equally long lives that nothing else ends. */
    public ClosedLoad(int clients, long startEveryNanos, long runForNanos, ThinkTime think, long timeoutNanos) {
        this(
                clients,
                new ClientLifetimes.Staggered(startEveryNanos, runForNanos),
                think,
                Quota.NONE,
                OnFailure.CONTINUE,
                timeoutNanos);
    }

    /** Returns the instant at which a client starts. */
    public long clientStartNanos(int client) {
        return lives.startNanos(client);
    }

    /** Returns the instant from which a client begins no more calls. */
    public long clientEndNanos(int client) {
        return lives.endNanos(client);
    }

    /** For equally long lives {@code run-for + (clients - 1) x start-every}. */
    @Override
    public long lengthNanos() {
        return lives.lengthNanos(clients);
    }

    @Override
    public boolean isLimited() {
        return quota.isLimited();
    }

    @Override
    public String model() {
        return "closed";
    }
}
