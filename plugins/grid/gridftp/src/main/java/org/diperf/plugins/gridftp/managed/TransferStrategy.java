package org.diperf.plugins.gridftp.managed;

import java.util.List;

/**
 * How a job moves its files, chosen from their sizes and the round trip. Large files go one after another over several streams where the
 * way is long, because the window of one stream fills it only in part; small ones over one stream, with so many asked for ahead that
 * neither the data channel nor the server waits for a command. Nearby, too, there are several sessions, because a server's process waits for
 * its disk and for its peer between files; where there are large and small files, they share as many sessions as either alone would have.
 *
 * @param streams of a large file
 * @param largeAhead large files asked for at once in a session
 * @param largeSessions how many sessions move large files, 0 where there are none
 * @param smallAhead the same of small files
 * @param smallSessions the same of small files
 */
public record TransferStrategy(int streams, int largeAhead, int largeSessions, int smallAhead, int smallSessions) {

    /** From so many bytes on a file is large. */
    static final long LARGE_BYTES = 16 << 20;

    /** Above that the way is long: a stream with the usual window of 4 MiB does not fill a link of 10 Gbit/s. */
    private static final long LONG_WAY_NANOS = 3_000_000;

    private static final int MAX_SESSIONS = 4;
    private static final int MAX_STREAMS = 8;
    private static final long NANOS_A_STREAM = 12_000_000;
    /** What a server can at best begin and end in a second. */
    private static final long FILES_A_SECOND = 1_000;

    private static final int MIN_AHEAD = 16;
    private static final int MAX_AHEAD = 200;
    private static final long NANOS_A_SECOND = 1_000_000_000L;

    /**
     * Chooses.
     *
     * @param sizes of all files, in bytes
     * @param roundTripNanos to the server, or to the farther one of two
     */
    static TransferStrategy of(List<Long> sizes, long roundTripNanos) {
        int large = (int) sizes.stream().filter(TransferStrategy::isLarge).count();
        int small = sizes.size() - large;
        boolean isLong = roundTripNanos > LONG_WAY_NANOS;
        int streams = isLong ? (int) Math.min(MAX_STREAMS, 2 + roundTripNanos / NANOS_A_STREAM) : 1;
        long ahead = MIN_AHEAD + roundTripNanos * FILES_A_SECOND / NANOS_A_SECOND;
        // Nearby the processors are the limit, and more sessions only take them from one another.
        boolean shares = !isLong && large > 0 && small > 0;
        return new TransferStrategy(
                streams,
                isLong ? 2 : 1,
                Math.min(large, shares ? MAX_SESSIONS - 1 : MAX_SESSIONS),
                (int) Math.min(MAX_AHEAD, ahead),
                Math.min((small + MIN_AHEAD - 1) / MIN_AHEAD, shares ? 1 : MAX_SESSIONS));
    }

    static boolean isLarge(long size) {
        return size >= LARGE_BYTES;
    }

    int sessions() {
        return largeSessions + smallSessions;
    }
}
