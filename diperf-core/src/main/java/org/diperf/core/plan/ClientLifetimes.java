package org.diperf.core.plan;

/** When each client of a closed load starts and ends; instants count from the start of the stage. */
public sealed interface ClientLifetimes {

    /** Stands for a life that only a quota or the end of the run ends: 73 years, far from overflow. */
    long UNBOUNDED = Long.MAX_VALUE / 4;

    /** Returns the instant at which a client begins. */
    long startNanos(int client);

    /** Returns the instant from which a client begins no more calls. */
    long endNanos(int client);

    /**
     * Returns the instant by which the last of so many clients has ended.
     *
     * @param clients at least 1
     */
    long lengthNanos(int clients);

    /**
     * Returns whether so many clients all live from the first instant to the last.
     *
     * @param clients at least 1
     */
    boolean areEqual(int clients);

    /**
     * Clients start and end one after another: client i starts at i x {@code startEveryNanos} and ends at
     * {@code runForNanos} + i x {@code endEveryNanos}.
     *
     * @param startEveryNanos from one client's start to the next one's (the controlled ramp), at least 0
     * @param runForNanos how long the first client lives, more than 0; {@link #UNBOUNDED} where a quota ends it
     * @param endEveryNanos from one client's end to the next one's, at least 0
     */
    record Staggered(long startEveryNanos, long runForNanos, long endEveryNanos) implements ClientLifetimes {

        public Staggered {
            if (startEveryNanos < 0 || runForNanos <= 0 || endEveryNanos < 0) {
                throw new IllegalArgumentException(
                        "Closed load: expected start-every >= 0, run-for > 0 and end-every >= 0;"
                                + " got start-every=" + startEveryNanos + " ns, run-for=" + runForNanos
                                + " ns, end-every=" + endEveryNanos + " ns");
            }
        }

        /** Makes lives that are equally long. */
        public Staggered(long startEveryNanos, long runForNanos) {
            this(startEveryNanos, runForNanos, startEveryNanos);
        }

        @Override
        public long startNanos(int client) {
            return client * startEveryNanos;
        }

        @Override
        public long endNanos(int client) {
            return runForNanos + client * endEveryNanos;
        }

        @Override
        public long lengthNanos(int clients) {
            return endNanos(clients - 1);
        }

        @Override
        public boolean areEqual(int clients) {
            return startEveryNanos == 0 && endEveryNanos == 0 || clients == 1;
        }
    }

    /**
     * The number of clients moves evenly from one value to another; those who run on from the stage before do so.
     *
     * @param from clients at the start, at least 0
     * @param to clients at the end, at least 0
     * @param forNanos length, more than 0
     */
    record Ramp(int from, int to, long forNanos) implements ClientLifetimes {

        public Ramp {
            if (from < 0 || to < 0 || forNanos <= 0) {
                throw new IllegalArgumentException(
                        "Stage of clients: expected from >= 0, to >= 0 and for > 0, got from=" + from + ", to=" + to
                                + ", for=" + forNanos + " ns");
            }
        }

        /** Clients from {@code from} on begin one after another, the first of them at once. */
        @Override
        public long startNanos(int client) {
            return client < from ? 0 : share(client - from, to - from);
        }

        /** Clients from {@code to} on end one after another, the highest number first and the last of them at the end. */
        @Override
        public long endNanos(int client) {
            return client < to ? forNanos : share(from - client, from - to);
        }

        private long share(int part, int of) {
            return of <= 0 ? 0 : (long) ((double) forNanos * part / of);
        }

        @Override
        public long lengthNanos(int clients) {
            return forNanos;
        }

        @Override
        public boolean areEqual(int clients) {
            return from == to;
        }
    }
}
