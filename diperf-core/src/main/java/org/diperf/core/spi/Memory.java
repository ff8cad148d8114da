package org.diperf.core.spi;

import java.util.concurrent.atomic.AtomicLong;

/**
 * What one tester's clients keep of answers, counted together: bodies, cookies, captured values. Each of them is bounded by whoever keeps
 * it; this bounds their sum. Whoever keeps more than a few hundred bytes counts them here. Thread-safe.
 */
public final class Memory {

    /** What can be done where there is too little. */
    public static final String REMEDY = "give each tester a larger heap (testbed.jvm: [-Xmx1g]) or use more testers";

    /** What fails where there is too little: by the generator's fault. */
    public static final Failure FULL =
            Failure.ofGenerator("no memory left for answers").remedied(REMEDY);

    private final long most;
    private final AtomicLong kept = new AtomicLong();

    /** @param most bytes, at least 0 */
    public Memory(long most) {
        this.most = most;
    }

    /**
     * Counts what somebody keeps from now on, in place of what it kept before. Shrinking never fails.
     *
     * @param from bytes kept so far, at least 0
     * @param to bytes kept from now on, at least 0
     * @return whether there is room; if not, nothing has changed and the call is to end as {@link #FULL}
     */
    public boolean resize(long from, long to) {
        if (to <= from) {
            if (to < from) {
                kept.addAndGet(to - from);
            }
            return true;
        }
        boolean fits = kept.addAndGet(to - from) <= most;
        if (!fits) {
            kept.addAndGet(from - to);
        }
        return fits;
    }

    /** Returns the bytes that are kept. */
    public long kept() {
        return kept.get();
    }
}
