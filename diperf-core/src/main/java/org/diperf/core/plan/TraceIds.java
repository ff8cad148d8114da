package org.diperf.core.plan;

/**
 * The ids under which a tracing system knows a call, as W3C's Trace Context (Recommendation of 23 November 2021) has them: a pure
 * function of the experiment's seed, the client, the number of its call and the kind of request, so that whoever has the samples
 * knows them too. Each half is a chain of finalisers of SplitMix64 (Steele et al., 2014), a bijection of the last number that goes in.
 */
public final class TraceIds {

    /** Characters of a {@code traceparent}. */
    public static final int PARENT_LENGTH = 55;

    private static final long HIGH = 0x243F6A8885A308D3L;
    private static final long LOW = 0x13198A2E03707344L;
    private static final long SPAN = 0xA4093822299F31D0L;
    private static final char[] DIGITS = "0123456789abcdef".toCharArray();

    private TraceIds() {}

    /**
     * Returns the id of a call's trace.
     *
     * @param seed of the experiment
     * @param client in the whole run, from 0
     * @param call its number among those of its client, from 0
     * @param request its kind of request, from 0
     * @return 32 hexadecimal digits, not all zero
     */
    public static String trace(long seed, int client, long call, int request) {
        char[] digits = new char[32];
        put(half(HIGH, seed, client, call, request), digits, 0);
        put(notZero(half(LOW, seed, client, call, request)), digits, 16);
        return new String(digits);
    }

    /**
     * Returns the field {@code traceparent} of a call's request: version 00, the trace, the call as its parent, sampled.
     *
     * @param seed of the experiment
     * @param client in the whole run, from 0
     * @param call its number among those of its client, from 0
     * @param request its kind of request, from 0
     * @return {@link #PARENT_LENGTH} characters
     */
    public static String parent(long seed, int client, long call, int request) {
        char[] field = "00-00000000000000000000000000000000-0000000000000000-01".toCharArray();
        put(half(HIGH, seed, client, call, request), field, 3);
        put(notZero(half(LOW, seed, client, call, request)), field, 19);
        put(notZero(half(SPAN, seed, client, call, request)), field, 36);
        return new String(field);
    }

    /**
     * Fills a link to a call's trace.
     *
     * @param template with <code>${id}</code> for the trace's id
     * @param trace from {@link #trace}
     */
    public static String link(String template, String trace) {
        return template.replace("${id}", trace);
    }

    private static long half(long which, long seed, int client, long call, int request) {
        return mixed(mixed(mixed(mixed(which ^ seed) + client) + request) + call);
    }

    /** An id of zeros is none. */
    private static long notZero(long id) {
        return id == 0 ? 1 : id;
    }

    private static long mixed(long of) {
        long z = of + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    private static void put(long of, char[] into, int at) {
        for (int i = 0; i < 16; i++) {
            into[at + i] = DIGITS[(int) (of >>> (60 - 4 * i)) & 15];
        }
    }
}
