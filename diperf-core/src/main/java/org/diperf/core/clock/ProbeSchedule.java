package org.diperf.core.clock;

import java.util.SplittableRandom;

/**
 * Says when to probe the time server: in bursts of 8 probes about 20 ms apart (4 ms at least, of a near server, where a burst is
 * waited for), of which the fastest ways there and back count. Bursts follow each other after a fixed period, or after one that adapts itself: a tenth of what half the least
 * round trip bounds (50 us or more), over how far the clock's rate is seen to stray; from 2 s to 30 s. It is halved when the
 * clock or the path did something unforeseen (an answer that contradicts the earlier ones, a rate that changed by more than
 * 1 ppm, a round trip on another level), and grows by half after each quiet burst, once there were twelve and ways that
 * scatter were probed often enough.
 *
 * <p>Pure logic, times are those of the caller's monotonic clock. Confined to the thread that sends the probes; the one who
 * sends asks {@link #nextNanos}, waits, sends, and tells {@link #sent}. A schedule has exactly one owner, the prober of one
 * clock.
 */
public final class ProbeSchedule {

    /** Probes of a burst. */
    public static final int BURST = 8;

    private static final long SECOND = 1_000_000_000;
    private static final long APART_NANOS = 20_000_000;
    /** While somebody waits for a burst, a server that is next door is asked faster: each probe takes far less than this. */
    private static final long MIN_APART_NANOS = 4_000_000;

    private static final double ROUND_TRIPS_APART = 20;
    private static final double APART_JITTER = 0.25;
    private static final long MIN_PERIOD_NANOS = 2 * SECOND;
    private static final long MAX_PERIOD_NANOS = 30 * SECOND;
    private static final double PERIOD_JITTER = 0.05;
    private static final double SHARE_OF_BOUND = 0.1;
    /** A server that is next door is not asked more often than this takes; many testers share it. */
    private static final double MIN_BOUND_NANOS = 50_000;

    private static final double GROWTH = 1.5;
    /** Before the clock is known well, and in short runs, the period stays short. */
    private static final int FIRST_BURSTS = 12;
    /** The least of n ways that scatter by s is about s / n from the least there is: so near it shall come. */
    private static final double NEAR_MIN_NANOS = 5_000;

    private final SplittableRandom random;
    private final boolean adaptive;
    private final BurstHistory history = new BurstHistory();
    private long periodNanos;
    private long apartNanos = APART_NANOS;
    private int left = BURST;
    private boolean begun;
    private long next;
    private int bursts;

    private ProbeSchedule(boolean adaptive, long periodNanos, long seed) {
        this.adaptive = adaptive;
        this.periodNanos = periodNanos;
        this.random = new SplittableRandom(seed);
    }

    /** Makes a schedule that adapts its period to clock and path. */
    public static ProbeSchedule adaptive(long seed) {
        return new ProbeSchedule(true, MIN_PERIOD_NANOS, seed);
    }

    /**
     * Makes a schedule with a fixed period.
     *
     * @param periodNanos from the start of one burst to the start of the next; at least one burst takes it up
     */
    public static ProbeSchedule every(long periodNanos, long seed) {
        if (periodNanos <= 0) {
            throw new IllegalArgumentException("Expected a period above 0 ns between bursts, got " + periodNanos);
        }
        return new ProbeSchedule(false, periodNanos, seed);
    }

    /**
     * Returns the instant of the next probe; one that is not after {@code nowNanos} is due now. The first burst is due at once.
     * Asking changes nothing: the schedule continues when {@link #sent} is told.
     */
    public long nextNanos(long nowNanos) {
        return begun ? next : nowNanos;
    }

    /** Called when a probe has been sent; late probes are not made up for. */
    public void sent(long nowNanos) {
        begun = true;
        if (left == BURST) {
            judge();
        }
        left--;
        if (left > 0) {
            long jitter = Math.round(APART_JITTER * apartNanos);
            next = nowNanos + apartNanos + random.nextLong(-jitter, jitter + 1);
        } else {
            left = BURST;
            apartNanos = APART_NANOS;
            long burst = (BURST - 1) * APART_NANOS;
            double jitter = adaptive ? 1 + PERIOD_JITTER * (2 * random.nextDouble() - 1) : 1;
            next = nowNanos + Math.max(APART_NANOS, Math.round(periodNanos * jitter) - burst);
        }
    }

    /** Called for each answer, however late and in any order; a lost answer is never reported. */
    public void answered(Exchange exchange, long nowNanos) {
        if (exchange.isPlausible()) {
            history.add(exchange, nowNanos);
        }
    }

    /**
     * Makes a whole burst due now: at the start and at the end of the load, so that no clock is extrapolated. Its probes are
     * less far apart where round trips are short.
     */
    public void burstNow(long nowNanos) {
        begun = true;
        left = BURST;
        apartNanos = Math.round(
                Math.max(MIN_APART_NANOS, Math.min(APART_NANOS, ROUND_TRIPS_APART * history.leastRoundTripNanos())));
        next = nowNanos;
    }

    /** Returns the time from one burst to the next as it is now. */
    public long periodNanos() {
        return periodNanos;
    }

    private void judge() {
        BurstHistory.Verdict verdict = history.close();
        if (!adaptive || verdict == BurstHistory.Verdict.UNANSWERED) {
            return;
        }
        double boundNanos = Math.max(MIN_BOUND_NANOS, history.leastRoundTripNanos() / 2.0);
        double wanted = SHARE_OF_BOUND * boundNanos / history.strayRate();
        double most = Math.max(MIN_PERIOD_NANOS, Math.min(MAX_PERIOD_NANOS, wanted));
        bursts++;
        boolean enough = bursts > FIRST_BURSTS && history.jitterNanos() < NEAR_MIN_NANOS * BURST * bursts;
        double growth = enough ? GROWTH : 1;
        double period = verdict == BurstHistory.Verdict.QUIET ? periodNanos * growth : periodNanos / 2.0;
        periodNanos = Math.round(Math.max(MIN_PERIOD_NANOS, Math.min(most, period)));
    }
}
